// The page Board.
