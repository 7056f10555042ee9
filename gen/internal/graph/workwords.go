package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// kindOf says what a step that has no frame is.
func kindOf(t *ir.Task) kind {
	switch t.Do.(type) {
	case *ir.Run:
		return kindStep
	case *ir.Hitl:
		return kindPerson
	}

	return kindCode
}

// labelOf names a step and what it uses.
func labelOf(t *ir.Task) string {
	switch do := t.Do.(type) {
	case *ir.Run:
		return called(t, do.Step.Name.Value)
	case *ir.UseFunc:
		return called(t, do.Func.Name.Value)
	case *ir.UseBuiltin:
		return called(t, do.Builtin)
	case *ir.Conditional:
		switch {
		case do.Key != nil:
			return t.Name.Value + ": " + short(do.Key.Text.Value)
		case do.Func != nil:
			return called(t, do.Func.Name.Value)
		}
	}

	return t.Name.Value
}

// called names a step and what it uses, unless both have one name.
func called(t *ir.Task, used string) string {
	if t.Name.Value == used {
		return used
	}

	return fmt.Sprintf("%s (%s)", t.Name.Value, used)
}

// repeated is the label of a loop.
func repeated(t *ir.Task, do *ir.Repeat) string {
	label := fmt.Sprintf("%s, at most %s", t.Name.Value, times(do.Max))
	switch {
	case do.Exit != nil:
		label += ", until " + short(do.Exit.Text.Value)
	case do.Func != nil:
		label += ", until " + do.Func.Name.Value
	}

	return label
}

// eachItem is the label of a step that is done for each item of a list.
func eachItem(t *ir.Task, do *ir.Each) string {
	label := t.Name.Value + ", for each item"
	if do.Items != nil {
		label += " of " + do.Items.Value
	}

	return label
}

// labelOfRow is an event with its guard.
func labelOfRow(row *ir.Row) string {
	if row.When == nil {
		return row.Key.Value
	}

	return row.Key.Value + " when " + short(row.When.Text.Value)
}

// mostLabel is how many characters of an expression a picture shows.
const mostLabel = 60

// short cuts a long expression.
func short(expression string) string {
	runes := []rune(expression)
	if len(runes) <= mostLabel {
		return expression
	}

	return string(runes[:mostLabel-1]) + "…"
}
