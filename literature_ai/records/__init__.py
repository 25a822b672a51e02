"""Game records: the notation of events, record files, and their consistency."""
