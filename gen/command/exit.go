package command

import (
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// commandError ends a command with an exit code. Without a message the user has seen what is wrong, or nothing is.
type commandError struct {
	code    int
	message string
}

func (e *commandError) Error() string { return e.message }

// errReported ends a command because of a problem that the user has seen.
var errReported = &commandError{code: cli.Problem}

// usagef says that the command line makes no sense, problemf that the sources or the run have a problem.
func usagef(format string, args ...any) error {
	return &commandError{cli.Usage, fmt.Sprintf(format, args...)}
}

// didYouMean is the end of a message about an unknown word; "" if none of the candidates is near.
func didYouMean(word string, candidates []string) string {
	near, ok := diag.Nearest(word, candidates)
	if !ok {
		return ""
	}

	return fmt.Sprintf(" (did you mean %q?)", near)
}

func problemf(format string, args ...any) error {
	return &commandError{cli.Problem, fmt.Sprintf(format, args...)}
}

// exitWith is the error of a command that ends with an exit code; nil for [cli.Done].
func exitWith(code int) error {
	if code == cli.Done {
		return nil
	}

	return &commandError{code: code}
}

// withExitCode makes a function that returns an error the Run of a command.
func withExitCode(run func(*cli.Call) error) func(*cli.Call) int {
	return func(c *cli.Call) int { return exitCode(c, run(c)) }
}

// exitCode reports an error to the user and returns the exit code of the command. An error that is no *commandError is a failure.
func exitCode(c *cli.Call, err error) int {
	var end *commandError
	switch {
	case err == nil:
		return cli.Done
	case !errors.As(err, &end):
		return c.Errorf(cli.Failure, "%v", err)
	case end.message == "":
		return end.code
	case end.code == cli.Usage:
		return c.Usagef("%s", end.message)
	}

	return c.Errorf(end.code, "%s", end.message)
}

// say prints a message to stderr that --quiet does not turn off.
func say(c *cli.Call, format string, args ...any) {
	fmt.Fprintln(c.Stderr, c.Fit(c.Stderr, fmt.Sprintf(format, args...)))
}
