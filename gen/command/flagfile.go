package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// readFlag reads the file that a flag names.
func readFlag(c *cli.Call, flag string) (path string, content []byte, err error) {
	name := c.Flag(flag)
	path = c.Path(name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", nil, c.Usagef("--%s %s: it is a folder, not a file", flag, name)
	}
	content, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, c.Usagef("--%s %s: there is no such file", flag, name)
	}

	return path, content, err
}
