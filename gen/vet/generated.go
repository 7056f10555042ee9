package vet

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// generated exports what agentc generated, in this package and its imports, to the other analyzers.
// Export data has no comments, so only the analysis of a generated package sees that it is
// generated; facts inform the packages that import it.
var generated = &analysis.Analyzer{
	Name:       "agentcgenerated",
	Doc:        "find the types that agentc generated\n\nIt reports nothing; the other analyzers need what it finds.",
	FactTypes:  []analysis.Fact{(*machineType)(nil), (*implementedByUser)(nil)},
	ResultType: reflect.TypeFor[*generatedTypes](),
	Run: func(pass *analysis.Pass) (any, error) {
		exportFacts(pass)

		return newGeneratedTypes(pass), nil
	},
}

// machineType is the fact that a type is the type of a machine's states or keys.
type machineType struct {
	// Key is true for keys.
	Key bool
	// Constants are in source order. Their values are part of the fact, because a package that is
	// imported only indirectly does not show all of its constants.
	Constants []machineConstant
	// Final are the values of the keys with which an agent can finish, in the order of the
	// generated list; nil without a list.
	Final []string
	// Rows are the rows of states; nil for keys.
	Rows []stateRows
}

// finalConstants returns the constants of the final keys of an agent.
func (m *machineType) finalConstants() []machineConstant {
	if len(m.Final) == 0 {
		return m.Constants
	}

	return slices.DeleteFunc(slices.Clone(m.Constants), func(c machineConstant) bool { return !slices.Contains(m.Final, c.Value) })
}

// stateRows are the rows of a state: the value of its constant, and the texts of the keys.
type stateRows struct {
	State string
	Keys  []string
	// Any reports whether there is a row for every key.
	Any bool
}

// machineConstant is a generated constant.
type machineConstant struct{ Name, Value string }

func (*machineType) AFact() {}

// implementedByUser is the fact that the generated New takes an interface, such as Tools, which the
// user's Go implements.
type implementedByUser struct{}

func (*implementedByUser) AFact() {}

// exportFacts exports the facts of this package.
func exportFacts(pass *analysis.Pass) {
	constants := map[types.Type][]machineConstant{}
	keys := map[*types.TypeName]bool{}
	var states []*types.TypeName
	for _, object := range generatedObjects(pass) {
		switch object := object.(type) {
		case *types.TypeName:
			if keyOfState(object) != nil {
				states = append(states, object)
			}
			for _, key := range finalKeysOfApp(object) {
				keys[key] = true
			}
		case *types.Const:
			constants[object.Type()] = append(constants[object.Type()], machineConstant{object.Name(), factValue(object.Val())})
		case *types.Func:
			if isNewApp(object) {
				exportInterfaces(pass, object)
			}
		}
	}

	for _, state := range states {
		pass.ExportObjectFact(state, &machineType{Constants: constants[state.Type()], Rows: readRows(pass, state.Type())})
		keys[keyOfState(state)] = true
	}
	finalLists := finalListsByKey(pass)
	for key := range keys {
		pass.ExportObjectFact(key, &machineType{Key: true, Constants: constants[key.Type()], Final: finalLists[key]})
	}
}

// finalListsByKey returns the values of final keys by the types of the keys. They are in the
// generated variables that are lists of a type of keys, such as supportFinalKeys.
func finalListsByKey(pass *analysis.Pass) map[*types.TypeName][]string {
	lists := map[*types.TypeName][]string{}
	for _, file := range pass.Files {
		if !isGenerated(file) {
			continue
		}
		for _, decl := range file.Decls {
			variables, isVariables := decl.(*ast.GenDecl)
			if !isVariables {
				continue
			}
			for _, spec := range variables.Specs {
				key, values := readFinalList(pass, spec)
				if key != nil {
					lists[key] = append(lists[key], values...)
				}
			}
		}
	}

	return lists
}

// readFinalList returns the type and the values of a list of final keys, nil for other
// declarations.
func readFinalList(pass *analysis.Pass, spec ast.Spec) (key *types.TypeName, values []string) {
	variable, isVariable := spec.(*ast.ValueSpec)
	if !isVariable || len(variable.Values) != 1 || !strings.HasSuffix(variable.Names[0].Name, "FinalKeys") {
		return nil, nil
	}
	list, isList := variable.Values[0].(*ast.CompositeLit)
	if !isList {
		return nil, nil
	}
	slice, isSlice := pass.TypesInfo.TypeOf(list).(*types.Slice)
	if !isSlice {
		return nil, nil
	}
	named, isNamed := types.Unalias(slice.Elem()).(*types.Named)
	if !isNamed {
		return nil, nil
	}
	for _, element := range list.Elts {
		if value := pass.TypesInfo.Types[element].Value; value != nil {
			values = append(values, factValue(value))
		}
	}

	return named.Obj(), values
}

// isGenerated reports whether agentc generated a file.
func isGenerated(file *ast.File) bool {
	return ast.IsGenerated(file) && strings.HasPrefix(file.Comments[0].List[0].Text, "// Code generated by agentc from ")
}

// generatedObjects returns the objects that generated files declare, in source order.
func generatedObjects(pass *analysis.Pass) []types.Object {
	ours := map[*token.File]bool{}
	for _, file := range pass.Files {
		ours[pass.Fset.File(file.FileStart)] = isGenerated(file)
	}
	var objects []types.Object
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if object := scope.Lookup(name); ours[pass.Fset.File(object.Pos())] {
			objects = append(objects, object)
		}
	}
	slices.SortFunc(objects, func(a, b types.Object) int { return cmp.Compare(a.Pos(), b.Pos()) })

	return objects
}

// finalKeysOfApp returns the types of the final keys of the agents that methods of a type run.
func finalKeysOfApp(app *types.TypeName) []*types.TypeName {
	var keys []*types.TypeName
	for method := range types.NewMethodSet(types.NewPointer(app.Type())).Methods() {
		results := method.Obj().(*types.Func).Signature().Results()
		if results.Len() == 0 {
			continue
		}
		key := finalKeyType(results.At(0).Type())
		if key != nil && key.Pkg() == app.Pkg() {
			keys = append(keys, key)
		}
	}

	return keys
}

// finalKeyType returns the type of the key of a runtime.Keyed, or of a pointer to one; nil for
// another type.
func finalKeyType(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if pointer, isPointer := t.(*types.Pointer); isPointer {
		t = types.Unalias(pointer.Elem())
	}
	keyed, isNamed := t.(*types.Named)
	if !isNamed || !isRuntime(keyed.Obj(), "Keyed") {
		return nil
	}
	key, isNamed := types.Unalias(keyed.TypeArgs().At(0)).(*types.Named)
	if !isNamed {
		return nil
	}

	return key.Obj()
}

// keyOfState returns the type of the keys of a type of states, which has a method Next(key), else
// nil.
func keyOfState(state *types.TypeName) *types.TypeName {
	next, _, _ := types.LookupFieldOrMethod(state.Type(), false, state.Pkg(), "Next")
	method, ok := next.(*types.Func)
	if !ok {
		return nil
	}
	params := method.Signature().Params()
	if params.Len() != 1 {
		return nil
	}
	key, ok := params.At(0).Type().(*types.Named)
	if !ok || key.Obj().Pkg() != state.Pkg() {
		return nil
	}

	return key.Obj()
}

// factValue returns the value of a constant as facts contain it: the text of a key, the number of a
// state.
func factValue(value constant.Value) string {
	if value.Kind() == constant.String {
		return constant.StringVal(value)
	}

	return value.ExactString()
}

// isNewApp reports whether a generated function is New, under its configured name: it returns a
// pointer to a type with the method Program.
func isNewApp(f *types.Func) bool {
	results := f.Signature().Results()
	if results.Len() != 1 {
		return false
	}
	program, _, _ := types.LookupFieldOrMethod(results.At(0).Type(), false, f.Pkg(), "Program")
	_, isMethod := program.(*types.Func)

	return isMethod
}

// exportInterfaces exports the fact of the interfaces that New takes.
func exportInterfaces(pass *analysis.Pass, newApp *types.Func) {
	for param := range newApp.Signature().Params().Variables() {
		if named, ok := param.Type().(*types.Named); ok && types.IsInterface(named) && named.Obj().Pkg() == pass.Pkg {
			pass.ExportObjectFact(named.Obj(), &implementedByUser{})
		}
	}
}

// generatedTypes are the generated types that a package can see.
type generatedTypes struct {
	machineTypes map[*types.TypeName]*machineType
	// interfaces are the interfaces that New takes, in the order of their packages and names.
	interfaces []*types.TypeName
}

func newGeneratedTypes(pass *analysis.Pass) *generatedTypes {
	k := &generatedTypes{machineTypes: map[*types.TypeName]*machineType{}}
	for _, f := range pass.AllObjectFacts() {
		name, ok := f.Object.(*types.TypeName)
		if !ok {
			continue
		}
		switch fact := f.Fact.(type) {
		case *machineType:
			k.machineTypes[name] = fact
		case *implementedByUser:
			k.interfaces = append(k.interfaces, name)
		}
	}
	slices.SortFunc(k.interfaces, func(a, b *types.TypeName) int {
		return cmp.Or(cmp.Compare(a.Pkg().Path(), b.Pkg().Path()), cmp.Compare(a.Name(), b.Name()))
	})

	return k
}

// machineType returns the fact of a type of states or keys, and the type's name; both are nil for
// another type.
func (k *generatedTypes) machineType(t types.Type) (*types.TypeName, *machineType) {
	if t == nil {
		return nil, nil
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, nil
	}
	fact := k.machineTypes[named.Obj()]
	if fact == nil {
		return nil, nil
	}

	return named.Obj(), fact
}

// keyType is machineType for types of keys.
func (k *generatedTypes) keyType(t types.Type) (*types.TypeName, *machineType) {
	name, fact := k.machineType(t)
	if fact == nil || !fact.Key {
		return nil, nil
	}

	return name, fact
}

// constantName returns the name of the constant with a value, or "".
func (m *machineType) constantName(value string) string {
	for _, c := range m.Constants {
		if c.Value == value {
			return c.Name
		}
	}

	return ""
}
