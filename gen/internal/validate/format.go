package validate

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/schema"
)

// format is the schema of a kind of documents.
type format struct {
	root *rule
	// byKind says that fields are used by objects of some kinds only: the schema has x-agentc-kinds.
	byKind bool
}

// formats reads each schema once, when it is first needed. The schemas are part of the program, so a fault in one is a
// bug of ours.
var formats = func() map[Kind]func() *format {
	all, byName := map[Kind]func() *format{}, map[string]func() *format{}
	for kind := Agent; kind <= Lock; kind++ {
		name := kind.schemaName()
		if byName[name] == nil {
			byName[name] = sync.OnceValue(func() *format { return newFormat(name) })
		}
		all[kind] = byName[name]
	}

	return all
}()

func newFormat(name string) *format {
	text, _ := schema.Text(name)
	f := &format{root: &rule{}, byKind: bytes.Contains(text, []byte(`"x-agentc-kinds"`))}
	if err := json.Unmarshal(text, f.root); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	f.root.link(f.root)

	return f
}

// resolved follows $ref.
func (r *rule) resolved() *rule {
	for r != nil && r.target != nil {
		r = r.target
	}

	return r
}

// property returns the schema of a field that the schema names; nil if it names none.
func (r *rule) property(name string) *rule {
	if r = r.resolved(); r == nil {
		return nil
	}

	return r.Properties[name]
}

// entry returns the schema of a field that only additionalProperties describes.
func (r *rule) entry() *rule {
	if other := r.AdditionalProperties; other != nil && !other.isBool {
		return other
	}

	return nil
}

// types returns the JSON types that the schema accepts, those of all branches for a oneOf.
func (r *rule) types() []string {
	if r = r.resolved(); r == nil {
		return nil
	}
	types := slices.Clone(r.Type)
	for _, branch := range r.OneOf {
		types = append(types, branch.types()...)
	}

	return types
}

// free reports whether a field's name is free for the user (x-).
func (r *rule) free(name string) bool {
	return slices.ContainsFunc(r.named, func(p pattern) bool { return p.name.MatchString(name) })
}
