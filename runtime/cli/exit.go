package cli

// The exit codes of every command.
const (
	// Done says that all went well.
	Done = 0
	// Problem says that the sources or the run have a problem.
	Problem = 1
	// Usage says that the command line makes no sense.
	Usage = 2
	// Failure is our own fault, or one of input and output.
	Failure = 3
	// Paused says that the run waits for an answer.
	Paused = 4
	// Signal is what the number of a signal is added to that has ended a run: 130 after an interrupt, as shells have it.
	Signal = 128
)
