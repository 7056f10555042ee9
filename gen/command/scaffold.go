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

// scaffold is new files for a project, and what a person does next.
type scaffold struct {
	c *cli.Call
	// p is the project, which need not be there yet.
	p *project
	// root is a folder around the project in which files are written, too; "" if there is none.
	root  string
	files []templates.File
	// generates says that the project is compiled to Go at once, edits are changes of the user's Go
	// that the new files need.
	generates bool
	edits     []goEdit
	// next are commands, advice are sentences.
	next, advice []string
}

// checkName says why name cannot be that of an agent, a project or a skill, which is what.
func checkName(c *cli.Call, what, name string) error {
	switch {
	case !frontend.ValidName(name):
		hint := ""
		if near := frontend.NearestName(name); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return c.Usagef("%q cannot be the name of %s%s: a name has lower-case letters, digits and hyphens, and may begin with _", name, what, hint)
	case name == "null":
		return c.Usagef("%q cannot be the name of %s: in YAML it means nothing at all", name, what)
	case what != aSkill && slices.Contains(scriptSections, name):
		return c.Usagef("%q cannot be the name of %s: in a script it is a section that is not an agent's", name, what)
	}

	return nil
}

// What can have a name.
const (
	anAgent   = "an agent"
	aProject  = "a project"
	aSkill    = "a skill"
	aWorkflow = "a workflow"
)

// scriptSections are the lists of a script that are not of an agent.
var scriptSections = []string{"ask", "funcs", "guards", "tools"}

// create writes all files, or none: nothing is overwritten, and what is new has no mistake. Then it
// makes the edits, and the Go of the project, if that is wanted. It names what it has written on
// stdout, and what comes next on stderr.
func (s *scaffold) create() error {
	before, err := s.findings()
	if err != nil {
		return err
	}
	base := nearestFolder(cmp.Or(s.root, s.p.dir)) // the project need not be there yet
	disk, err := openOutput(base)
	if err != nil {
		return err
	}
	defer disk.Close()
	undo, err := s.write(disk, base)
	if err != nil {
		return (&project{dir: base}).refused(s.c, err, "nothing was written: no file is ever overwritten")
	}

	after, err := s.findings()
	fresh := unlike(after, before)
	s.p.report(s.c, fresh)
	if err != nil || slices.ContainsFunc(fresh, s.faulty) {
		if err := errors.Join(err, undo()); err != nil {
			return err
		}
		return s.c.Errorf(cli.Problem, "nothing was written, because of this")
	}
	if err := s.edit(); err != nil {
		return err
	}
	written := ir.Map(s.files, func(f templates.File) string { return f.Name })
	if s.generates && len(fresh) == 0 {
		generated, err := s.generate()
		if err != nil {
			return errors.Join(err, undo())
		}
		written = append(written, generated...)
	}
	if err := s.printNext(written); err != nil {
		return err
	}
	if len(fresh) > 0 {
		return s.c.Errorf(cli.Problem, "the files are written; with them, the project has what is reported above")
	}

	return nil
}

// faulty reports whether a diagnostic is a mistake in the new files themselves. What the project
// does with them is another matter: a machine that has been waiting for an agent, say, and has no
// rows for its keys.
func (s *scaffold) faulty(d *diag.Diagnostic) bool {
	inNewFile := slices.ContainsFunc(s.files, func(f templates.File) bool {
		return d.Span.File != nil && d.Span.File.Path == f.Name
	})

	return d.Severity == diag.Error && (inNewFile || d.Check == diag.DuplicateName)
}

// generate compiles the project to Go and returns the names of the files, so that the go command
// finds the package that the user's Go imports.
func (s *scaffold) generate() (names []string, err error) {
	result, err := gen.Compile(context.Background(), s.p.options())
	if err != nil {
		return nil, err
	}
	if _, err := s.p.write(s.c, result); err != nil {
		return nil, err
	}

	return ir.Map(result.Files, func(f emit.File) string { return path.Join(result.Program.Output, f.Name) }), nil
}

// printNext prints which files were written, and what comes next.
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

// nearestFolder returns dir, or the nearest folder above it that is there.
func nearestFolder(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// write creates the files; undo removes them again. disk is the folder base.
func (s *scaffold) write(disk output.FS, base string) (undo func() error, err error) {
	prefix, err := filepath.Rel(base, s.p.dir)
	if err != nil {
		return nil, err
	}

	return output.Create(disk, ir.Map(s.files, func(f templates.File) output.File {
		return output.File{Name: path.Join(filepath.ToSlash(prefix), f.Name), Content: f.Content}
	}))
}

// findings are what agentc check finds in the project; nothing in one that is not there yet.
func (s *scaffold) findings() ([]*diag.Diagnostic, error) {
	if !loader.IsProject(os.DirFS(s.p.dir)) {
		return nil, nil
	}
	result, err := s.p.check()
	if err != nil {
		return nil, err
	}

	return result.Diagnostics, nil
}

// unlike returns the findings that are not among those of before.
func unlike(findings, before []*diag.Diagnostic) []*diag.Diagnostic {
	key := func(d *diag.Diagnostic) string {
		file := ""
		if d.Span.File != nil {
			file = d.Span.File.Path
		}
		return fmt.Sprint(d.Check.Name, file, d.Span.Start, d.Message)
	}
	known := ir.SetOf(ir.Map(before, key))

	return slices.DeleteFunc(findings, func(d *diag.Diagnostic) bool { return known[key(d)] })
}
