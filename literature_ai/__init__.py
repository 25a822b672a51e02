"""Literature (Canadian Fish): rules, records, knowledge, hints and agents."""
