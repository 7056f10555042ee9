package cost

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// text says how long a variable of a pattern is: as it is, as it is shown to a model, as a document
// and as an object. Only groups and notes have different sizes.
type text struct {
	value, report, document, object Amount
	// items is how many items the list in it has at most.
	items Amount
	// key is the key with which the run that gave it always finishes; "" if that is not known.
	key string
}

func plain(value Amount) text {
	return text{value: value, report: value, document: value, object: value}
}

// or returns the larger sizes of two texts. One without any has not been given yet.
func (t text) or(u text) text {
	switch {
	case t == text{}:
		return u
	case u == text{}:
		return t
	case t.key != u.key:
		t.key = ""
	}

	return text{
		value: max(t.value, u.value), report: max(t.report, u.report),
		document: max(t.document, u.document), object: max(t.object, u.object),
		items: max(t.items, u.items), key: t.key,
	}
}

// variables are the texts of a pattern by the index of their output. They are never changed.
type variables []text

// or returns the larger size of each text.
func (v variables) or(others variables) variables {
	both := slices.Clone(v)
	for i := range both {
		both[i] = both[i].or(others[i])
	}

	return both
}

// grown makes each text unbounded that is not what it was before.
func (v variables) grown(before variables) variables {
	grown := slices.Clone(v)
	for i, t := range v {
		if t != before[i] {
			grown[i] = plain(Unbounded)
			grown[i].items = t.items
		}
	}

	return grown
}

// encode returns a text that is the same for the same variables.
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

// indexOf numbers the outputs of the tasks of a pattern, and the items and turns of its loops.
func indexOf(body *ir.Pipeline) map[*ir.Output]int {
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

// of returns the text of an output.
func (x *patternCosts) of(o *ir.Output, vars variables) text {
	i, isKnown := x.index[o]
	if !isKnown {
		return text{}
	}

	return vars[i]
}

// with returns the variables with another text of an output, if there is one.
func (x *patternCosts) with(vars variables, o *ir.Output, t text) variables {
	i, isKnown := x.index[o]
	if !isKnown || vars[i] == t {
		return vars
	}
	changed := slices.Clone(vars)
	changed[i] = t

	return changed
}

// size is that of a text which a model is given.
func (x *patternCosts) size(e ir.Expression, vars variables) Amount {
	t := x.text(e, vars)
	switch e.(type) {
	case *ir.Report, *ir.Notes:
		return t.report
	}

	return t.value
}

// text is what is known of an expression.
func (x *patternCosts) text(e ir.Expression, vars variables) text {
	switch e := e.(type) {
	case *ir.Access:
		if e.Root == ir.RootInput {
			return plain(x.input)
		}
		return x.of(e.Output, vars)
	case *ir.Report:
		return plain(x.text(e.X, vars).report)
	case *ir.Notes:
		return x.notes(e, vars)
	}

	return text{}
}

// notes are titled texts.
func (x *patternCosts) notes(e *ir.Notes, vars variables) text {
	t := x.text(e.Base, vars)
	for _, s := range e.Sections {
		inside, title := x.size(s.Text, vars), size(s.Title)
		t.report = t.report.Plus(amount.Sum(title.Times(2), inside, marks(inside), 12))
		t.document = t.document.Plus(amount.Sum(title, inside, 4))
	}
	t.value, t.object = t.report, t.report

	return t
}

// marks is what both tags around a text are longer because the text in it looks like their end: by
// a number of such ends at most.
func marks(text Amount) Amount { return 2 * size("_", strconv.FormatUint(uint64(text), 10)) }

// returned is the size of a value that the pattern returns.
func (x *patternCosts) returned(e ir.Expression, vars variables) Amount {
	t := x.of(ir.OutputOf(e), vars)
	switch e.(type) {
	case *ir.Document:
		return t.document
	case *ir.Object:
		return t.object
	}

	return t.value
}
