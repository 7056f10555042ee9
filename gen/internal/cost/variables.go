package cost

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// textSizes are the sizes of a variable in a pattern: of its value, of what a model sees, as a
// document and as an object. They differ only for groups and notes.
type textSizes struct {
	value, report, document, object Amount
	// items is the maximal length of the list in it.
	items Amount
	// key is the key with which its run always finishes; "" if it is not known.
	key string
}

func plainText(value Amount) textSizes {
	return textSizes{value: value, report: value, document: value, object: value}
}

// union returns the larger sizes of two texts. A zero text is not assigned yet.
func (t textSizes) union(u textSizes) textSizes {
	switch {
	case t == textSizes{}:
		return u
	case u == textSizes{}:
		return t
	case t.key != u.key:
		t.key = ""
	}

	return textSizes{
		value: max(t.value, u.value), report: max(t.report, u.report),
		document: max(t.document, u.document), object: max(t.object, u.object),
		items: max(t.items, u.items), key: t.key,
	}
}

// variables are the texts of a pattern by the index of their output. They are immutable.
type variables []textSizes

// union returns the larger size of each text.
func (v variables) union(others variables) variables {
	both := slices.Clone(v)
	for i := range both {
		both[i] = both[i].union(others[i])
	}

	return both
}

// unboundGrowth makes each text unbounded that has changed.
func (v variables) unboundGrowth(before variables) variables {
	grown := slices.Clone(v)
	for i, t := range v {
		if t != before[i] {
			grown[i] = plainText(Unbounded)
			grown[i].items = t.items
		}
	}

	return grown
}

// encode returns a text that is equal for equal variables.
func (v variables) encode() string {
	var code []byte
	for _, t := range v {
		for _, n := range [...]Amount{t.value, t.report, t.document, t.object, t.items} {
			code = binary.AppendUvarint(code, uint64(n))
		}
		code = append(append(code, t.key...), 0)
	}

	return string(code)
}

// indexOutputs numbers the outputs of the tasks of a pattern, and the items and turns of its loops.
func indexOutputs(body *ir.Pipeline) map[*ir.Output]int {
	index := map[*ir.Output]int{}
	add := func(o *ir.Output) {
		if _, isKnown := index[o]; o != nil && !isKnown {
			index[o] = len(index)
		}
	}
	ir.WalkTasks(body, func(t *ir.Task) {
		add(t.Output)
		if loop, isLoop := t.Do.(*ir.Loop); isLoop {
			add(loop.Item)
			add(loop.Turn)
		}
	})

	return index
}

// variable returns the text of an output.
func (x *patternCosts) variable(o *ir.Output, vars variables) textSizes {
	i, isKnown := x.index[o]
	if !isKnown {
		return textSizes{}
	}

	return vars[i]
}

// setVariable returns the variables with another text of an output, if it has a variable.
func (x *patternCosts) setVariable(vars variables, o *ir.Output, t textSizes) variables {
	i, isKnown := x.index[o]
	if !isKnown || vars[i] == t {
		return vars
	}
	changed := slices.Clone(vars)
	changed[i] = t

	return changed
}

// givenSize returns the size of a text as a model's input.
func (x *patternCosts) givenSize(e ir.Expression, vars variables) Amount {
	t := x.expressionText(e, vars)
	switch e.(type) {
	case *ir.Report, *ir.Notes:
		return t.report
	}

	return t.value
}

// expressionText returns the sizes of an expression.
func (x *patternCosts) expressionText(e ir.Expression, vars variables) textSizes {
	switch e := e.(type) {
	case *ir.Access:
		if e.Root == ir.RootInput {
			return plainText(x.input)
		}
		return x.variable(e.Output, vars)
	case *ir.Report:
		return plainText(x.expressionText(e.X, vars).report)
	case *ir.Notes:
		return x.notesText(e, vars)
	}

	return textSizes{}
}

// notesText returns the sizes of titled texts.
func (x *patternCosts) notesText(e *ir.Notes, vars variables) textSizes {
	t := x.expressionText(e.Base, vars)
	for _, s := range e.Sections {
		inside, title := x.givenSize(s.Text, vars), size(s.Title)
		t.report = t.report.Plus(amount.Sum(title.Times(2), inside, escapedTagsSize(inside), 12))
		t.document = t.document.Plus(amount.Sum(title, inside, 4))
	}
	t.value, t.object = t.report, t.report

	return t
}

// escapedTagsSize is the growth of both tags around a text that contains such tags, which get a
// number.
func escapedTagsSize(text Amount) Amount { return 2 * size("_", strconv.FormatUint(uint64(text), 10)) }

// returnedSize returns the size of a value that the pattern returns.
func (x *patternCosts) returnedSize(e ir.Expression, vars variables) Amount {
	t := x.variable(ir.OutputOf(e), vars)
	switch e.(type) {
	case *ir.Document:
		return t.document
	case *ir.Object:
		return t.object
	}

	return t.value
}
