package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

const (
	// calledAs is an environment variable with the command line by which a person starts the program, if that is not its own name.
	calledAs = "AGENTC_CALLED_AS"
	// placeOfCommand is replaced there by a command and its arguments.
	placeOfCommand = "COMMAND"
)

// CalledAs returns a line of the environment that says by which command line a person starts the program: the words
// before a command, such as run, and those after it. What starts the program on behalf of a person passes it on.
func CalledAs(before, after []string) string {
	return calledAs + "=" + cli.Quote(slices.Concat(before, []string{placeOfCommand}, after)...)
}

// ownName is what Main was called by; "" in a test.
var ownName string

// called is how a person calls the program: a command line with placeOfCommand.
type called string

// prefixOf are the words before a command, of how a person calls the program; "" where that is by its name.
func prefixOf(as string) string {
	before, _, _ := strings.Cut(as, placeOfCommand)

	return strings.TrimSpace(before)
}

// calledBy returns how the command line at hand was called, with the flags that one which goes on with the same run needs, too.
func calledBy(c *cli.Call) called {
	return calledWith(c, "store", "script", "record", "replay", "partial")
}

// seenBy is calledBy for a command that looks at the run: it takes no flags but that of where runs are kept.
func seenBy(c *cli.Call) called { return calledWith(c, "store") }

func calledWith(c *cli.Call, flags ...string) called {
	if as := c.Getenv(calledAs); as != "" {
		return called(as)
	}

	line := []string{c.Program.Name}
	// What go run has built is gone when the person wants to call it.
	if ownName != "" && !strings.Contains(filepath.ToSlash(ownName), "/go-build") {
		line[0] = ownName
	}
	if dir, err := os.Getwd(); err == nil && dir != c.Dir {
		line = append(line, "-C", relative(dir, c.Dir))
	}
	line = append(line, placeOfCommand)
	for _, flag := range flags {
		switch {
		case !c.On(flag):
		case flag == "partial": // the only one without a value
			line = append(line, "--"+flag)
		default:
			line = append(line, "--"+flag, StoreAddress(c.Flag(flag)).Redacted())
		}
	}

	return called(cli.Quote(line...))
}

func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}

	return path
}

// with is the command line for a command.
func (as called) with(words ...string) string {
	command := cli.Quote(words...)
	if !strings.Contains(string(as), placeOfCommand) {
		return string(as) + " " + command
	}

	return strings.Replace(string(as), placeOfCommand, command, 1)
}
