package workflow

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Update decodes the next value of an output. Of an object, only the members that differ from those
// of the value before are decoded, and of a list that was continued only the added items, so that a
// change of a large value costs what it changes. It returns the errors of [Decode].
func (o *Output[T]) Update(v Value, read rt.Reader[T]) error {
	changes, changed, ok := decodeChanges(o, v, read)
	if ok {
		changes.assign(reflect.ValueOf(&o.Data).Elem(), reflect.ValueOf(changed))
		o.Value, o.size = v, changes.size

		return nil
	}
	text := v.JSON()
	data, err := read.DecodeText(text)
	if err != nil {
		return err
	}
	*o = Output[T]{Value: v, Data: data, size: len(text)}

	return nil
}

// updateWithDefaults is [Output.Update] for a value that gets the defaults of its schema, in the
// order of the schema.
func (o *Output[T]) updateWithDefaults(v Value, read rt.Reader[T]) error {
	changes, changed, ok := decodeChanges(o, v, read)
	if ok {
		changes.assign(reflect.ValueOf(&o.Data).Elem(), reflect.ValueOf(changed))
		changes.keepAdded(reflect.ValueOf(&changed).Elem())
		o.Value = changes.complete(v, Of(changed))
		o.size = changes.size

		return nil
	}
	data, err := read.DecodeText(v.JSON())
	if err != nil {
		return err
	}
	whole := Of(data)
	*o = Output[T]{Value: whole, Data: data, size: len(whole.JSON())}

	return nil
}

// changes are how an object differs from the one before it, whose members are valid.
type changes struct {
	before Value
	// members are those that are new or different. Of a list that was continued, there are only the
	// added items.
	members []Member
	// fields are the fields of the Go value, by the name of their members.
	fields []structField
	// continued has the items that continued lists had, as Go values.
	continued map[string]any
	// size is how many bytes the object has as JSON, or more.
	size int
}

// isIdentical reports whether two values are the same in memory. Others may be equal.
func isIdentical(x, y Value) bool {
	return x.shape == y.shape && x.bits == y.bits && x.text == y.text
}

// structField is a field of a struct, with the name of its member in JSON.
type structField struct {
	name  string
	index int
}

// changesTo returns how v differs from the newest value. ok is false if it has to be decoded as a
// whole: it lacks a member, or has another one without a field of its own.
func (o *Output[T]) changesTo(v Value) (c changes, ok bool) {
	if o.size == 0 || !v.IsObject() || !o.Value.IsObject() {
		return changes{}, false
	}
	for name := range o.Value.Members() {
		if !v.Has(name) {
			return changes{}, false
		}
	}
	c = changes{before: o.Value, size: o.size, fields: fieldsOf(reflect.TypeFor[T]())}
	data := reflect.ValueOf(&o.Data).Elem()
	for name, value := range v.Members() {
		known := o.Value.Has(name)
		if known && isIdentical(o.Value.Get(name), value) {
			continue
		}
		field := slices.IndexFunc(c.fields, func(f structField) bool { return f.name == name })
		if field < 0 {
			return changes{}, false
		}
		c.add(Member{Name: name, Value: value}, known, data.Field(c.fields[field].index))
	}

	return c, true
}

// add adds a member that is new or, if it is known, different. field is the Go value that it had.
func (c *changes) add(m Member, isKnown bool, field reflect.Value) {
	before := c.before.Get(m.Name)
	if isContinuable(field) {
		added, ok := m.Value.claimAdded(before)
		if ok {
			if c.continued == nil {
				c.continued = map[string]any{}
			}
			c.continued[m.Name] = field.Interface()
			m.Value = newList(added)
			before = Value{shape: &emptyList}
		}
	}
	c.members = append(c.members, m)
	c.size += len(m.Value.JSON())
	if isKnown {
		c.size -= len(before.JSON())
	} else {
		c.size += len(Text(m.Name).JSON()) + len(":,")
	}
	if c.continued[m.Name] != nil {
		c.size += len(",")
	}
}

// isContinuable reports whether a field is a list of values, and not JSON.
func isContinuable(field reflect.Value) bool {
	return field.Kind() == reflect.Slice && field.Type() != reflect.TypeFor[json.RawMessage]()
}

// fieldsOf returns the fields of a struct that are members in JSON, in their order; nil for another
// type.
func fieldsOf(t reflect.Type) []structField {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var fields []structField
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if tag != "" && tag != "-" {
			fields = append(fields, structField{name, i})
		}
	}

	return fields
}

// decodeChanges returns the Go value of what is different in v. ok is false if v has to be decoded
// as a whole.
func decodeChanges[T any](o *Output[T], v Value, read rt.Reader[T]) (c changes, changed T, ok bool) {
	c, ok = o.changesTo(v)
	if ok {
		changed, ok = read.DecodeChanges(rt.Changes{
			Text: Object(c.members...).JSON(), Size: c.size, Has: o.Value.Has, Before: c.continued,
		})
	}

	return c, changed, ok
}

// assign copies the fields of the members that are different, from one struct to another.
func (c *changes) assign(to, changed reflect.Value) {
	for _, field := range c.fields {
		if c.hasMember(field.name) {
			to.Field(field.index).Set(changed.Field(field.index))
		}
	}
}

func (c *changes) hasMember(name string) bool {
	return slices.ContainsFunc(c.members, func(m Member) bool { return m.Name == name })
}

// keepAdded leaves in continued lists only the items that were added.
func (c *changes) keepAdded(changed reflect.Value) {
	for _, field := range c.fields {
		if before, isContinued := c.continued[field.name]; isContinued {
			list := changed.Field(field.index)
			list.Set(list.Slice(reflect.ValueOf(before).Len(), list.Len()))
		}
	}
}

// complete returns the object v with its changes as encoded has them: with the defaults of their
// schemas, which it adds to the size.
func (c *changes) complete(v, encoded Value) Value {
	var names []string
	var items []Value
	add := func(name string, item Value) { names, items = append(names, name), append(items, item) }
	for _, field := range c.fields {
		at := slices.IndexFunc(c.members, func(m Member) bool { return m.Name == field.name })
		switch {
		case at < 0 && c.before.Has(field.name):
			add(field.name, c.before.Get(field.name))
		case at >= 0 && encoded.Has(field.name):
			add(field.name, c.completeMember(c.members[at], v.Get(field.name), encoded.Get(field.name)))
		}
	}
	for name, item := range c.before.Members() {
		if !slices.ContainsFunc(c.fields, func(f structField) bool { return f.name == name }) {
			add(name, item)
		}
	}

	return newObject(names, items)
}

// completeMember returns the value of a member that is different. given is its whole value, and
// encoded what is different of it, with defaults.
func (c *changes) completeMember(changed Member, given, encoded Value) Value {
	text, complete := changed.Value.JSON(), encoded.JSON()
	c.size += max(0, len(complete)-len(text))
	switch {
	case text == complete:
		return given
	case c.continued[changed.Name] == nil:
		return encoded
	}

	return mustValue(c.before.Get(changed.Name).appendItems(encoded.listItems()...))
}
