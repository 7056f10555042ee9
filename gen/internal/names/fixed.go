package names

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Fixed are the exported identifiers of an output package that come from no name of the project. The config field rename
// changes them.
type Fixed struct {
	// App is the type whose methods run the agents, and New the function that returns one.
	App, New string
	// Tools, Guards and Funcs are the interfaces that the user's Go implements.
	Tools, Guards, Funcs string
}

// FixedNames returns the fixed names of the package that p becomes.
func FixedNames(p *ir.Program) Fixed {
	var f Fixed
	for _, name := range fixedNames {
		*name.in(&f) = renamed(p, name.original).Value
	}

	return f
}

// fixedNames describes the fixed names, in the order in which hints list them.
var fixedNames = []struct {
	// original is the name without rename, and suggested the one that hints propose in its place.
	original, suggested string
	// in returns the field of the name.
	in func(*Fixed) *string
}{
	{"App", "AgentsApp", func(f *Fixed) *string { return &f.App }},
	{"New", "NewAgents", func(f *Fixed) *string { return &f.New }},
	{"Tools", "AgentTools", func(f *Fixed) *string { return &f.Tools }},
	{"Guards", "AgentGuards", func(f *Fixed) *string { return &f.Guards }},
	{"Funcs", "AgentFuncs", func(f *Fixed) *string { return &f.Funcs }},
}

// renamed returns the new name of a fixed one with its place in the config; the name itself, without a place, if the config
// does not rename it.
func renamed(p *ir.Program, original string) ir.Text {
	for _, r := range p.Renames {
		if r.From == original {
			return r.To
		}
	}

	return ir.Text{Value: original}
}

// Rename is a fixed name, the present name in its place, and the one that the project should choose.
type Rename struct{ From, Now, To string }

// SuggestRenames returns the entries that rename should have so that no fixed name is one of those that are taken: the renames
// of the project that can stay, and new ones. isFree reports whether nothing has a name.
func SuggestRenames(p *ir.Program, isTaken, isFree func(name string) bool) []Rename {
	var renames []Rename
	for _, name := range fixedNames {
		now := renamed(p, name.original).Value
		switch {
		case isTaken(now):
			renames = append(renames, Rename{name.original, now, freeName(name.suggested, isFree)})
		case now != name.original:
			renames = append(renames, Rename{name.original, now, now})
		}
	}

	return renames
}

// freeName returns a name, with a number if something has that name already.
func freeName(name string, isFree func(string) bool) string {
	free := name
	for n := 2; !isFree(free); n++ {
		free = fmt.Sprint(name, n)
	}

	return free
}

// addFixed adds the fixed names that the config does not rename.
func (t *table) addFixed(p *ir.Program) {
	for _, name := range fixedNames {
		if to := renamed(p, name.original); !to.Span.IsValid() {
			t.add(Package, "", ir.Text{}, to.Value)
		}
	}
}

// addRenamed adds the names that the config chooses. They are last, so that a collision is reported in the config.
func (t *table) addRenamed(p *ir.Program) {
	for _, name := range fixedNames {
		if to := renamed(p, name.original); to.Span.IsValid() {
			t.addBelow(ir.Text{Value: name.original}, Package, Renamed, to, to.Value)
		}
	}
}

// Renamed is the What of an identifier that the config chooses; its Owner is the fixed name in whose place it is.
const Renamed = "rename"
