package bearer

import (
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Flag is the flag that names a tokens file.
var Flag = cli.Flag{Name: "tokens", Value: "FILE", Help: "who may do what: a tokens file; default: " + access.DefaultFile + ", if it exists"}

// Read returns the tokens of the file that the flag --tokens names, else those of the variable, which holds a text, else those
// of [access.DefaultFile]; nil if there are none. where names them. report receives what is wrong with the file later; see
// [access.Open]. variable can be "". Errors: *access.FileError, those of the operating system.
func Read(c *cli.Call, variable string, report func(error)) (tokens *access.Tokens, where string, err error) {
	text := ""
	if variable != "" {
		text = os.Getenv(variable)
	}
	switch {
	case c.On(Flag.Name):
		where = c.Flag(Flag.Name)
	case strings.TrimSpace(text) != "":
		tokens, err = access.Parse(variable, text)
		return tokens, variable, asProblem(c, err)
	case access.Exists(c.Path(access.DefaultFile)):
		where = access.DefaultFile
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
