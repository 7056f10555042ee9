package statemachine

import (
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// variable is a name that a prompt's file gets its value from.
type variable struct {
	key ir.Text
	// value is what is written: literal, or text with placeholders.
	value   *yamldoc.Node
	literal *ir.Literal
	text    *ir.Template
	// mark is in the file's placeholders for the variable until its value takes their place.
	mark *ir.Output
}

// variables lowers the variables of a prompt's file.
func (b *builder) variables(n *yamldoc.Node) []*variable {
	var all []*variable
	for _, f := range n.Members() {
		v := &variable{key: frontend.Key(f), value: f.Value, mark: &ir.Output{Name: frontend.Key(f)}}
		all = append(all, v)
		if f.Value.Kind != yamldoc.String || !hasPlaceholder(f.Value.Text) {
			v.literal = literal(f.Value)
			continue
		}
		b.later = append(b.later, func() { v.text = b.template(frontend.Text(f.Value), b.scope(anywhere)) })
	}

	return all
}

// literal is a scalar as an expression; of anything else it is none.
func literal(n *yamldoc.Node) *ir.Literal {
	l := &ir.Literal{Span: n.Span}
	switch value := n.JSON().(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			l.Value = whole
		} else if number, err := value.Float64(); err == nil {
			l.Value = number
		}
	case string, bool:
		l.Value = value
	}

	return l
}

// name is what the variable is in the scope of the file. What fills it in is text, unless it is written as something
// else.
func (v *variable) name() expr.Name {
	t := textType
	if v.literal != nil {
		t = v.literal.Is()
	}

	return expr.Name{Name: v.key.Value, Value: &ir.Access{Root: ir.RootStep, Output: v.mark, Type: t}}
}

// rendered is what a literal looks like in a text; ok is false for anything else.
func (v *variable) rendered() (text string, ok bool) {
	if v.literal == nil {
		return "", false
	}
	switch value := v.literal.Value.(type) {
	case string:
		return value, true
	case bool:
		return strings.ToUpper(v.value.Text[:1]) + strings.ToLower(v.value.Text[1:]), true
	case nil:
		return "", true
	case int64, float64:
		text, err := json.Marshal(value)
		return string(text), err == nil
	}

	return "", false
}
