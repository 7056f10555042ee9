package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/fix"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// applyFixes applies the fixes of the project, prints them, and returns the result of a check after
// that. It writes all files or none.
func (p *project) applyFixes(c *cli.Call) (*gen.Result, error) {
	fixed, err := fix.Project(context.Background(), p.compileOptions())
	if err != nil {
		return nil, err
	}
	if err := p.rewriteFiles(c, fixed.Files); err != nil {
		return nil, err
	}

	for _, m := range fixed.Applied {
		line := diag.Line(m.Finding.Span, "fixed", m.Fix.Message, p.label(c))
		fmt.Fprintf(c.Notes(), "%s [%s]\n", line, m.Finding.Check.Name)
	}
	if n := len(fixed.Applied); n > 0 {
		fmt.Fprintf(c.Notes(), "fixed %s in %s\n", words.Count(n, "problem"), words.Count(len(fixed.Files), "file"))
	}

	return fixed.Left, nil
}

// rewriteFiles writes the new contents of files.
func (p *project) rewriteFiles(c *cli.Call, files []fix.File) error {
	disk, err := openOutput(p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	changes := ir.Map(files, func(f fix.File) output.Change { return output.Change{Path: f.Path, Old: f.Old, New: f.New} })

	written, err := output.Rewrite(disk, changes)
	if err == nil {
		return nil
	}
	if errors.As(err, new(*output.ConflictError)) {
		_ = p.reportConflicts(c, err) // the error is printed by reportConflicts
		return c.Errorf(cli.Problem, "nothing was fixed")
	}

	return fmt.Errorf("%w (%s written so far)", err, words.Count(written, "file"))
}
