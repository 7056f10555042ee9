package keys

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// Kind is the kind of a rule. Free, Open and Closed do not depend on where the machine stands, and are what a place can be.
type Kind uint8

const (
	// Free: nobody reads the key.
	Free Kind = iota + 1
	// Open: every text is routed; the keys are those that have a row of their own.
	Open
	// Closed: exactly the keys.
	Closed
	// Outer: whatever is legal where the machine itself stands.
	Outer
	// Or: the keys, and whatever is legal where the machine itself stands; open where that is open or free.
	Or
)

// Rule says how the legal keys of a state follow from its rows and from the place of its machine. A run in a flow has one too.
type Rule struct {
	Kind Kind
	// Keys are the state's row keys in source order, each once, without the catch-all; nil for Free and Outer.
	Keys []string
}

// Place is what is legal somewhere. Its kind is Free, Open or Closed.
type Place struct {
	Kind Kind
	// Keys are the legal keys of a closed place and the known ones of an open place, in the order in which a model is
	// offered them.
	Keys []string
}

// Of returns the rule of a state in which an agent runs. It is the first of these that fits:
//
//  1. an unconditional state that leads to a marker: Outer, because its agent's key becomes the machine's; any other
//     unconditional state: Free;
//  2. rows without "*": Closed;
//  3. rows whose "*" ends the machine (it leads to a marker or to ~): Or; rows with any other "*": Open;
//  4. a terminal: Outer.
//
// Guards are taken as possible: a key is legal if it has a row, whether or not the guards of its rows hold, and of several "*"
// with guards one that ends the machine is enough for Or, because any key may then become the machine's.
//
// Rule 5, that an entry point is free, is a matter of the place that the machine is given.
func Of(s *ir.State) Rule {
	switch {
	case s.Always != nil && Ends(s.Always.State):
		return Rule{Kind: Outer}
	case s.Always != nil:
		return Rule{Kind: Free}
	case s.Terminal():
		return Rule{Kind: Outer}
	}

	rule := Rule{Kind: Closed, Keys: RowKeys(s)}
	for _, row := range s.Rows {
		switch {
		case !row.IsCatchAll():
		case Leaves(row):
			rule.Kind = Or
		case rule.Kind != Or:
			rule.Kind = Open
		}
	}

	return rule
}

// At returns what is legal in a state with the rule r when outer is legal where its machine stands.
func (r Rule) At(outer Place) Place {
	switch r.Kind {
	case Outer:
		return outer
	case Or:
		p := Place{Kind: Open, Keys: append([]string(nil), r.Keys...)}
		if outer.Kind == Closed {
			p.Kind = Closed
		}
		known := setOf(p.Keys)
		for _, key := range outer.Keys {
			if !known[key] {
				p.Keys = append(p.Keys, key)
			}
		}
		return p
	}

	return Place(r)
}

func setOf(texts []string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, text := range texts {
		set[text] = true
	}

	return set
}

// RowKeys returns the keys of a state's rows in source order, each once, without the catch-all.
func RowKeys(s *ir.State) []string {
	var keys []string
	known := make(map[string]bool, len(s.Rows))
	for _, row := range s.Rows {
		if row.IsCatchAll() || known[row.Key.Value] {
			continue
		}
		known[row.Key.Value] = true
		keys = append(keys, row.Key.Value)
	}

	return keys
}

// Leaves reports whether the machine is over when row is taken, so that the row's key becomes the machine's.
func Leaves(row *ir.Row) bool { return row.End || Ends(row.To.State) }

// Ends reports whether the machine is over when it reaches s and the key of the state before becomes the machine's: s is a
// marker. In a terminal with an agent that agent's key is the machine's. A state that is nil does not end it.
func Ends(s *ir.State) bool { return s != nil && s.Marker() }

// Fold returns key as it is compared with rows when no row is exactly equal: trimmed and lower-cased.
func Fold(key string) string { return strings.ToLower(strings.TrimSpace(key)) }

// The key with which an agent finishes that has no choice (oneshot and most patterns), and its older name. The front end
// makes a row of the older name one of the newer where a oneshot runs.
const (
	Done      = "done"
	DoneOlder = "result"
)
