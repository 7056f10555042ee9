package command

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// scaffold is new files for a project, and what a person does next.
type scaffold struct {
	c *cli.Call
	// p is the project, which need not be there yet.
	p     *project
	files []templates.File
	// next are commands, advice are sentences.
	next, advice []string
}

// isName reports whether name can be that of an agent, a project or a skill, which is what; if not, the person knows why, and
// code is the exit code.
func isName(c *cli.Call, what, name string) (code int, ok bool) {
	switch {
	case !frontend.ValidName(name):
		hint := ""
		if near := frontend.NearestName(name); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return c.Usagef("%q cannot be the name of %s%s: a name has lower-case letters, digits and hyphens, and may begin with _",
			name, what, hint), false
	case name == "null":
		return c.Usagef("%q cannot be the name of %s: in YAML it means nothing at all", name, what), false
	case what != aSkill && slices.Contains(scriptSections, name):
		return c.Usagef("%q cannot be the name of %s: in a script it is a section that is no agent's", name, what), false
	}

	return cli.Done, true
}

// What can have a name.
const (
	anAgent   = "an agent"
	aProject  = "a project"
	aSkill    = "a skill"
	aWorkflow = "a workflow"
)

// scriptSections are the lists of a script that are no agent's.
var scriptSections = []string{"ask", "funcs", "guards", "tools"}

// create writes all files, or none: nothing is overwritten, and what is new has no mistake where it stands. It names what it
// has written on stdout, and what comes next on stderr.
func (s *scaffold) create() int {
	before, err := s.findings()
	if err != nil {
		return s.c.Errorf(cli.Failure, "%v", err)
	}
	disk, err := openOutput(s.base())
	if err != nil {
		return s.c.Errorf(cli.Failure, "%v", err)
	}
	defer disk.Close()
	undo, err := s.write(disk)
	if err != nil {
		return s.refused(err)
	}

	after, err := s.findings()
	fresh := unlike(after, before)
	s.p.report(s.c, fresh)
	if err != nil || slices.ContainsFunc(fresh, s.faulty) {
		if err := errors.Join(err, undo()); err != nil {
			return s.c.Errorf(cli.Failure, "%v", err)
		}
		return s.c.Errorf(cli.Problem, "nothing was written, because of this")
	}
	code := s.tell()
	if code == cli.Done && len(fresh) > 0 {
		return s.c.Errorf(cli.Problem, "the files are written; with them, the project has what is reported above")
	}

	return code
}

// refused tells why nothing could be written.
func (s *scaffold) refused(err error) int {
	var conflict *output.ConflictError
	if !errors.As(err, &conflict) {
		return s.c.Errorf(cli.Failure, "%v", err)
	}
	for _, f := range conflict.Conflicts {
		s.c.Errorf(cli.Problem, "%s %s", s.c.Rel(filepath.Join(s.base(), filepath.FromSlash(f.Path))), f.Problem)
	}
	fmt.Fprintln(s.c.Stderr, "nothing was written: no file is ever overwritten")

	return cli.Problem
}

// faulty reports whether a finding is a mistake in the new files themselves. What the project does with them is another matter:
// a machine that has been waiting for an agent, say, and has no rows for its keys.
func (s *scaffold) faulty(d *diag.Diagnostic) bool {
	inNewFile := slices.ContainsFunc(s.files, func(f templates.File) bool {
		return d.Span.File != nil && d.Span.File.Path == f.Name
	})

	return d.Severity == diag.Error && (inNewFile || d.Check == diag.DuplicateName)
}

// tell says what was written, and what comes next.
func (s *scaffold) tell() int {
	var b strings.Builder
	for _, f := range s.files {
		fmt.Fprintln(&b, s.p.label(s.c)(f.Name))
	}
	if len(s.next) > 0 {
		fmt.Fprintf(s.c.Stderr, "next:\n  %s\n", strings.Join(s.next, "\n  "))
	}
	for _, sentence := range s.advice {
		fmt.Fprintln(s.c.Stderr, sentence)
	}

	return emitText(s.c, b.String())
}

// base is the folder to write in: the project's, or, if that is not there, the nearest one above it.
func (s *scaffold) base() string { return nearestFolder(s.p.dir) }

// nearestFolder returns dir, or the nearest folder above it that is there.
func nearestFolder(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// write creates the files; undo takes them away again.
func (s *scaffold) write(disk output.FS) (undo func() error, err error) {
	prefix, err := filepath.Rel(s.base(), s.p.dir)
	if err != nil {
		return nil, err
	}
	var files []output.File
	for _, f := range s.files {
		files = append(files, output.File{Name: path.Join(filepath.ToSlash(prefix), f.Name), Content: f.Content})
	}

	return output.Create(disk, files)
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
	known := map[string]bool{}
	key := func(d *diag.Diagnostic) string {
		file := ""
		if d.Span.File != nil {
			file = d.Span.File.Path
		}
		return fmt.Sprint(d.Check.Name, file, d.Span.Start, d.Message)
	}
	for _, d := range before {
		known[key(d)] = true
	}
	var fresh []*diag.Diagnostic
	for _, d := range findings {
		if !known[key(d)] {
			fresh = append(fresh, d)
		}
	}

	return fresh
}
