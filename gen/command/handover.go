package command

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/output"
)

// goEdit is a change of a Go file of the user's.
type goEdit struct {
	output.Change
	// said are lines for the user, which say where and what.
	said []string
}

// newFunc is the function New of a generated package, as Go in a package called caller refers to
// it.
type newFunc struct{ caller, importPath, pkg, name string }

// completeCalls plans that each call of New in the Go of a folder of the project gets tools{} as
// its first argument. Files of other packages are left out, which cannot see that type, and files
// that do not parse, which go build reports.
func (s *scaffold) completeCalls(folder string, f newFunc) error {
	names, err := fs.Glob(os.DirFS(s.p.path(folder)), "*.go")
	if err != nil {
		return err
	}
	for _, name := range names {
		file := path.Join(folder, name)
		source, err := os.ReadFile(s.p.path(file))
		if err != nil {
			return err
		}
		if e := f.complete(source); len(e.said) > 0 {
			e.Path = file
			s.edits = append(s.edits, e)
		}
	}

	return nil
}

// complete returns the edit of a file in which each call of New gets tools{}; without calls it is
// empty.
func (f newFunc) complete(source []byte) (e goEdit) {
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, "", source, parser.SkipObjectResolution)
	if err != nil || tree.Name.Name != f.caller {
		return e
	}
	local := f.localName(tree)
	from := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || !isCallOf(call, local, f.name) {
			return true
		}
		place := positions.Position(call.Lparen)
		argument, shown := "tools{}", "tools{}"
		if len(call.Args) > 0 {
			argument, shown = "tools{}, ", "tools{}, ..."
		}
		e.New = append(append(e.New, source[from:place.Offset+1]...), argument...)
		from = place.Offset + 1
		e.said = append(e.said, fmt.Sprintf("%d: now %s.%s(%s)", place.Line, local, f.name, shown))
		return true
	})
	e.Old, e.New = source, append(e.New, source[from:]...)

	return e
}

// localName returns the name by which a file refers to the generated package.
func (f newFunc) localName(file *ast.File) string {
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); path == f.importPath && spec.Name != nil {
			return spec.Name.Name
		}
	}

	return f.pkg
}

// isCallOf reports whether a call is one of a function of a package.
func isCallOf(call *ast.CallExpr, pkg, name string) bool {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != name {
		return false
	}
	of, is := selector.X.(*ast.Ident)

	return is && of.Name == pkg
}

// edit makes the edits of the user's Go, all or none of a file, and says which.
func (s *scaffold) edit() error {
	if len(s.edits) == 0 {
		return nil
	}
	disk, err := openOutput(s.p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	if _, err := output.Rewrite(disk, ir.Map(s.edits, func(e goEdit) output.Change { return e.Change })); err != nil {
		return s.p.refused(s.c, err, "the new files are written; your program has to hand over tools{}, which is in one of them")
	}
	for _, e := range s.edits {
		for _, said := range e.said {
			fmt.Fprintf(s.c.Notes(), "%s:%s\n", s.p.label(s.c)(e.Path), said)
		}
	}

	return nil
}
