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

// checkWarnedBefore reports whether a run of the project has shown the same warnings before, and
// records that this run shows them. Without a cache folder, warnings are always shown.
func (p *project) checkWarnedBefore(c *cli.Call, result *gen.Result) bool {
	if result.HasErrors() || len(result.Diagnostics) == 0 {
		return false
	}
	dir, err := cache.Dir("warned")
	if err != nil {
		return false
	}
	text := bytes.NewBufferString(p.dir + "\n")
	_ = diag.Text(text, result.Diagnostics, diag.TextOptions{}) // a bytes.Buffer returns no error
	file := filepath.Join(dir, cache.HashName(text.Bytes()))
	if _, err := os.Stat(file); err == nil {
		return cache.Touch(file)
	}
	_ = cache.Put(file, nil, 1000) // if this fails, the warnings are shown again

	return false
}
