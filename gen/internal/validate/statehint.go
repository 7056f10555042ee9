package validate

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Other systems write a state as a mapping: on: {KEY: STATE}, conditional: [{key, target}],
// unconditional: STATE, type: final. The hint rewrites a state of this form, unless a part of it
// has no counterpart.

// stateHint returns how to write a state whose value is a mapping, or "".
func stateHint(key string, state *yamldoc.Node) string {
	rows, ok := rowsOf(state)
	switch {
	case !ok:
		return ""
	case len(rows) == 0:
		return "write " + key + ": ~"
	case len(rows) == 1 && rows[0].key == anyKey:
		return "write " + key + ": " + rows[0].soleTarget()
	}
	if _, isPlain := rowsOfPlain(state); isPlain && len(rows) > mostWritten {
		return "put - and a space before each of its rows"
	}
	written := make([]string, len(rows))
	for i, r := range rows {
		written[i] = "{" + r.key + ": " + r.target + "}"
	}

	return "write " + key + ": [" + strings.Join(written, ", ") + "]"
}

// mostWritten is the maximum number of rows in a hint, if the rows only lack their dashes.
const mostWritten = 4

// stateRow is a row of a state.
type stateRow struct{ key, target string }

// anyKey is the key of a row for all other keys.
const anyKey = `"*"`

// soleTarget returns the value of a state whose only row is for every key.
func (r stateRow) soleTarget() string {
	if r.target == "~" {
		return "[{" + anyKey + ": ~}]"
	}

	return r.target
}

// rowsOf returns the rows of a state of another system. A final state has no rows. ok is false if a
// part of it is not a row.
func rowsOf(state *yamldoc.Node) (rows []stateRow, ok bool) {
	var last []stateRow // the row for all other keys
	for _, f := range state.Fields {
		var more []stateRow
		ok = true
		switch f.Key.Text {
		case "on", "transitions":
			more, ok = rowsOfEvents(f.Value)
		case "conditional":
			more, ok = rowsOfList(f.Value)
		case "unconditional", "next", "goto", "always":
			target, isState := stateName(f.Value)
			last, ok = append(last, stateRow{anyKey, target}), isState
		case "type":
			ok = f.Value.Text == "final"
		default:
			return rowsOfPlain(state)
		}
		if !ok {
			return nil, false
		}
		rows = append(rows, more...)
	}

	return append(rows, last...), len(last) <= 1
}

// rowsOfPlain returns the rows of a mapping of keys to states, which only lacks its dashes.
func rowsOfPlain(state *yamldoc.Node) (rows []stateRow, ok bool) {
	known := []string{"on", "transitions", "conditional", "unconditional", "next", "goto", "always", "type"}
	for _, f := range state.Fields {
		target, isState := stateName(f.Value)
		if !isState || slices.Contains(known, f.Key.Text) {
			return nil, false
		}
		rows = append(rows, stateRow{f.Key.Span.Text(), target})
	}

	return rows, true
}

// rowsOfEvents returns the rows of a mapping of events to states, or to mappings with a single
// target.
func rowsOfEvents(events *yamldoc.Node) (rows []stateRow, ok bool) {
	if events.Kind != yamldoc.Map {
		return rowsOfList(events)
	}
	for _, f := range events.Fields {
		value := f.Value
		if len(value.Fields) == 1 && value.Value("target") != nil {
			value = value.Value("target")
		}
		target, isState := stateName(value)
		if !isState {
			return nil, false
		}
		rows = append(rows, stateRow{f.Key.Span.Text(), target})
	}

	return rows, len(rows) > 0
}

// rowsOfList returns the rows of a list of mappings with a key and a target.
func rowsOfList(list *yamldoc.Node) (rows []stateRow, ok bool) {
	for _, item := range list.Items {
		key := firstValue(item, "key", "event", "on")
		target, isState := stateName(firstValue(item, "target", "to", "next", "state"))
		if key == nil || !isState || len(item.Fields) != 2 {
			return nil, false
		}
		rows = append(rows, stateRow{key.Span.Text(), target})
	}

	return rows, len(rows) > 0
}

// firstValue returns the value of the first of some fields that a mapping has, or nil.
func firstValue(n *yamldoc.Node, names ...string) *yamldoc.Node {
	for _, name := range names {
		if value := n.Value(name); value != nil {
			return value
		}
	}

	return nil
}

// stateName returns the name of a state in a row, ~ for the end of a machine.
func stateName(n *yamldoc.Node) (name string, ok bool) {
	if n == nil {
		return "", false
	}
	text, isScalar := n.Scalar()
	switch {
	case n.Kind == yamldoc.Null || slices.Contains([]string{"_end", "__end__", "END", "end", "[*]"}, text):
		return "~", true
	case !isScalar || strings.Contains(n.Span.Text(), "\n"):
		return "", false
	}

	return n.Span.Text(), true
}
