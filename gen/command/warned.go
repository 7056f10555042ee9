package command

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// warnedBefore reports whether a run of the project has shown the same warnings before, and
// remembers that this one shows them. Errors are always shown, and so are warnings where the user
// has no cache folder.
func (p *project) warnedBefore(c *cli.Call, result *gen.Result) bool {
	if result.HasErrors() || len(result.Diagnostics) == 0 {
		return false
	}
	dir, err := cache.Dir("warned")
	if err != nil {
		return false
	}
	text := bytes.NewBufferString(p.dir + "\n")
	_ = diag.Text(text, result.Diagnostics, diag.TextOptions{}) // a buffer takes everything
	file := filepath.Join(dir, cache.Name(text.Bytes()))
	if _, err := os.Stat(file); err == nil {
		return cache.Touch(file)
	}
	_ = cache.Put(file, nil, 1000) // what cannot be remembered is shown again

	return false
}
