package app

import (
	"cmp"
	"context"
	"os"
	"os/user"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// callerFlags are the flags of commands that need a right where there is a tokens file.
func callerFlags() []cli.Flag { return []cli.Flag{bearer.Flag, bearer.TokenFlag} }

// aboutTokens is what the help of these commands says.
const aboutTokens = "Where there is a tokens file, the command needs a token with the right that a request to a server needs. The file\n" +
	"is the one that --tokens names, or else " + access.DefaultFile + " of the project folder, or of the working directory without a project."

// userName is the name of the user of the process, or else the number; "" if neither is known.
func userName() string {
	if me, err := user.Current(); err == nil && me.Username != "" {
		return me.Username
	}
	if number := os.Getuid(); number >= 0 {
		return "uid " + strconv.Itoa(number)
	}

	return ""
}

// needsRight returns the rights that a command needs which needs the same right for each run.
func needsRight(r access.Right) func(of *client.Run) []access.Right {
	return func(*client.Run) []access.Right { return []access.Right{r} }
}

// permitCaller returns the caller that gives a command about a run. Without a tokens file it is the
// person at the command line, and everything is permitted. With one it is the holder of a token,
// who needs the rights that the command needs for a run as it is.
func permitCaller(c *cli.Call, store journal.Store, run string, needs func(of *client.Run) []access.Right) (who access.Caller, err error) {
	tokens, where, err := bearer.Read(c, "", nil)
	if err != nil {
		return who, err
	}
	if tokens == nil {
		return access.Named(cmp.Or(c.Flag("by"), c.Getenv("USER"), c.Getenv("USERNAME"), userName())), nil
	}
	who, err = bearer.ReadCaller(c, tokens.Lookup, where)
	if err != nil {
		return who, err
	}
	if by := c.Flag("by"); by != "" && by != who.Name() {
		return who, c.Errorf(cli.Problem, "the token belongs to %s, and --by cannot name %s", who.Name(), by)
	}
	of, err := readRun(context.Background(), store, run)
	if err != nil {
		return who, journalError(c, err)
	}
	target := access.Target{By: of.By, Agent: of.Agent}
	if !who.CanSee(target) {
		return who, c.Errorf(cli.Problem, "run %s: %w", run, journal.ErrUnknownRun)
	}
	for _, right := range needs(of) {
		err = who.Check(right, target)
		if err != nil {
			return who, c.Errorf(cli.Problem, "%w", err)
		}
	}

	return who, nil
}
