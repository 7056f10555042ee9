package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// target is a value of the document with its path.
type target struct {
	tokens []string
	key    *yamldoc.Node // nil for an element of a list and for the root
	value  *yamldoc.Node
	parent *yamldoc.Node // nil for the root
	schema node          // a schema that describes the value in messages; may be the zero node
	noun   string        // the word for entries of the parent; "" for a field
}

// resolveTarget follows tokens through the document and through the schema.
func (r *reporter) resolveTarget(tokens []string) target {
	t := target{value: r.root, schema: r.format.root}
	for i, token := range tokens {
		t = t.child(token)
		t.tokens = tokens[:i+1]
	}

	return t
}

func (t target) child(token string) target {
	next := target{parent: t.value}
	if t.value.Kind == yamldoc.Seq {
		i, _ := strconv.Atoi(token)
		next.value = t.value.Items[i]
		next.schema = anySchema(t.schema, func(n node) node { return n.child("items") })
		return next
	}
	f := t.value.Field(token)
	next.key, next.value = f.Key, f.Value
	next.schema = anySchema(t.schema, func(n node) node { return n.property(token) })
	if next.schema.value == nil {
		next.schema = anySchema(t.schema, node.entrySchema)
		next.noun = next.schema.text("x-agentc-noun")
	}

	return next
}

// anySchema returns the first result of get in n or in a schema that is a part of n.
func anySchema(n node, get func(node) node) node {
	n = n.resolved()
	if n.value == nil {
		return node{}
	}
	if found := get(n); found.value != nil {
		return found
	}
	parts := append(n.subschemas("oneOf"), n.child("then"), n.child("else"))
	for _, part := range parts {
		if found := anySchema(part, get); found.value != nil {
			return found
		}
	}

	return node{}
}

// describe names the value in messages: `field "max_iter"`, `field "name" of call.model`, `state
// "draft"`, `entry 2 of workers`.
func (r *reporter) describe(t target) string {
	if len(t.tokens) == 0 {
		return formatNames[r.kind].document
	}
	last := t.tokens[len(t.tokens)-1]
	switch {
	case t.key == nil && t.entryName() != "":
		return fmt.Sprintf("%s %q", t.schema.text("x-agentc-noun"), t.entryName())
	case t.key == nil:
		i, _ := strconv.Atoi(last)
		return "entry " + strconv.Itoa(i+1) + r.describeOwner(r.ownerOf(t)) // people count from 1
	case t.noun != "":
		return fmt.Sprintf("%s %q", t.noun, last)
	case len(t.tokens) == 1:
		return fmt.Sprintf("field %q", last)
	}

	return fmt.Sprintf("field %q%s", last, r.describeOwner(r.ownerOf(t)))
}

// entryName returns the name that an element of a list has, or "".
func (t target) entryName() string {
	for _, field := range t.schema.resolved().strings("x-agentc-called") {
		if name, _ := t.value.Value(field).Scalar(); name != "" {
			return name
		}
	}

	return ""
}

// describeOwner names the mapping or list around a value, with dots if possible: ` of call.model`,
// ` of state "draft"`, or "" at the top level.
func (r *reporter) describeOwner(t target) string {
	var fields []string
	for len(t.tokens) > 0 && t.key != nil && t.noun == "" {
		fields = append(fields, t.tokens[len(t.tokens)-1])
		t = r.ownerOf(t)
	}
	slices.Reverse(fields)
	words := ""
	if len(fields) > 0 {
		words = " of " + strings.Join(fields, ".")
	}
	if len(t.tokens) == 0 {
		return words
	}

	return words + " of " + r.describe(t)
}

// ownerOf returns the mapping or list that contains the value.
func (r *reporter) ownerOf(t target) target { return r.resolveTarget(t.tokens[:len(t.tokens)-1]) }

// errorSpan returns the span of a diagnostic about the value: the value, or its key if it is empty.
func (t target) errorSpan() source.Span {
	if t.key != nil && t.value.Kind == yamldoc.Null && t.value.Span.Start == t.value.Span.End {
		return t.key.Span
	}
	if t.value.Kind == yamldoc.Map || t.value.Kind == yamldoc.Seq {
		return t.headSpan()
	}

	return t.value.Span
}

// headSpan returns the span of a diagnostic about a collection: its key, its first key, or itself.
func (t target) headSpan() source.Span {
	switch {
	case t.key != nil:
		return t.key.Span
	case len(t.value.Fields) > 0:
		return t.value.Fields[0].Key.Span
	}

	return t.value.Span
}
