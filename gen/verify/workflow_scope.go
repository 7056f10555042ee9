package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// scope is a place in the code of a workflow: what the names in expressions are there.
type scope struct {
	w *workflow
	// last is the variable that holds the output of before, the step just before the place.
	last   string
	before *ir.Output
	// result and this are the variables of what a turn came to, and of the item at hand; "" where the run knows it.
	result, this string
}

// access is a value that has a name, or is reached from one.
func (s *scope) access(x *ir.Access) term {
	if x.Root == ir.RootStepOK && len(x.Path) == 0 {
		return boolean("r.StepOK()")
	}
	if x.Maybe {
		return s.perhaps(x)
	}
	if field := s.field(x, scalarField); field != "" {
		if names.IsSchemaType(x.Type.Schema) {
			field = "string(" + field + ")"
		}
		return term{text: field, kind: x.Type.Schema.Kind}
	}

	return s.perhaps(x)
}

// perhaps is a value that may be none.
func (s *scope) perhaps(x *ir.Access) term {
	if field := s.field(x, pointerField); field != "" {
		kind := x.Type.Schema.Kind
		return term{text: "workflow." + makers[kind] + "OrNone(" + field + ")", pointer: field, to: kind}
	}

	var path []string
	for _, step := range x.Path {
		path = append(path, step.Name.Value)
	}
	if last := len(path) - 1; x.Default != nil && last >= 0 {
		return dynamic(s.reach(x, path[:last]) + ".GetOr(" + quoted(path[last]) + ", " + s.term(x.Default).value() + ")")
	}

	return term{text: s.reach(x, path), texts: s.field(x, textsField)}
}

// The forms of fields that code is written for: a scalar, a pointer to one, a list of texts.
const (
	otherField = iota
	scalarField
	pointerField
	textsField
)

// field is the field of a Go struct that an access names; "" if it names none, or one of another form.
func (s *scope) field(x *ir.Access, form int) string {
	last := len(x.Path) - 1
	var b strings.Builder
	owner := ir.OwnerContext
	switch {
	case x.Default != nil || last < 0:
		return ""
	case x.Root == ir.RootContext && s.w.ir.Context != nil && names.IsSchemaStruct(s.w.ir.Context):
		b.WriteString("r.context")
	case x.Root == ir.RootStep && x.Output.Type.IsStruct():
		owner = x.Output.Type.Owner
		b.WriteString(stepField(x.Output) + ".Data")
	default:
		return ""
	}
	for i, step := range x.Path {
		p := step.Property
		if p == nil || i < last && (absent(p, owner) || p.Schema.Nullable || !names.IsSchemaStruct(p.Schema)) {
			return ""
		}
		b.WriteString("." + names.Exported(step.Name.Value))
	}
	if formOf(x.Path[last].Property, owner) != form {
		return ""
	}
	if x.Root == ir.RootStep && form != textsField {
		s.w.read.data[x.Output] = true
	}

	return b.String()
}

// formOf is what the field of a property is in Go.
func formOf(p *ir.Property, owner ir.Owner) int {
	items := p.Schema.Items
	switch {
	case absent(p, owner) && p.Schema.Nullable:
		return otherField
	case p.Schema.Kind == ir.SchemaArray && items != nil:
		if items.Kind == ir.SchemaString && !items.Nullable && !names.IsSchemaType(items) {
			return textsField
		}
		return otherField
	case makers[p.Schema.Kind] == "":
		return otherField
	case absent(p, owner) || p.Schema.Nullable:
		return pointerField
	}

	return scalarField
}

// absent reports whether a property may be left out, which its field shows. Defaults are filled in where a value is read, but not
// in what functions return.
func absent(p *ir.Property, owner ir.Owner) bool {
	return !p.Required && (p.Schema.Default == "" || owner == ir.OwnerFunc)
}

// reach is what a path leads to from where an access begins.
func (s *scope) reach(x *ir.Access, path []string) string {
	if x.Root == ir.RootContext {
		return "r.Context(" + quoted(path...) + ")"
	}
	if len(path) == 0 {
		return s.root(x)
	}

	return s.root(x) + ".Get(" + quoted(path...) + ")"
}

// root is where an access begins.
func (s *scope) root(x *ir.Access) string {
	switch x.Root {
	case ir.RootStep:
		return s.step(x.Output)
	case ir.RootInput:
		return "input"
	case ir.RootThis:
		if s.this == "" {
			s.w.read.this = true
			return "r.this"
		}
		return s.this
	case ir.RootResult:
		if s.result == "" {
			return "r.Result()"
		}
		return s.result
	case ir.RootEvent:
		return "workflow.Text(on.String())"
	case ir.RootStepOK:
		return "workflow.Bool(r.StepOK())"
	case ir.RootStepName:
		return "r.StepName()"
	case ir.RootFeedback:
		return "r.Feedback()"
	case ir.RootAnswer:
		return "r.Answer()"
	case ir.RootNext:
		return "r.NextState()"
	case ir.RootCurrent:
		return "r.CurrentState()"
	}
	s.w.read.all = true

	return "r." + names.AllSteps + "()"
}

// step is the output of a step.
func (s *scope) step(o *ir.Output) string {
	if o == s.before {
		return s.last
	}
	s.w.read.value[o] = true

	return s.w.keptValue(o)
}

// literal is a literal.
func literalTerm(x *ir.Literal) term {
	switch value := x.Value.(type) {
	case bool:
		return boolean(strconv.FormatBool(value))
	case string:
		return term{text: quoted(value), kind: ir.SchemaString}
	case int64:
		return term{text: strconv.FormatInt(value, 10), kind: ir.SchemaInteger}
	case float64:
		return term{text: strconv.FormatFloat(value, 'g', -1, 64), kind: ir.SchemaNumber}
	}

	return dynamic("workflow.None")
}

// method is a method of a text.
func (s *scope) method(x *ir.Method) term {
	of := s.term(x.X)
	if x.Arg != nil {
		return hasEnd(x.Name, of, s.term(x.Arg))
	}
	if of.isText() {
		function := map[string]string{"lower": "ToLower", "upper": "ToUpper", "strip": "TrimSpace"}[x.Name]
		return term{text: "strings." + function + "(" + of.text + ")", kind: ir.SchemaString}
	}

	return dynamic(of.value() + "." + map[string]string{"lower": "Lower", "upper": "Upper", "strip": "Strip"}[x.Name] + "()")
}

// hasEnd is the condition that a text begins or ends with another one.
func hasEnd(name string, of, end term) term {
	function, method := "HasPrefix", "StartsWith"
	if name == "endswith" {
		function, method = "HasSuffix", "EndsWith"
	}
	if of.isText() && end.isText() {
		return boolean("strings." + function + "(" + of.text + ", " + end.text + ")")
	}

	return boolean(of.value() + "." + method + "(" + end.value() + ")")
}
