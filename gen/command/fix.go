package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/fix"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// applyFixes applies the fixes of the project, says which, and returns what is left. If one file must not be written, none is.
func (p *project) applyFixes(c *cli.Call) (left *gen.Result, code int, ok bool) {
	mended, err := fix.Project(context.Background(), p.options())
	if err != nil {
		return nil, c.Errorf(cli.Failure, "%v", err), false
	}
	if code, ok := p.rewrite(c, mended.Files); !ok {
		return nil, code, false
	}

	for _, m := range mended.Mends {
		line := diag.Line(m.Finding.Span, "fixed", m.Fix.Message, p.label(c))
		fmt.Fprintf(c.Stderr, "%s [%s]\n", line, m.Finding.Check.Name)
	}
	if n := len(mended.Mends); n > 0 {
		fmt.Fprintf(c.Stderr, "fixed %s in %s\n", plural(n, "problem"), plural(len(mended.Files), "file"))
	}

	return mended.Left, cli.Done, true
}

// rewrite gives files their new contents.
func (p *project) rewrite(c *cli.Call, files []fix.File) (code int, ok bool) {
	disk, err := openOutput(p.dir)
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err), false
	}
	defer disk.Close()
	changes := make([]output.Change, len(files))
	for i, f := range files {
		changes[i] = output.Change{Path: f.Path, Old: f.Old, New: f.New}
	}

	written, err := output.Rewrite(disk, changes)
	var conflict *output.ConflictError
	switch {
	case errors.As(err, &conflict):
		p.refused(c, conflict)
		return c.Errorf(cli.Problem, "nothing was fixed"), false
	case err != nil:
		return c.Errorf(cli.Failure, "%v (%s written so far)", err, plural(written, "file")), false
	}

	return cli.Done, true
}
