"""What a server keeps, in memory and in its folder: tables, watched games, records and boards."""
