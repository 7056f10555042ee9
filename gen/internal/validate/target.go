package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// target is a value of the document and the way to it.
type target struct {
	tokens []string
	key    *yamldoc.Node // nil for an element of a list and for the root
	value  *yamldoc.Node
	parent *yamldoc.Node // nil for the root
	schema node          // a schema that describes the value, for its words; may be the zero node
	noun   string        // what entries of the parent are called; "" for a field
}

// target follows tokens through the document and, for the words, through the schema.
func (r *reporter) target(tokens []string) target {
	t := target{value: r.root, schema: r.format.root}
	for i, token := range tokens {
		t = t.step(token)
		t.tokens = tokens[:i+1]
	}

	return t
}

func (t target) step(token string) target {
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
		next.schema = anySchema(t.schema, node.entry)
		next.noun = next.schema.text("x-agentc-noun")
	}

	return next
}

// anySchema looks for what get finds in n or in any schema that n is made of.
func anySchema(n node, get func(node) node) node {
	n = n.resolved()
	if n.value == nil {
		return node{}
	}
	if found := get(n); found.value != nil {
		return found
	}
	parts := append(n.list("oneOf"), n.child("then"), n.child("else"))
	for _, part := range parts {
		if found := anySchema(part, get); found.value != nil {
			return found
		}
	}

	return node{}
}

// name is what messages call the value: `field "max_iter"`, `field "name" of call.model`, `state "draft"`, `entry 2 of
// workers`.
func (r *reporter) name(t target) string {
	if len(t.tokens) == 0 {
		return formatNames[r.kind].document
	}
	last := t.tokens[len(t.tokens)-1]
	switch {
	case t.key == nil && t.called() != "":
		return fmt.Sprintf("%s %q", t.schema.text("x-agentc-noun"), t.called())
	case t.key == nil:
		i, _ := strconv.Atoi(last)
		return "entry " + strconv.Itoa(i+1) + r.of(r.owner(t)) // people count from 1
	case t.noun != "":
		return fmt.Sprintf("%s %q", t.noun, last)
	case len(t.tokens) == 1:
		return fmt.Sprintf("field %q", last)
	}

	return fmt.Sprintf("field %q%s", last, r.of(r.owner(t)))
}

// called returns what an element of a list calls itself; "" if it has no name.
func (t target) called() string {
	for _, field := range t.schema.resolved().strings("x-agentc-called") {
		if name, _ := t.value.Value(field).Scalar(); name != "" {
			return name
		}
	}

	return ""
}

// of names the mapping or list to which something belongs, dotted where that is plain: ` of call.model`, ` of state
// "draft"`; nothing for the top level.
func (r *reporter) of(t target) string {
	var fields []string
	for len(t.tokens) > 0 && t.key != nil && t.noun == "" {
		fields = append(fields, t.tokens[len(t.tokens)-1])
		t = r.owner(t)
	}
	slices.Reverse(fields)
	words := ""
	if len(fields) > 0 {
		words = " of " + strings.Join(fields, ".")
	}
	if len(t.tokens) == 0 {
		return words
	}

	return words + " of " + r.name(t)
}

// owner returns the mapping or list that holds the value.
func (r *reporter) owner(t target) target { return r.target(t.tokens[:len(t.tokens)-1]) }

// place is where a diagnostic about the value is: the value, or its key if nothing is written there.
func (t target) place() source.Span {
	if t.key != nil && t.value.Kind == yamldoc.Null && t.value.Span.Start == t.value.Span.End {
		return t.key.Span
	}
	if t.value.Kind == yamldoc.Map || t.value.Kind == yamldoc.Seq {
		return t.head()
	}

	return t.value.Span
}

// head is where a diagnostic about a whole collection is: its key, else its first key, else the collection.
func (t target) head() source.Span {
	switch {
	case t.key != nil:
		return t.key.Span
	case len(t.value.Fields) > 0:
		return t.value.Fields[0].Key.Span
	}

	return t.value.Span
}
