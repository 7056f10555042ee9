package expr

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// Use says what becomes of a formula's value.
type Use uint8

const (
	// Condition: it is asked whether the value is true. One that is always true or never is constant-guard.
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

// Whole reads a text inside of a list or a mapping, where a template that is one placeholder, with nothing but white space
// around it, keeps the type of its value. Then value is that: an [ir.Access] or [ir.Literal], or an [ir.Placeholder] where
// there are alternatives or filters. ok is false for any other text, which is to be read by [Template], and with findings.
func Whole(text ir.Text, scope *Scope) (value ir.Expression, ok bool, found []*diag.Diagnostic) {
	return nil, false, notBuilt(text)
}

// Place reads a place in the context, such as the `sink_to` of a step: names with dots between them, with or without
// `context` in front. name is what the context is in the scope where it is written. typ is what may be put there, if the
// context is declared. The path is nil if there are findings.
func Place(text ir.Text, context Name) (path *ir.ContextPath, typ ir.Type, found []*diag.Diagnostic) {
	return nil, ir.Type{}, notBuilt(text)
}

func notBuilt(text ir.Text) []*diag.Diagnostic {
	return []*diag.Diagnostic{diag.New(diag.NotYet, text.Span, "expressions are not built")}
}
