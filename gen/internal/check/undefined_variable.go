package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedVariable finds fields of `data` that one guard of a machine reads, that no schema describes, and whose name is
// nearly that of a field that another guard reads or that the output of one of its agents has. A field that a schema rules
// out is found when the guard is read.
var undefinedVariable = Pass{Name: "undefined-variable", run: func(u *unit) {
	for _, x := range u.machines {
		if !x.Guarded() {
			continue
		}
		fields := x.dataFields()
		for _, field := range fields.names {
			fields.report(u, field)
		}
	}
}}

// dataFields are the fields of `data` in the guards of a machine.
type dataFields struct {
	// names are those that guards read or outputs have, each once; reads are their places in guards, declared those of which a
	// schema says something.
	names    []string
	reads    map[string][]ir.Text
	declared map[string]bool
}

func (x *machine) dataFields() *dataFields {
	f := &dataFields{reads: map[string][]ir.Text{}, declared: map[string]bool{}}
	for _, guard := range x.Guards() {
		guard.Formula.Walk(func(access *ir.Access) {
			if access.Root == ir.RootData && len(access.Path) > 0 {
				f.add(access.Path[0].Name, access.Path[0].Property != nil)
			}
		})
	}
	for _, output := range x.Outputs {
		if output.Type.Schema != nil {
			for _, p := range output.Type.Schema.Properties {
				f.add(ir.Text{Value: p.Name.Value}, true)
			}
		}
	}

	return f
}

func (f *dataFields) add(name ir.Text, declared bool) {
	if f.reads[name.Value] == nil && !f.declared[name.Value] {
		f.names = append(f.names, name.Value)
	}
	if name.Span.IsValid() {
		f.reads[name.Value] = append(f.reads[name.Value], name)
	}
	f.declared[name.Value] = f.declared[name.Value] || declared
}

// report reports a field that one place alone reads, if it is most likely another one misspelled. A plural is a field of its own.
func (f *dataFields) report(u *unit, name string) {
	reads := f.reads[name]
	if f.declared[name] || len(reads) != 1 {
		return
	}
	others := ir.Where(f.names, func(other string) bool {
		return f.declared[other] || len(f.reads[other]) > 1 || other != name && f.reads[other][0].Span.Before(reads[0].Span)
	})
	near, ok := mistyped(name, others)
	if !ok || !diag.Certain(name, near, others) || strings.HasPrefix(name, near) || strings.HasPrefix(near, name) {
		return
	}
	d := diag.New(diag.UndefinedVariable, reads[0].Span, "no other guard of the machine reads data.%s", name).Warn().
		WithHint("did you mean %q?", near)
	if places := f.reads[near]; len(places) > 0 {
		d.Note(places[0].Span, "data.%s is read here", near)
	}
	u.report(d)
}
