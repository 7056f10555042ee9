package command

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/templates"
)

// planSkill plans a skill. Without --tool the skill has tools that every program has, so that the
// project's Go still compiles. With --tool it has a typed tool, and the method of the tool is
// planned in a file next to the program, if there is exactly one program.
func (s *scaffold) planSkill(ctx context.Context, name string, typed bool) error {
	bare := strings.TrimLeft(name, "_") // the go command ignores files that begin with _
	tool := "search_" + strings.ReplaceAll(bare, "-", "_")
	template := templates.Skill
	if typed {
		template = templates.TypedSkill
	}
	s.files = templates.Fill(template, map[string]string{"name": name, "tool": tool})
	s.advice = append(s.advice, fmt.Sprintf("an agent has the skill when its AGENT.md says call: {uses: [%s]}", name))
	if !typed {
		return nil
	}

	m, err := gopkg.ModuleAround(ctx, s.p.dir)
	if err != nil {
		return err
	}
	program, pkg, err := s.toolsFolder(ctx, m)
	if err != nil {
		return err
	}
	if program == "" {
		s.advice = append(s.advice, fmt.Sprintf("no Go was written for %s: the project has no program of its own, or several; "+
			"agentc run shows how the method looks", tool))
		return nil
	}

	return s.addMethod(m, map[string]string{"program": program, "in": pkg, "file": bare, "method": names.Method(tool)})
}

// addMethod plans the method of a tool. values are the values of [templates.Method] that do not
// depend on the compiled project.
func (s *scaffold) addMethod(m *gopkg.Module, values map[string]string) error {
	compiled, err := s.p.checkOnly()
	if err != nil {
		return err
	}
	pkg := compiled.Program.Package
	generated, err := m.ImportPath(s.p.absolutePath(compiled.Program.Output))
	if err != nil {
		return err
	}
	values["generated"], values["package"], values["type"] = generated, pkg, ""
	if !declaresAny(s.p.absolutePath(values["program"]), "tools") {
		values["type"] = toolsType
		if err := s.passToolsToNew(compiled.Program, values); err != nil {
			return err
		}
	}
	s.files = append(s.files, templates.Fill(templates.Method, values)...)
	s.suggestGenerate()

	return nil
}

// passToolsToNew plans the edits by which the program passes its first typed tools to New. If there
// is no call to edit, it adds advice instead.
func (s *scaffold) passToolsToNew(p *ir.Program, values map[string]string) error {
	call := fmt.Sprintf("%s.%s(tools{})", p.Package, names.FixedNames(p).New)
	if len(p.Tools) == 0 {
		err := s.completeCalls(values["program"], newFunc{
			caller: values["in"], importPath: values["generated"], pkg: p.Package, name: names.FixedNames(p).New,
		})
		if err != nil || len(s.edits) > 0 {
			return err
		}
	}
	s.advice = append(s.advice, "your program hands the tools over: "+call)

	return nil
}

// toolsType declares the type that has the tools as methods.
const toolsType = `
// tools implements the typed tools that the skills declare. Forget a method, and the build fails.
type tools struct{}
`

// toolsFolder returns the folder, relative to the project, and the package for the methods of
// tools. This is the project's own Go package if it declares tools, else its package main. The
// folder is "" if there is no module or more than one package main.
func (s *scaffold) toolsFolder(ctx context.Context, m *gopkg.Module) (folder, pkg string, err error) {
	if m == nil {
		return "", "", nil
	}
	if declaresAny(s.p.dir, "tools") {
		pkg, err = packageName(s.p.dir)
		return ".", pkg, err
	}
	folder, err = gopkg.MainFolder(ctx, s.p.dir)
	var many *gopkg.ManyMainsError
	if errors.As(err, &many) {
		return "", "", nil
	}

	return folder, "main", err
}

// declaresAny reports whether the Go in a folder declares a type or a function with one of the
// names. Files that do not parse count as far as they were parsed; go build reports their errors.
func declaresAny(dir string, wanted ...string) bool {
	files, _ := fs.Glob(os.DirFS(dir), "*.go")

	return slices.ContainsFunc(files, func(name string) bool {
		file, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		return file != nil && !strings.HasSuffix(name, "_test.go") && slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			return slices.ContainsFunc(declaredNames(d), func(name string) bool { return slices.Contains(wanted, name) })
		})
	})
}

// declaredNames returns the types and functions that a declaration declares.
func declaredNames(d ast.Decl) (all []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				all = append(all, t.Name.Name)
			}
		}
	}

	return all
}
