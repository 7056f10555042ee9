package inputs

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Context returns the program with the initial context that the flag --context gives, as JSON or in a file;
// without the flag it returns p.
func Context(c *cli.Call, p *compiled.Program, agent string) (with *compiled.Program, code int, ok bool) {
	if !c.On("context") {
		return p, cli.Done, true
	}
	value := c.Flag("context")
	text, label := []byte(value), "--context"
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		label += " " + value
		var err error
		text, err = os.ReadFile(c.Path(value))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, c.Usagef("%s: there is no such file, and it is not a JSON object", label), false
		}
		if err != nil {
			return nil, c.Errorf(cli.Failure, "%v", err), false
		}
	}
	with, err := p.WithContext(agent, json.RawMessage(text))
	if err != nil {
		return nil, c.Errorf(cli.Problem, "%s: %v", label, err), false
	}

	return with, cli.Done, true
}
