package cli

// The exit codes of every command.
const (
	// Done: success.
	Done = 0
	// Problem: the sources or the run have a problem.
	Problem = 1
	// Usage: the command line is wrong.
	Usage = 2
	// Failure: a fault of the program, or of input or output.
	Failure = 3
	// Paused: the run waits for an answer.
	Paused = 4
	// Signal plus the number of a signal is the exit code of a run that the signal has ended: 130 after an interrupt,
	// as in shells.
	Signal = 128
)
