package gopkg

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// needTypes type-checks the named packages from source and everything else from what the build cache has.
const needTypes = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedSyntax

// Missing says for each value that package main (a folder as [Main] returns it) hands to New of the generated package,
// which has the import path generated, which methods it lacks: findings of check unimplemented-tool, none if it lacks
// nothing. The paths in the findings are relative to dir.
func Missing(ctx context.Context, dir, main, generated string) ([]*diag.Diagnostic, error) {
	loaded, err := load(ctx, dir, needTypes, main)
	if err != nil {
		return nil, err
	}
	var findings []*diag.Diagnostic
	for _, p := range loaded {
		findings = append(findings, missingIn(p, dir, generated)...)
	}

	return findings, nil
}

func missingIn(p *packages.Package, dir, generated string) []*diag.Diagnostic {
	var findings []*diag.Diagnostic
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			parameters := newParameters(p, call, generated)
			for i := 0; i < min(len(call.Args), parameters.Len()); i++ {
				iface, isInterface := parameters.At(i).Type().Underlying().(*types.Interface)
				if value := p.TypesInfo.TypeOf(call.Args[i]); isInterface && value != nil {
					findings = append(findings, lacking(p, dir, call.Args[i], value, parameters.At(i).Type(), iface)...)
				}
			}
			return true
		})
	}

	return findings
}

// newParameters returns the parameters of New of the generated package if call is a call of it; else none.
func newParameters(p *packages.Package, call *ast.CallExpr, generated string) *types.Tuple {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "New" {
		return nil
	}
	object, ok := p.TypesInfo.Uses[fun.Sel].(*types.Func)
	if !ok || object.Pkg() == nil || object.Pkg().Path() != generated {
		return nil
	}

	return object.Signature().Params()
}

// lacking compares the methods of value with those of an interface.
func lacking(p *packages.Package, dir string, arg ast.Expr, value, want types.Type, iface *types.Interface) []*diag.Diagnostic {
	if basic, ok := value.(*types.Basic); ok && (basic.Kind() == types.Invalid || basic.Kind() == types.UntypedNil) {
		return nil
	}
	short := func(other *types.Package) string {
		if other == p.Types {
			return ""
		}
		return other.Name()
	}
	where := placeOf(p.Fset, value, arg, dir)
	methods := types.NewMethodSet(value)

	var findings []*diag.Diagnostic
	for i := range iface.NumMethods() {
		method := iface.Method(i)
		found := methods.Lookup(method.Pkg(), method.Name())
		problem := "missing method"
		if found != nil {
			if types.Identical(found.Obj().(*types.Func).Signature(), method.Signature()) {
				continue
			}
			problem = "wrong type of method"
		} else if types.NewMethodSet(types.NewPointer(value)).Lookup(method.Pkg(), method.Name()) != nil {
			problem = "only the pointer has method"
		}
		signature := strings.TrimPrefix(types.TypeString(method.Signature(), short), "func")
		findings = append(findings, diag.New(diag.UnimplementedTool, where, "%s does not implement %s (%s %s)",
			filepath.Base(where.File.Path), types.TypeString(want, short), problem, method.Name()).
			Note(source.Span{}, "the method: func (%s) %s%s", types.TypeString(value, short), method.Name(), signature))
	}

	return findings
}

// placeOf returns the name in the declaration of a type if it is declared in a file that can be read; else the argument.
func placeOf(fset *token.FileSet, value types.Type, arg ast.Expr, dir string) source.Span {
	pos, length := arg.Pos(), int(arg.End()-arg.Pos())
	if pointer, ok := value.(*types.Pointer); ok {
		value = pointer.Elem()
	}
	if named, ok := value.(*types.Named); ok && named.Obj().Pos().IsValid() {
		pos, length = named.Obj().Pos(), len(named.Obj().Name())
	}
	position := fset.Position(pos)
	content, err := os.ReadFile(position.Filename)
	if err != nil || position.Offset+length > len(content) {
		content, position.Offset, length = nil, -1, 0
	}
	name := position.Filename
	if rel, err := filepath.Rel(dir, name); err == nil {
		name = rel
	}

	return source.Span{
		File:  source.NewFile(filepath.ToSlash(name), content),
		Start: position.Offset, End: position.Offset + length,
	}
}
