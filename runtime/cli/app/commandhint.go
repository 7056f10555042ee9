package app

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

const (
	// calledAs is an environment variable with the command line by which a person starts the
	// program, if that is not its own name.
	calledAs = "AGENTC_CALLED_AS"
	// placeOfCommand is replaced there by a command and its arguments.
	placeOfCommand = "COMMAND"
)

// ownName is what Main was called by; "" in a test.
var ownName string

// commandName is what the program calls itself: its entry point, or, where several agents could be
// that, its own file, unless another program started that on behalf of a person.
func commandName(p *compiled.Program) string {
	if p.Entry != "" || ownName == "" || os.Getenv(calledAs) != "" {
		return p.Name
	}

	return strings.TrimSuffix(filepath.Base(ownName), ".exe")
}

// called is how a person calls the program: a command line with placeOfCommand.
type called string

// runFlags are the flags that a command line which continues the same run needs, too.
var runFlags = []string{"main", "env-file", "store", "script", "record", "replay", "partial"}

// CalledAs returns a line of the environment that describes how a person calls the program: the
// present command line, with more words after a command. What starts the program on behalf of a
// person passes it on.
func (r RunsCall) CalledAs(words ...string) string {
	return calledAs + "=" + string(calledWith(r.Call, words, runFlags))
}

// calledBy returns the present command line, with the given ones of some flags.
func calledBy(c *cli.Call, flags ...string) called {
	if as := c.Getenv(calledAs); as != "" {
		return called(as)
	}

	return calledWith(c, nil, flags)
}

func calledWith(c *cli.Call, words, flags []string) called {
	line := []string{c.Program.Name}
	// What go run has built is gone when the person wants to call it.
	if ownName != "" && !strings.Contains(filepath.ToSlash(ownName), "/go-build") {
		line[0] = ownName
	}
	if dir, err := os.Getwd(); err == nil && dir != c.Dir {
		line = append(line, "-C", (&cli.Env{Dir: dir}).Rel(c.Dir))
	}
	line = append(append(line, placeOfCommand), words...)
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

// commandLine returns the command line for a command.
func (as called) commandLine(words ...string) string {
	command := cli.Quote(words...)
	if !strings.Contains(string(as), placeOfCommand) {
		return string(as) + " " + command
	}

	return strings.Replace(string(as), placeOfCommand, command, 1)
}
