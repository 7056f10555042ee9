package command

import (
	"context"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/memo"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// compileRemembered is compile for generate, which needs only the files. If the project has not
// changed since the same agentc compiled it, the remembered files are read. --check and --stdout
// always compile.
func (p *project) compileRemembered(c *cli.Call) (*gen.Result, error) {
	if c.On("check") || c.On("stdout") {
		return p.compile(c)
	}
	result, _, err := openMemory().Compile(context.Background(), p.dir, p.compileOptions())

	return p.reportCompiled(c, result, err)
}

// openMemory opens the remembered compilations. It returns nil, which remembers nothing, if there
// is no cache folder.
func openMemory() *memo.Memo {
	dir, err := cache.Dir("generate")
	if err != nil {
		return nil
	}
	compiler, err := memo.CompilerID()
	if err != nil {
		return nil
	}

	return memo.New(dir, compiler)
}
