package names

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Fixed holds the exported identifiers of an output package that do not come from a name of the
// project. The config field rename changes them.
type Fixed struct {
	// App is the type with the methods that run the agents. New is the function that returns an
	// App.
	App, New string
	// Tools, Guards and Funcs are the interfaces that the user's Go implements.
	Tools, Guards, Funcs string
}

// FixedNames returns the fixed names of the package that is generated from p.
func FixedNames(p *ir.Program) Fixed {
	var f Fixed
	for _, name := range fixedNames {
		*name.in(&f) = renamed(p, name.original).Value
	}

	return f
}

// fixedNames describes the fixed names, in the order of hints.
var fixedNames = []struct {
	// original is the name without rename. suggested is the replacement in hints.
	original, suggested string
	// in returns the field for the name.
	in func(*Fixed) *string
}{
	{"App", "AgentsApp", func(f *Fixed) *string { return &f.App }},
	{"New", "NewAgents", func(f *Fixed) *string { return &f.New }},
	{"Tools", "AgentTools", func(f *Fixed) *string { return &f.Tools }},
	{"Guards", "AgentGuards", func(f *Fixed) *string { return &f.Guards }},
	{"Funcs", "AgentFuncs", func(f *Fixed) *string { return &f.Funcs }},
}

// renamed returns the new name of a fixed one with its position in the config. If the config does
// not rename it, renamed returns the name itself without a position.
func renamed(p *ir.Program, original string) ir.Text {
	for _, r := range p.Renames {
		if r.From == original {
			return r.To
		}
	}

	return ir.Text{Value: original}
}

// Rename replaces a fixed name. Now is its present name, and To the suggested one.
type Rename struct{ From, Now, To string }

// SuggestRenames returns the entries for the config field rename that keep the fixed names free of
// collisions: the project's own renames that are not taken, and new ones. isFree reports whether a
// name is unused.
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

// freeName returns name, with a number if something else has that name.
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

// addRenamed adds the names from the config. They come last, so that a collision is reported in the
// config.
func (t *table) addRenamed(p *ir.Program) {
	for _, name := range fixedNames {
		if to := renamed(p, name.original); to.Span.IsValid() {
			t.addBelow(ir.Text{Value: name.original}, Package, Renamed, to, to.Value)
		}
	}
}

// Renamed is the What of an identifier from the config field rename. Its Owner is the fixed name
// that it replaces.
const Renamed = "rename"
