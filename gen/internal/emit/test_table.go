package emit

import (
	"maps"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// tableLines are the states that have rows, with these, a line for each state.
func tableLines(states []*ir.State) []jen.Code {
	var lines []jen.Code
	for _, s := range states {
		if !s.Terminal() {
			lines = append(lines, tableLine(s))
		}
	}

	return lines
}

// tableLine is a state with its rows, in their order.
func tableLine(s *ir.State) jen.Code {
	var rows []string
	if s.Always != nil {
		rows = append(rows, "{"+always+", "+strconv.Quote(s.Always.State.Name.Value)+"}")
	}
	for _, row := range s.Rows {
		to := "machinetest.End"
		if !row.End {
			to = strconv.Quote(row.To.State.Name.Value)
		}
		rows = append(rows, "{"+strconv.Quote(row.Key.Value)+", "+to+"}")
	}

	return jen.Lit(s.Name.Value).Op(":").Values(list(rows))
}

// guardedLines are the states that have rows, each with its rows in the order of the source.
func guardedLines(states []*ir.State) []jen.Code {
	var lines []jen.Code
	for _, s := range states {
		if !s.Terminal() {
			lines = append(lines, jen.Lit(s.Name.Value).Op(":").Custom(block, guardedRows(s)...))
		}
	}

	return lines
}

func guardedRows(s *ir.State) []jen.Code {
	if s.Always != nil {
		return []jen.Code{jen.Values(jen.Op(always), jen.Lit(s.Always.State.Name.Value))}
	}
	rows := make([]jen.Code, len(s.Rows))
	for i, row := range s.Rows {
		items := []jen.Code{jen.Lit(row.Key.Value), inTest("End")}
		if !row.End {
			items[1] = jen.Lit(row.To.State.Name.Value)
		}
		if row.When != nil || row.Priority != 0 {
			items = append(items, code(askedName(row.When)))
		}
		if row.Priority != 0 {
			items = append(items, jen.Lit(strconv.Itoa(row.Priority)))
		}
		rows[i] = jen.Values(items...)
	}

	return rows
}

// askedName is what a guard is called when it is asked; "" for none.
func askedName(guard *ir.Guard) string {
	switch {
	case guard == nil:
		return ""
	case guard.Func == nil:
		return guard.Text.Value
	case guard.Not:
		return "not " + guard.Func.Name.Value
	}

	return guard.Func.Name.Value
}

// always is the key of an unconditional state's row.
const always = "machinetest.Always"

// valuesIn are what agents finish with whose output has a schema, by agent; nil without any.
func valuesIn(values map[string][]string) *jen.Statement {
	var lines []jen.Code
	for _, agent := range slices.Sorted(maps.Keys(values)) {
		fitting := eachOf(values[agent], func(value string) jen.Code { return code(value) })
		lines = append(lines, jen.Lit(agent).Op(":").Values(fitting...))
	}

	return wanted(len(lines) > 0, inTest("Values").Custom(block, lines...))
}

func namesOf(states []*ir.State, is func(*ir.State) bool) []string {
	var list []string
	for _, s := range states {
		if is(s) {
			list = append(list, s.Name.Value)
		}
	}

	return list
}
