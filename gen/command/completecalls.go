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

// goEdit is a change of a Go file that belongs to the user.
type goEdit struct {
	output.Change
	// messages describe each change and its line.
	messages []string
}

// newFunc is the function New of a generated package, as a Go file in the package caller refers to
// it.
type newFunc struct{ caller, importPath, pkg, name string }

// completeCalls plans to add tools{} as the first argument to each call of New in a folder. It
// skips files of other packages, which cannot refer to the type tools, and files that do not parse.
func (s *scaffold) completeCalls(folder string, f newFunc) error {
	names, err := fs.Glob(os.DirFS(s.p.absolutePath(folder)), "*.go")
	if err != nil {
		return err
	}
	for _, name := range names {
		file := path.Join(folder, name)
		source, err := os.ReadFile(s.p.absolutePath(file))
		if err != nil {
			return err
		}
		if e := f.completeFile(source); len(e.messages) > 0 {
			e.Path = file
			s.edits = append(s.edits, e)
		}
	}

	return nil
}

// completeFile returns the edit that adds tools{} to each call of New in a file. Without calls it
// is empty.
func (f newFunc) completeFile(source []byte) (e goEdit) {
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, "", source, parser.SkipObjectResolution)
	if err != nil || tree.Name.Name != f.caller {
		return e
	}
	local := f.localName(tree)
	from := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || !isCallOf(call, local, f.name) {
			return true
		}
		position := positions.Position(call.Lparen)
		argument, shown := "tools{}", "tools{}"
		if len(call.Args) > 0 {
			argument, shown = "tools{}, ", "tools{}, ..."
		}
		e.New = append(append(e.New, source[from:position.Offset+1]...), argument...)
		from = position.Offset + 1
		e.messages = append(e.messages, fmt.Sprintf("%d: now %s.%s(%s)", position.Line, local, f.name, shown))
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

// isCallOf reports whether a call is a call of the function name in package pkg.
func isCallOf(call *ast.CallExpr, pkg, name string) bool {
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	if !isSelector || selector.Sel.Name != name {
		return false
	}
	ident, isIdent := selector.X.(*ast.Ident)

	return isIdent && ident.Name == pkg
}

// applyEdits writes the edited Go files, and prints each change.
func (s *scaffold) applyEdits() error {
	if len(s.edits) == 0 {
		return nil
	}
	disk, err := openOutput(s.p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	if _, err := output.Rewrite(disk, ir.Map(s.edits, func(e goEdit) output.Change { return e.Change })); err != nil {
		return s.p.reportConflicts(s.c, err, "the new files are written; your program has to pass tools{}, which is in one of them, to New")
	}
	for _, e := range s.edits {
		for _, message := range e.messages {
			fmt.Fprintf(s.c.Notes(), "%s:%s\n", s.p.label(s.c)(e.Path), message)
		}
	}

	return nil
}
