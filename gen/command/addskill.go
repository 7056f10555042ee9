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
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/templates"
)

// addSkill plans a skill: with tools that every program has, so that the project's Go goes on compiling, or with a tool of its own and
// the method that the tool becomes, in a file beside the program, if there is one program.
func (s *scaffold) addSkill(ctx context.Context, name string, typed bool) error {
	bare := strings.TrimLeft(name, "_") // of a file that begins with _ the go command knows nothing
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
	program, err := s.program(ctx, m)
	if err != nil {
		return err
	}
	if program == "" {
		s.advice = append(s.advice, fmt.Sprintf("no Go was written for %s: the project has no program of its own, or several; "+
			"agentc run shows how the method looks", tool))
		return nil
	}

	return s.addMethod(m, program, bare, tool)
}

// addMethod plans the method of a tool: file, without .go, in the folder program of the project.
func (s *scaffold) addMethod(m *gopkg.Module, program, file, tool string) error {
	compiled, err := s.p.check()
	if err != nil {
		return err
	}
	pkg := compiled.Program.Package
	generated, err := m.ImportPath(s.p.path(compiled.Program.Output))
	if err != nil {
		return err
	}
	declaration := ""
	if !declaresTools(s.p.path(program)) {
		declaration = toolsType
		s.advice = append(s.advice, fmt.Sprintf("your program hands the tools over: %s.New(tools{})", pkg))
	}
	s.files = append(s.files, templates.Fill(templates.Method, map[string]string{
		"program": program, "file": file, "generated": generated, "package": pkg,
		"method": names.Method(tool), "type": declaration,
	})...)

	return nil
}

// toolsType declares the type whose methods the tools are, where there is none yet.
const toolsType = `
// tools implements the typed tools that the skills declare. Forget a method, and the build fails.
type tools struct{}
`

// program returns the folder of the project's package main in its module m, relative to the project; "" if there is none, or
// none that differs from others.
func (s *scaffold) program(ctx context.Context, m *gopkg.Module) (string, error) {
	if m == nil {
		return "", nil
	}
	folder, err := gopkg.Main(ctx, s.p.dir, "", "")
	var many *gopkg.ManyMainsError
	if errors.As(err, &many) {
		return "", nil
	}

	return folder, err
}

// declaresTools reports whether the Go in a folder declares a type tools, whose methods the tools are. What does not parse is reported by
// go build; what parses of it counts.
func declaresTools(dir string) bool {
	files, _ := fs.Glob(os.DirFS(dir), "*.go")

	return slices.ContainsFunc(files, func(name string) bool {
		file, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		return file != nil && !strings.HasSuffix(name, "_test.go") && slices.ContainsFunc(file.Decls, declaresTypeTools)
	})
}

func declaresTypeTools(d ast.Decl) bool {
	group, ok := d.(*ast.GenDecl)

	return ok && slices.ContainsFunc(group.Specs, func(spec ast.Spec) bool {
		t, ok := spec.(*ast.TypeSpec)
		return ok && t.Name.Name == "tools"
	})
}
