package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// scaffold is a set of new files for a project, with advice about the next steps.
type scaffold struct {
	c *cli.Call
	// p is the project, which may not exist yet.
	p *project
	// root is a folder around the project to which files are written too, or "".
	root  string
	files []templates.File
	// generates is set if the project is compiled to Go at once. edits are changes of the user's Go
	// that the new files need.
	generates bool
	edits     []goEdit
	// next are commands, advice are sentences.
	next, advice []string
}

// checkName reports why name is not allowed for an agent, a project or a skill, which is what.
func checkName(c *cli.Call, what, name string) error {
	switch {
	case !frontend.IsValidName(name):
		hint := ""
		if near := frontend.NearestName(name); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return c.Usagef("%q cannot be the name of %s%s: a name has lower-case letters, digits and hyphens, and may begin with _", name, what, hint)
	case name == "null":
		return c.Usagef("%q cannot be the name of %s: YAML reads it as an empty value", name, what)
	case what != aSkill && slices.Contains(scriptSections, name):
		return c.Usagef("%q cannot be the name of %s: scripts use this name for a section", name, what)
	}

	return nil
}

// The kinds of named things, with an article.
const (
	anAgent   = "an agent"
	aProject  = "a project"
	aSkill    = "a skill"
	aWorkflow = "a workflow"
)

// scriptSections are the sections of a script that do not belong to an agent.
var scriptSections = []string{"ask", "funcs", "guards", "tools"}

// writeAll writes all files, or none. It overwrites no file, and undoes everything if the new files
// have errors. Then it edits the user's Go and generates Go, if requested. It prints the written
// files on stdout and the next steps on stderr.
func (s *scaffold) writeAll() error {
	before, err := s.findDiagnostics()
	if err != nil {
		return err
	}
	base := nearestFolder(cmp.Or(s.root, s.p.dir)) // the project may not exist yet
	disk, err := openOutput(base)
	if err != nil {
		return err
	}
	defer disk.Close()
	undo, err := s.createFiles(disk, base)
	if err != nil {
		return (&project{dir: base}).reportConflicts(s.c, err, "nothing was written: no file is ever overwritten")
	}

	after, err := s.findDiagnostics()
	fresh := newDiagnostics(after, before)
	s.p.reportDiagnostics(s.c, fresh)
	if err != nil || slices.ContainsFunc(fresh, s.isOwnMistake) {
		if err := errors.Join(err, undo()); err != nil {
			return err
		}
		return s.c.Errorf(cli.Problem, "nothing was written because of these problems")
	}
	if err := s.applyEdits(); err != nil {
		return err
	}
	written := ir.Map(s.files, func(f templates.File) string { return f.Name })
	if s.generates && len(fresh) == 0 {
		generated, err := s.generateGo()
		if err != nil {
			return errors.Join(err, undo())
		}
		written = append(written, generated...)
	}
	if err := s.printNext(written); err != nil {
		return err
	}
	if len(fresh) > 0 {
		return s.c.Errorf(cli.Problem, "the files are written; the project now has the problems above")
	}

	return nil
}

// isOwnMistake reports whether a diagnostic is an error in the new files themselves. Other errors
// may be about old files, such as a machine that lacks rows for the keys of a new agent.
func (s *scaffold) isOwnMistake(d *diag.Diagnostic) bool {
	inNewFile := slices.ContainsFunc(s.files, func(f templates.File) bool {
		return d.Span.File != nil && d.Span.File.Path == f.Name
	})

	return d.Severity == diag.Error && (inNewFile || d.Check == diag.DuplicateName)
}

// generateGo generates the Go of the project and returns the names of the files. The go command
// then finds the package that the user's Go imports.
func (s *scaffold) generateGo() ([]string, error) {
	result, err := gen.Compile(context.Background(), s.p.compileOptions())
	if err != nil {
		return nil, err
	}
	if _, err := s.p.writeOutput(s.c, result); err != nil {
		return nil, err
	}

	return ir.Map(result.Files, func(f emit.File) string { return path.Join(result.Program.Output, f.Name) }), nil
}

// printNext prints the written files and the next steps.
func (s *scaffold) printNext(written []string) error {
	var b strings.Builder
	for _, name := range written {
		fmt.Fprintln(&b, s.p.label(s.c)(name))
	}
	if len(s.next) > 0 {
		fmt.Fprintf(s.c.Notes(), "next:\n  %s\n", strings.Join(s.next, "\n  "))
	}
	for _, sentence := range s.advice {
		fmt.Fprintln(s.c.Notes(), sentence)
	}

	return emitText(s.c, b.String())
}

// nearestFolder returns dir, or the nearest existing folder above it.
func nearestFolder(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// createFiles creates the files in disk, which is the folder base. undo removes them.
func (s *scaffold) createFiles(disk output.FS, base string) (undo func() error, err error) {
	prefix, err := filepath.Rel(base, s.p.dir)
	if err != nil {
		return nil, err
	}

	return output.Create(disk, ir.Map(s.files, func(f templates.File) output.File {
		return output.File{Name: path.Join(filepath.ToSlash(prefix), f.Name), Content: f.Content}
	}))
}

// findDiagnostics returns the diagnostics of the project, none if it does not exist yet.
func (s *scaffold) findDiagnostics() ([]*diag.Diagnostic, error) {
	if !loader.IsProject(os.DirFS(s.p.dir)) {
		return nil, nil
	}
	result, err := s.p.checkOnly()
	if err != nil {
		return nil, err
	}

	return result.Diagnostics, nil
}

// newDiagnostics returns the diagnostics that are not among the previous ones.
func newDiagnostics(findings, previous []*diag.Diagnostic) []*diag.Diagnostic {
	key := func(d *diag.Diagnostic) string {
		file := ""
		if d.Span.File != nil {
			file = d.Span.File.Path
		}
		return fmt.Sprint(d.Check.Name, file, d.Span.Start, d.Message)
	}
	known := ir.SetOf(ir.Map(previous, key))

	return slices.DeleteFunc(findings, func(d *diag.Diagnostic) bool { return known[key(d)] })
}
