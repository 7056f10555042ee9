package expr

import (
	"math/bits"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// kinds is a set of kinds of JSON values: those that a value may be of.
type kinds uint8

const (
	kindNone   = kinds(builtin.None)
	kindBool   = kinds(builtin.Bool)
	kindNumber = kinds(builtin.Number)
	kindText   = kinds(builtin.Text)
	kindList   = kinds(builtin.List)
	kindObject = kinds(builtin.Object)
	kindAny    = kinds(builtin.Any)
)

func (k kinds) without(other kinds) kinds { return k &^ other }

// there are the kinds of a value that is there; those of one that never is are None.
func (k kinds) there() kinds {
	if k == kindNone {
		return k
	}

	return k.without(kindNone)
}

// only reports whether a value of the kinds, if it is there at all, is of the other kinds.
func (k kinds) only(other kinds) bool {
	return k.without(kindNone) != 0 && k.without(kindNone|other) == 0
}

// some says what a value is: "a text", "a number or a text".
func (k kinds) some() string {
	words := [...]string{"None", "true or false", "a number", "a text", "a list", "an object"}
	var all []string
	for k != 0 {
		i := bits.TrailingZeros8(uint8(k))
		all = append(all, words[i])
		k &^= 1 << i
	}

	return strings.Join(all, " or ")
}

// kindsOf returns what a value may be.
func kindsOf(x ir.Expression) kinds {
	switch x := x.(type) {
	case *ir.Literal:
		return kindOf(x.Value)
	case *ir.Tuple:
		return kindList
	case *ir.Access:
		return kindsOfAccess(x)
	case *ir.Method:
		if x.Arg != nil {
			return kindBool
		}
		return kindsOf(x.X)&kindNone | kindText
	case *ir.Not, *ir.Logic, *ir.Compare, *ir.Contains:
		return kindBool
	case *ir.Placeholder:
		return kindsOfPlaceholder(x)
	}

	return kindAny
}

func kindsOfAccess(x *ir.Access) kinds {
	if x.Root == 0 {
		return kindAny // it was reported
	}
	k := kindsOfSchema(x.Type.Schema)
	if x.Maybe {
		k |= kindNone
	}
	if x.Default != nil {
		k |= kindsOf(x.Default)
	}

	return k
}

func kindsOfSchema(s *ir.Schema) kinds {
	if s == nil {
		return kindAny
	}
	k := kindAny
	switch s.Kind {
	case ir.SchemaObject:
		k = kindObject
	case ir.SchemaArray:
		k = kindList
	case ir.SchemaString:
		k = kindText
	case ir.SchemaNumber, ir.SchemaInteger:
		k = kindNumber
	case ir.SchemaBoolean:
		k = kindBool
	}
	if s.Nullable {
		k |= kindNone
	}

	return k
}

// kindOf returns the kind of a value.
func kindOf(value any) kinds {
	switch value.(type) {
	case nil:
		return kindNone
	case bool:
		return kindBool
	case int64, float64:
		return kindNumber
	case string:
		return kindText
	case []any:
		return kindList
	}

	return kindObject
}
