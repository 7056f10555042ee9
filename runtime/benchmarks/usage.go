package main

// usage is what a finished command and the commands that it waited for took.
type usage struct {
	// peak is the most memory that one of them held, in bytes; 0 where the system does not tell.
	peak int64
}
