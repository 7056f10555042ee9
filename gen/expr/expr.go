package expr

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// Use says what becomes of a formula's value.
type Use uint8

const (
	// Condition: it is asked whether the value is true.
	Condition Use = iota
	// Key: the value is the key of a branch: a text, or a whole number, true or false as a text.
	Key
)

// Formula reads an expression, such as the `when` of a row. The formula is nil if there is an error among the findings.
func Formula(text ir.Text, scope *Scope, use Use) (*ir.Formula, []*diag.Diagnostic) {
	return nil, notBuilt(text)
}

// Template reads a text with placeholders. The template is nil if there is an error among the findings.
func Template(text ir.Text, scope *Scope) (*ir.Template, []*diag.Diagnostic) {
	return nil, notBuilt(text)
}

// Datum reads a text inside of a list or a mapping: a template, or, where it is one placeholder with nothing but white space
// around it, the placeholder's value with its type: an [ir.Access] or an [ir.Literal], or an [ir.Placeholder] where there are
// alternatives or filters. The datum is nil if there is an error among the findings.
func Datum(text ir.Text, scope *Scope) (*ir.Datum, []*diag.Diagnostic) {
	return nil, notBuilt(text)
}

// Place reads a place in the context, such as the `sink_to` of a step: names with dots between them, with or without
// `context` in front. context is what the scope has under that name. typ is what may be put there, if the context is declared.
// The path is nil if there are findings.
func Place(text ir.Text, context Name) (path *ir.ContextPath, typ ir.Type, found []*diag.Diagnostic) {
	return nil, ir.Type{}, notBuilt(text)
}

func notBuilt(text ir.Text) []*diag.Diagnostic {
	return []*diag.Diagnostic{diag.New(diag.NotYet, text.Span, "expressions are not built")}
}
