package bearer

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// Flag is the flag that names a tokens file.
var Flag = cli.Flag{Name: "tokens", Value: "FILE", Help: "who may do what: a tokens file; default: " + access.DefaultFile + ", if it exists"}

// NoTokens is what a server that needs no tokens says when it starts.
const NoTokens = "no tokens: every caller on this machine may do everything; token add NAME --rights RIGHTS makes a file of tokens"

// ProjectVariable is the environment variable with the project folder, where agentc starts a program for a project.
const ProjectVariable = "AGENTC_PROJECT"

// DefaultPath returns the path of the tokens file of a command to which none is named: in the project folder, or in the
// working directory where no project is named.
func DefaultPath(c *cli.Call) string {
	return c.Path(filepath.Join(c.Getenv(ProjectVariable), filepath.FromSlash(access.DefaultFile)))
}

// Read returns the tokens of the file that the flag --tokens names, else those of the variable, which holds a text, else those
// of [DefaultPath]; nil if there are none. where names them. report receives what is wrong with the file later; see
// [access.Open]. variable can be ""; one that is set and empty is a mistake. Errors: *access.FileError, those of the operating system.
func Read(c *cli.Call, variable string, report func(error)) (tokens *access.Tokens, where string, err error) {
	text, isSet := "", false
	if variable != "" {
		text, isSet = os.LookupEnv(variable)
	}
	switch {
	case c.On(Flag.Name):
		where = c.Flag(Flag.Name)
	case isSet && strings.TrimSpace(text) == "": // a secret that was not filled in must not open the server
		const problem = "the variable is set, and empty: unset it to use no tokens or those of a file; `tokens: []` lets no caller in"
		return nil, variable, asProblem(c, &access.FileError{File: variable, Problem: problem})
	case isSet:
		tokens, err = access.Parse(variable, text)
		return tokens, variable, asProblem(c, err)
	case access.Exists(DefaultPath(c)):
		where = c.Rel(DefaultPath(c))
	case c.On(TokenFlag.Name):
		return nil, "", c.Usagef("there is no tokens file: name it with --tokens, or leave --token-file out")
	default:
		return nil, "", nil
	}
	tokens, err = access.Open(c.Path(where), report)

	return tokens, where, asProblem(c, err)
}

// asProblem gives a mistake in a file the exit code of one.
func asProblem(c *cli.Call, err error) error {
	if _, isMistake := err.(*access.FileError); isMistake {
		return c.Errorf(cli.Problem, "%w", err)
	}

	return err
}
