package yamldoc

import (
	"cmp"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// Kind is the kind of a value in the YAML 1.2 core schema: yes, no, on, off and dates are strings.
type Kind uint8

// The kinds.
const (
	Null Kind = iota + 1
	Bool
	Int
	Float
	String
	Seq
	Map
)

// String returns the word for the kind in messages, such as "a list".
func (k Kind) String() string {
	return [...]string{"nothing", "null", "true or false", "a whole number", "a number", "text", "a list", "a mapping"}[k]
}

// JSONTypes returns the types of JSON Schema for values of the kind, the narrowest first.
func (k Kind) JSONTypes() []string { return jsonTypes[k] }

var jsonTypes = [...][]string{
	Null: {"null"}, Bool: {"boolean"}, Int: {"integer", "number"}, Float: {"number"}, String: {"string"}, Seq: {"array"}, Map: {"object"},
}

// Node is a value with its span.
type Node struct {
	Kind Kind
	// Quoted is true for a scalar in quotes or in a block; its kind is then String.
	Quoted bool
	// Span is the source of the value, including quotes. The value of a bare `key:` has an empty
	// span after the colon. The value of an alias has the span of the alias; its children keep the
	// spans of the anchor.
	Span source.Span
	// Text is the scalar's value: unquoted, unfolded, "" for Null. A number keeps its spelling, so
	// version 1.0 is "1.0".
	Text string
	// Items are the elements of a Seq.
	Items []*Node
	// Fields are the entries of a Map in source order, with expanded merge keys.
	Fields []*Field
}

// Field is an entry of a mapping.
type Field struct {
	// Key is a scalar; other keys are a syntax diagnostic.
	Key   *Node
	Value *Node
}

// Field returns the field with a key, or nil. It may be called on nil and on any kind.
func (n *Node) Field(key string) *Field {
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f.Key.Text == key {
			return f
		}
	}

	return nil
}

// Members returns the fields of a mapping. It may be called on nil and on any kind.
func (n *Node) Members() []*Field {
	if n == nil {
		return nil
	}

	return n.Fields
}

// Elements returns the elements of a list. It may be called on nil and on any kind.
func (n *Node) Elements() []*Node {
	if n == nil {
		return nil
	}

	return n.Items
}

// Value returns the value of the field with a key, or nil. It may be called on nil and on any kind.
func (n *Node) Value(key string) *Node {
	if f := n.Field(key); f != nil {
		return f.Value
	}

	return nil
}

// IsNull reports whether n is absent or null.
func (n *Node) IsNull() bool { return n == nil || n.Kind == Null }

// Scalar returns the text of a scalar that is not null.
func (n *Node) Scalar() (text string, ok bool) {
	if n == nil || n.Kind == Null || n.Kind == Seq || n.Kind == Map {
		return "", false
	}

	return n.Text, true
}

// Find returns the field or element that a JSON pointer (RFC 6901) refers to. key is nil for an
// element and for the root. ok is false if there is no such value.
func (n *Node) Find(pointer string) (key, value *Node, ok bool) {
	value = n
	if pointer == "" {
		return nil, n, n != nil
	}
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		token = UnescapePointer(token)
		switch {
		case value == nil:
			return nil, nil, false
		case value.Kind == Seq:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(value.Items) {
				return nil, nil, false
			}
			key, value = nil, value.Items[i]
		default:
			f := value.Field(token)
			if f == nil {
				return nil, nil, false
			}
			key, value = f.Key, f.Value
		}
	}

	return key, value, true
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// UnescapePointer decodes a part of a JSON pointer.
func UnescapePointer(token string) string { return pointerEscapes.Replace(token) }

// JSON returns the value as encoding/json decodes it with UseNumber: nil, bool, json.Number,
// string, []any, map[string]any.
func (n *Node) JSON() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return strings.EqualFold(n.Text, "true")
	case Int, Float:
		return jsonNumber(n.Text)
	case String:
		return n.Text
	case Seq:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.JSON()
		}
		return items
	case Map:
		fields := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			fields[f.Key.Text] = f.Value.JSON()
		}
		return fields
	}

	return nil
}

// CompactJSON writes the value as JSON without white space, in source order.
func (n *Node) CompactJSON() string {
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, item.CompactJSON())
	}
	for _, f := range n.Fields {
		parts = append(parts, words.Quote(f.Key.Text)+":"+f.Value.CompactJSON())
	}
	switch n.Kind {
	case Bool:
		return strings.ToLower(n.Text)
	case Int, Float:
		return jsonNumber(n.Text).String()
	case String:
		return words.Quote(n.Text)
	case Seq:
		return "[" + strings.Join(parts, ",") + "]"
	case Map:
		return "{" + strings.Join(parts, ",") + "}"
	}

	return "null"
}

// jsonNumber converts a number of YAML or TOML (`+1`, `007`, `.5`, `5.`, `0x1F`, `1_000`) to JSON.
func jsonNumber(text string) json.Number {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "+"), "_", "")
	if len(text) > 2 && text[0] == '0' && strings.IndexByte("xob", text[1]) >= 0 {
		if i, ok := new(big.Int).SetString(text, 0); ok {
			return json.Number(i.String())
		}
	}

	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	whole = cmp.Or(strings.TrimLeft(whole, "0"), "0")
	if fraction != "" {
		whole += "." + fraction
	}

	return json.Number(sign + whole + exponent)
}
