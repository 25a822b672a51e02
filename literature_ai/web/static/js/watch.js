// The page Watch.
