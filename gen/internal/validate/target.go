package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// target is a value of the document and the way to it.
type target struct {
	up     *target       // nil for the root
	key    *yamldoc.Node // nil for an element of a list and for the root
	index  int           // of an element
	value  *yamldoc.Node
	schema *schema // one that describes the value, for its words; may be nil
	noun   string  // what entries of the mapping around it are called; "" for a field
}

// item is an element of a list.
func (t *target) item(i int) *target {
	return &target{up: t, index: i, value: t.value.Items[i], schema: t.schema.find((*schema).items)}
}

// field is the value of a field of a mapping.
func (t *target) field(f *yamldoc.Field) *target {
	at := &target{up: t, key: f.Key, value: f.Value}
	at.schema = t.schema.find(func(s *schema) *schema { return s.property(f.Key.Text) })
	if at.schema == nil {
		at.schema = t.schema.find((*schema).entry)
		at.noun = at.schema.word(noun)
	}

	return at
}

// name is what messages call the value: `field "max_iter"`, `field "name" of call.model`, `state "draft"`, `entry 2 of
// workers`.
func (r *reporter) name(t *target) string {
	switch {
	case t.up == nil:
		return formatNames[r.kind].document
	case t.key == nil && t.called() != "":
		return fmt.Sprintf("%s %q", t.schema.word(noun), t.called())
	case t.key == nil:
		return fmt.Sprintf("entry %d%s", t.index+1, r.of(t.up))
	case t.noun != "":
		return fmt.Sprintf("%s %q", t.noun, t.key.Text)
	}

	return fmt.Sprintf("field %q%s", t.key.Text, r.of(t.up))
}

// called returns what an element of a list calls itself; "" if it has no name.
func (t *target) called() string {
	for _, field := range t.schema.resolved().own().Called {
		if name, _ := t.value.Value(field).Scalar(); name != "" {
			return name
		}
	}

	return ""
}

// of names the mapping or list to which something belongs, dotted where that is plain: ` of call.model`, ` of state
// "draft"`; nothing for the top level.
func (r *reporter) of(t *target) string {
	var fields []string
	for ; t.up != nil && t.key != nil && t.noun == ""; t = t.up {
		fields = append(fields, t.key.Text)
	}
	slices.Reverse(fields)
	words := ""
	if len(fields) > 0 {
		words = " of " + strings.Join(fields, ".")
	}
	if t.up == nil {
		return words
	}

	return words + " of " + r.name(t)
}

// place is where a diagnostic about the value is: the value, or its key if nothing is written there.
func (t *target) place() source.Span {
	if t.key != nil && t.value.Kind == yamldoc.Null && t.value.Span.Start == t.value.Span.End {
		return t.key.Span
	}
	if t.value.Kind == yamldoc.Map || t.value.Kind == yamldoc.Seq {
		return t.head()
	}

	return t.value.Span
}

// head is where a diagnostic about a whole collection is: its key, else its first key, else the collection.
func (t *target) head() source.Span {
	switch {
	case t.key != nil:
		return t.key.Span
	case len(t.value.Fields) > 0:
		return t.value.Fields[0].Key.Span
	}

	return t.value.Span
}
