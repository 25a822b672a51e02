"""Deduction over deals: SAT and exact counting over one append-only list of facts."""
