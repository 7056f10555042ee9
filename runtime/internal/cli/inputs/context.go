package inputs

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// Context returns the program with the initial context that the flag --context gives, as JSON or in a file;
// without the flag it returns p.
func Context(c *cli.Call, p *compiled.Program, agent string) (with *compiled.Program, err error) {
	if !c.On("context") {
		return p, nil
	}
	value := c.Flag("context")
	text, label := []byte(value), "--context"
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		label += " " + value
		text, err = os.ReadFile(c.Path(value))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, c.Usagef("%s: there is no such file, and it is not a JSON object", label)
		}
		if err != nil {
			return nil, err
		}
	}
	with, err = p.WithContext(agent, json.RawMessage(text))
	if err != nil {
		return nil, c.Errorf(cli.Problem, "%s: %w", label, err)
	}

	return with, nil
}
