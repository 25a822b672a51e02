// The page Replay.
