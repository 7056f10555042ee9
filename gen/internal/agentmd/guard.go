package agentmd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// guardedRow is a row whose guard is to be understood.
type guardedRow struct {
	state *ir.State
	row   *ir.Row
}

// lowerGuards finds out what the guards of all machines mean. What an expression reads has the types of what the agents give,
// so this waits for all of them.
func (l *loader) lowerGuards() {
	for _, b := range l.machines {
		b.outputs()
		for _, g := range b.guarded {
			b.lowerGuard(g)
		}
	}
	slices.SortFunc(l.Program.Guards, func(a, b *ir.GuardFunc) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
}

// lowerGuard makes a guard a named one, or an expression.
func (b *machineBuilder) lowerGuard(g guardedRow) {
	guard := g.row.When
	data := b.dataOf(g.state, g.row)
	name, negated, ok := guardName(guard.Text)
	if !ok {
		formula, findings := expr.Formula(guard.Text, b.scope(g.state, g.row, data), expr.Condition)
		b.loader.List.Add(findings...)
		guard.Formula = formula
		return
	}
	guard.Not = negated
	guard.Func = b.loader.guardFunc(name, data)
	guard.Func.Uses = append(guard.Func.Uses, ir.GuardUse{Agent: b.agent, State: g.state, Row: g.row})
}

// guardFunc returns the named guard, and notes about what it is asked once more.
func (l *loader) guardFunc(name ir.Text, data ir.Type) *ir.GuardFunc {
	if known := l.guards[name.Value]; known != nil {
		if known.Data.Owner != data.Owner || known.Data.Of != data.Of {
			known.Data = ir.Type{}
		}
		return known
	}
	guard := &ir.GuardFunc{Name: name, Data: data}
	l.guards[name.Value] = guard
	l.Program.Guards = append(l.Program.Guards, guard)

	return guard
}

// guardName reads a guard that is one name, or `not` and a name, that nothing in an expression has.
func guardName(text ir.Text) (name ir.Text, negated, ok bool) {
	words := strings.Fields(text.Value)
	if len(words) == 2 && words[0] == "not" {
		negated, words = true, words[1:]
	}
	if len(words) != 1 || !isGuardName(words[0]) {
		return ir.Text{}, false, false
	}
	start := strings.LastIndex(text.Value, words[0])
	place := yamldoc.NewInside(text.Span, text.Value).Span(start, start+len(words[0]))

	return ir.Text{Value: words[0], Span: place}, negated, true
}

// isGuardName reports whether a word is a name, and no variable, value or word of the language of expressions.
func isGuardName(word string) bool {
	other := func(c rune) bool { return c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	if strings.ContainsFunc(word, other) || !strings.ContainsFunc(word, unicode.IsLetter) || word[0] == '-' {
		return false
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		return false
	}

	return !slices.Contains(notGuards, word)
}

// notGuards are the names that guards are written with.
var notGuards = append([]string{"and", "or", "not", "in", "is", "True", "False", "None", "true", "false", "null"}, variables...)
