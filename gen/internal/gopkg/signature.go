package gopkg

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// Signatures reads the interface called name in the Go files of a package and returns its methods as another package
// writes them, by name: "SearchWeb(ctx context.Context, in agents.SearchWebInput) (string, error)" for package agents.
func Signatures(name string, files ...[]byte) (map[string]string, error) {
	signatures := map[string]string{}
	for _, content := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", content, 0)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			iface := interfaceCalled(decl, name)
			if iface == nil {
				continue
			}
			for _, method := range iface.Methods.List {
				qualify(method.Type, file.Name.Name)
				var text bytes.Buffer
				if err := format.Node(&text, fset, method.Type); err != nil {
					return nil, err
				}
				for _, id := range method.Names {
					signatures[id.Name] = id.Name + string(bytes.TrimPrefix(text.Bytes(), []byte("func")))
				}
			}
		}
	}

	return signatures, nil
}

func interfaceCalled(decl ast.Decl, name string) *ast.InterfaceType {
	types, ok := decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range types.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
			iface, _ := t.Type.(*ast.InterfaceType)
			return iface
		}
	}

	return nil
}

// qualify puts the package before the exported types of a signature.
func qualify(n ast.Node, pkg string) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Field:
			qualify(n.Type, pkg)
			return false
		case *ast.Ident:
			if n.IsExported() {
				n.Name = pkg + "." + n.Name
			}
		}
		return true
	})
}
