// The page Train.
