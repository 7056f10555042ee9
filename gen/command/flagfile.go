package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// readFlag reads the file that a flag names. ok is false if that failed; the person then knows why, and code is the exit code.
func readFlag(c *cli.Call, flag string) (path string, content []byte, code int, ok bool) {
	name := c.Flag(flag)
	path = c.Path(name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", nil, c.Usagef("--%s %s: it is a folder, not a file", flag, name), false
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, c.Usagef("--%s %s: there is no such file", flag, name), false
	}
	if err != nil {
		return "", nil, c.Errorf(cli.Failure, "%v", err), false
	}

	return path, content, cli.Done, true
}
