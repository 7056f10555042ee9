package emit

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// tableLines are the states that have rows, with these in the order of the source: a line for each state or, with guards, for each row.
func tableLines(states []*ir.State, guarded bool) []jen.Code {
	var lines []jen.Code
	for _, s := range states {
		rows := rowsOf(s)
		switch {
		case s.Terminal():
		case guarded:
			lines = append(lines, jen.Lit(s.Name.Value).Op(":").Custom(block, eachOf(rows, func(row string) jen.Code { return jen.Op(row) })...))
		default:
			lines = append(lines, jen.Lit(s.Name.Value).Op(":").Values(list(rows)))
		}
	}

	return lines
}

// rowsOf are the rows of a state: each has the key, the target, and the guard and the priority where there are any.
func rowsOf(s *ir.State) []string {
	if s.Always != nil {
		return []string{"{machinetest.Always, " + strconv.Quote(s.Always.State.Name.Value) + "}"}
	}
	var rows []string
	for _, row := range s.Rows {
		items := []string{strconv.Quote(row.Key.Value), "machinetest.End"}
		if !row.End {
			items[1] = strconv.Quote(row.To.State.Name.Value)
		}
		if row.When != nil || row.Priority != 0 {
			items = append(items, literalOf(askedName(row.When)))
		}
		if row.Priority != 0 {
			items = append(items, strconv.Quote(strconv.Itoa(row.Priority)))
		}
		rows = append(rows, "{"+strings.Join(items, ", ")+"}")
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
