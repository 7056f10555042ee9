package builtin

import (
	"math/bits"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Kind is a set of kinds of JSON values.
type Kind uint8

// The kinds of values, in the order of [workflow.Value.Kind].
const (
	None Kind = 1 << iota
	Bool
	Number
	Text
	List
	Object

	Any = None | Bool | Number | Text | List | Object
)

// There returns the kinds without None, unless None is the only one.
func (k Kind) There() Kind {
	if k == None {
		return k
	}

	return k &^ None
}

// IsOnly reports whether each kind but None is one of the other kinds.
func (k Kind) IsOnly(other Kind) bool { return k&^None != 0 && k&^None&^other == 0 }

// String returns the words for the kinds in a message, such as "a number or a text".
func (k Kind) String() string {
	words := [...]string{"None", "true or false", "a number", "a text", "a list", "an object"}
	var all []string
	for ; k != 0; k &= k - 1 {
		all = append(all, words[bits.TrailingZeros8(uint8(k))])
	}

	return strings.Join(all, " or ")
}

// LiteralJSON returns a literal as JSON.
func LiteralJSON(l *ir.Literal) string { return workflow.Of(l.Value).JSON() }

// KindOf returns the kind of a value.
func KindOf(v workflow.Value) Kind { return 1 << v.Kind() }

// KindsOf returns the kinds of the values that a schema describes; nil describes any.
func KindsOf(s *ir.Schema) Kind {
	if s == nil {
		return Any
	}
	k, described := kinds[s.Resolved().Kind]
	switch {
	case !described:
		return Any
	case s.Nullable:
		return k | None
	}

	return k
}

var kinds = map[ir.SchemaKind]Kind{
	ir.SchemaObject: Object, ir.SchemaArray: List, ir.SchemaString: Text, ir.SchemaNumber: Number,
	ir.SchemaInteger: Number, ir.SchemaBoolean: Bool, ir.SchemaUnion: Object,
}
