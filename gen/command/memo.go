package command

import (
	"context"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/memo"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// remembered is compile for generate, which needs the files alone: a project that has not changed
// since the same agentc compiled it is read, not compiled. --check and --stdout prove something, so
// they compile whatever is remembered.
func (p *project) remembered(c *cli.Call) (*gen.Result, error) {
	if c.On("check") || c.On("stdout") {
		return p.compile(c)
	}
	result, _, err := memory().Compile(context.Background(), p.dir, p.options())

	return p.compiled(c, result, err)
}

// memory is where compilations are remembered; nil, which remembers nothing, without a cache
// folder.
func memory() *memo.Memo {
	dir, err := cache.Dir("generate")
	if err != nil {
		return nil
	}
	compiler, err := memo.Compiler()
	if err != nil {
		return nil
	}

	return memo.New(dir, compiler)
}
