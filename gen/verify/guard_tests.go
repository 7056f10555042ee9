package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// askedNext is how a test asks the transition function of a machine with guards.
func askedNext(agent string, m *ir.Machine) string {
	state := names.StateType(agent)
	args := `""`
	if askedOf(m).named {
		args += ", nil, nil"
	}

	return "func(s " + state + ", key " + names.KeyType(agent) + ", prepare func(*runtime.Judge)) (" + state + ", bool) {\n" +
		"g := " + names.NewGuards(agent) + "(" + args + ")\nprepare(&g.Judge)\nreturn s.Next(key, g)\n}"
}

// guardedText is the table of a machine with guards: each row with its guard and its priority.
func guardedText(states []*ir.State) string {
	var lines []string
	for _, s := range states {
		if s.Terminal() {
			continue
		}
		rows := rowsOf(s)
		for i, row := range s.Rows {
			rows[i] = strings.TrimSuffix(rows[i], "}") + judgedText(row) + "}"
		}
		lines = append(lines, strconv.Quote(s.Name.Value)+": {"+strings.Join(rows, ", ")+"}")
	}

	return strings.Join(lines, ", ")
}

// judgedText is what a row has behind its target.
func judgedText(row *ir.Row) string {
	guard := ""
	switch when := row.When; {
	case when == nil:
	case when.Func == nil:
		guard = when.Text.Value
	case when.Not:
		guard = "not " + when.Func.Name.Value
	default:
		guard = when.Func.Name.Value
	}
	switch {
	case row.Priority != 0:
		return ", " + quoted(guard, strconv.Itoa(row.Priority))
	case row.When != nil:
		return ", " + quoted(guard)
	}

	return ""
}
