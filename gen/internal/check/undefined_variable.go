package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedVariable finds fields of `data` that one guard of a machine reads and no schema
// describes, with a name similar to a field that another guard reads or an agent of the machine
// outputs. A field that a schema rules out is reported when the guard is parsed.
var undefinedVariable = Pass{Name: "undefined-variable", run: func(u *unit) {
	for _, x := range u.machines {
		if !x.HasGuards() {
			continue
		}
		fields := x.collectDataFields()
		for _, field := range fields.names {
			fields.reportField(u, field)
		}
	}
}}

// dataFields are the fields of `data` in the guards of a machine.
type dataFields struct {
	// names are the fields that guards read or outputs have, each once. reads are their spans in
	// guards. declared are the fields that a schema describes.
	names    []string
	reads    map[string][]ir.Text
	declared map[string]bool
}

func (x *machine) collectDataFields() *dataFields {
	f := &dataFields{reads: map[string][]ir.Text{}, declared: map[string]bool{}}
	for _, guard := range x.Guards() {
		guard.Formula.Walk(func(access *ir.Access) {
			if access.Root == ir.RootData && len(access.Path) > 0 {
				f.addField(access.Path[0].Name, access.Path[0].Property != nil)
			}
		})
	}
	for _, output := range x.Outputs {
		if output.Type.Schema != nil {
			for _, p := range output.Type.Schema.Properties {
				f.addField(ir.Text{Value: p.Name.Value}, true)
			}
		}
	}

	return f
}

func (f *dataFields) addField(name ir.Text, declared bool) {
	if f.reads[name.Value] == nil && !f.declared[name.Value] {
		f.names = append(f.names, name.Value)
	}
	if name.Span.IsValid() {
		f.reads[name.Value] = append(f.reads[name.Value], name)
	}
	f.declared[name.Value] = f.declared[name.Value] || declared
}

// reportField reports a field that only one guard reads if it most likely misspells another field.
// A plural is a separate field.
func (f *dataFields) reportField(u *unit, name string) {
	reads := f.reads[name]
	if f.declared[name] || len(reads) != 1 {
		return
	}
	others := ir.Where(f.names, func(other string) bool {
		return f.declared[other] || len(f.reads[other]) > 1 || other != name && f.reads[other][0].Span.Before(reads[0].Span)
	})
	near, ok := nearestMistyped(name, others)
	isPrefix := strings.HasPrefix(name, near) || strings.HasPrefix(near, name)
	if !ok || !diag.IsCertain(name, near, others) || isPrefix {
		return
	}
	d := diag.New(diag.UndefinedVariable, reads[0].Span, "no other guard of the machine reads data.%s", name).Warn().
		WithHint("did you mean %q?", near)
	if places := f.reads[near]; len(places) > 0 {
		d.Note(places[0].Span, "data.%s is read here", near)
	}
	u.report(d)
}
