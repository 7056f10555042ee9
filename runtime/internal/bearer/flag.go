package bearer

import (
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// Flag is the flag that names a file of credentials.
var Flag = cli.Flag{Name: "tokens", Value: "FILE", Help: "who may call over HTTP, a line NAME=TOKEN each"}

// Read returns the credentials of the file that the flag --tokens names, else those of the variable; none where nothing names
// any.
func Read(c *cli.Call, variable string) (known Credentials, where string, err error) {
	where, text := variable, os.Getenv(variable)
	if c.On(Flag.Name) {
		where = c.Flag(Flag.Name)
		content, err := os.ReadFile(c.Path(where))
		if err != nil {
			return nil, where, err
		}
		text = string(content)
	} else if strings.TrimSpace(text) == "" {
		return nil, "", nil
	}
	known, err = Parse(where, text)
	if err != nil {
		return nil, where, c.Errorf(cli.Problem, "%w", err)
	}

	return known, where, nil
}
