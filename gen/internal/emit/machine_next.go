package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitNext emits the transition function: a switch over the states, and in each case one over the
// keys.
func (m *machine) emitNext(f *jen.File) {
	params, args := []jen.Code{jen.Id("key").Id(m.keyType)}, []jen.Code{jen.Id("key")}
	doc := "Next returns the state after s when " + m.actorName() + " key. ok is false if s has no row for key."
	if len(m.keys) == 0 {
		doc = "Next returns the state after s, whatever the key. ok is false if s has no row."
	}
	if m.isEmptyRun() {
		doc += " A row that leads to ~ ends the machine, and gives 0, true."
	}
	if m.use.any {
		doc += " ok is also false if no guard of the rows holds, or if one fails; then g, which must have begun, has the reason."
		params = append(params, jen.Id("g").Op("*").Add(inRuntime("rt.Judge")))
		args = append(args, jen.Id("g"))
	}
	m.emitNextPieces(f, doc, params, args)
}

func (m *machine) actorName() string {
	if m.ir.External {
		return "it is given"
	}

	return "its agent finishes with"
}

func (m *machine) addNextCase(g *jen.Group, s *ir.State) {
	switch {
	case s.HasGuards():
		m.addGuardedCase(g, s)
	case s.Always != nil:
		g.Case(m.stateConstant(s)).Block(jen.Return(m.stateConstant(s.Always.State), jen.True()))
	case len(s.Rows) == 1 && s.Rows[0].IsCatchAll():
		g.Case(m.stateConstant(s)).Block(m.returnRow(s.Rows[0]))
	case len(s.Rows) > 0:
		g.Case(m.stateConstant(s)).Block(jen.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
			for _, rows := range groupByTarget(s.Rows) {
				if rows[0].IsCatchAll() {
					g.Default().Block(m.returnRow(rows[0]))
					continue
				}
				keys := ir.Map(rows, func(row *ir.Row) string { return names.Key(m.name, row.Key.Value) })
				g.Case(wrapItems(keys)).Block(m.returnRow(rows[0]))
			}
		}))
	}
}

// hasSameTarget reports whether two rows lead to the same state, and neither is a catch-all.
func hasSameTarget(a, b *ir.Row) bool {
	return !a.IsCatchAll() && !b.IsCatchAll() && a.End == b.End && a.To.State == b.To.State
}

// groupByTarget groups consecutive rows without guards that lead to the same state into one case.
// The catch-all row is alone.
func groupByTarget(rows []*ir.Row) [][]*ir.Row {
	var groups [][]*ir.Row
	for i, row := range rows {
		if i > 0 && hasSameTarget(row, rows[i-1]) {
			groups[len(groups)-1] = append(groups[len(groups)-1], row)
			continue
		}
		groups = append(groups, []*ir.Row{row})
	}

	return groups
}

// returnRow returns the statement for a row that is taken.
func (m *machine) returnRow(row *ir.Row) jen.Code {
	return jen.Return(m.targetState(row), jen.True())
}

// targetState returns the state after a row: 0 if the machine ends there.
func (m *machine) targetState(row *ir.Row) *jen.Statement {
	if row.End {
		return jen.Lit(0)
	}

	return m.stateConstant(row.To.State)
}

func (m *machine) isEmptyRun() bool {
	return slices.ContainsFunc(m.ir.Rows(), func(row *ir.Row) bool { return row.End })
}

// canReject reports whether a state that is not a terminal has no row for some key.
func (m *machine) canReject() bool {
	return slices.ContainsFunc(m.ir.States, func(s *ir.State) bool { return len(s.Rows) > 0 && !hasCatchAll(s) })
}

func hasCatchAll(s *ir.State) bool { return slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) }

// addGuardedCase adds the case of a state with guards: a switch over the keys, then the catch-all
// rows, which are tried if no guard of a key's rows holds.
func (m *machine) addGuardedCase(g *jen.Group, s *ir.State) {
	g.Case(m.stateConstant(s)).BlockFunc(func(g *jen.Group) {
		rest := s.RowsByPriority(ir.CatchAll)
		if own := s.Keys(); len(own) > 0 {
			g.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
				for _, key := range own {
					g.Case(m.keyConstant(key)).BlockFunc(func(g *jen.Group) { m.addTries(g, s.RowsByPriority(key), "AllowsElse") })
				}
			})
			if len(rest) > 0 {
				g.Line()
			}
		}
		m.addTries(g, rest, "AllowsCatchAll")
	})
}

// addTries adds rows in the order in which they are tried: each guard with its row, at the end the
// row without a guard. The method unguarded decides whether that row is taken. Only a catch-all row
// is matched otherwise than by its key if no guard was called before.
func (m *machine) addTries(g *jen.Group, rows []*ir.Row, unguarded string) {
	for i, row := range rows {
		switch {
		case row.When != nil:
			g.If(m.guardCode(row.When)).Block(m.returnRow(row))
			continue
		case i == 0 && unguarded == "AllowsElse":
			g.Add(m.returnRow(row))
		default:
			if i > 0 {
				g.Line()
			}
			g.Return(m.targetState(row), jen.Id("g").Dot(unguarded).Call())
		}

		return // rows after one without a guard are never tried
	}
}

// guardCode returns the call of a guard.
func (m *machine) guardCode(guard *ir.Guard) jen.Code {
	if guard.Func == nil {
		v := &view{machine: m, used: map[string]bool{}}
		truth := inWorkflow("Known")
		if v.canBeUnknown(guard.Formula.Root) {
			truth = v.truthValueCode(guard.Formula.Root)
		} else {
			truth.Call(v.formulaCode(guard.Formula))
		}

		return callWithArgs(truth.Dot("Allows"), append([]jen.Code{jen.Id("g")}, v.sourceAndOperands(guard.Text, guard.Formula.Root)...))
	}
	method := "Ask"
	if guard.Not {
		method = "AskNot"
	}

	return jen.Id("g").Dot(method).Call(jen.Lit(guard.Func.Name.Value))
}

// emitEventRows emits the rows of a workflow's machine: a table of those that are first for their
// state and event and have no guard, and a method for the others.
func (m *machine) emitEventRows(f *jen.File) {
	if m.hasUnguardedRows() {
		emitVar(f, names.Rows(m.name), "are the rows of "+m.title+" without guards by state and event",
			inWorkflow("Rows").Types(jen.Id(m.stateType)).Custom(block, m.unguardedRows()...))
	}
	if !m.hasGuardedRows() {
		return
	}
	name := m.methodName(names.Next)
	doc := name + " returns the target of the first row that matches state and on, and how the row was found. It returns 0 and \"\" if " +
		"no row matches."
	if m.hasUnguardedRows() {
		doc += " It has the events with guards, and " + names.Rows(m.name) + " the others."
	}
	emitDeclaration(f, doc,
		m.runMethodHead(name, jen.Id("state").Id(m.stateType), jen.Id("on").Add(inWorkflow("Event"))).Params(jen.Id(m.stateType), inRuntime("rt.Match")).BlockFunc(func(g *jen.Group) {
			m.addSwitches(g)
			g.Line()
			g.Return(jen.Lit(0), jen.Lit(""))
		}))
}

// hasUnguardedRows reports whether some state and event have a row in the table.
func (m *machine) hasUnguardedRows() bool {
	return slices.ContainsFunc(m.ir.States, func(s *ir.State) bool { return len(m.ir.UnguardedRows(s)) > 0 })
}

// hasGuardedRows reports whether some state and event have rows with guards.
func (m *machine) hasGuardedRows() bool { return len(m.statesWithSameRows()) > 0 }

// unguardedRows returns the lines of the table.
func (m *machine) unguardedRows() []jen.Code {
	var lines []jen.Code
	for _, s := range m.ir.States {
		rows := ir.Map(m.ir.UnguardedRows(s), func(row *ir.Row) jen.Code {
			fields := []jen.Code{jen.Id("To").Op(":").Add(m.stateConstant(row.To.State))}
			if row.IsFromAny() {
				fields = append(fields, jen.Id("FromAny").Op(":").True())
			}

			return eventConstant(row.Key.Value).Op(":").Values(fields...)
		})
		if len(rows) > 0 {
			lines = append(lines, m.stateConstant(s).Op(":").Values(rows...))
		}
	}

	return lines
}

// eventConstant returns the constant of an event.
func eventConstant(event string) *jen.Statement { return inWorkflow(upperFirst(event)) }

// statesWithSameRows groups the states that have the same rows for each event with guards. It omits
// states without such events.
func (m *machine) statesWithSameRows() [][]*ir.State {
	var groups [][]*ir.State
	sharing := map[*ir.Row][]int{} // the groups with this first row
	for _, s := range m.ir.States {
		rows := m.guardedRows(s)
		all := slices.Concat(rows...)
		if len(all) == 0 {
			continue
		}
		isSame := func(group int) bool {
			return slices.EqualFunc(m.guardedRows(groups[group][0]), rows, slices.Equal[[]*ir.Row])
		}
		if i := slices.IndexFunc(sharing[all[0]], isSame); i >= 0 {
			group := sharing[all[0]][i]
			groups[group] = append(groups[group], s)
			continue
		}
		sharing[all[0]] = append(sharing[all[0]], len(groups))
		groups = append(groups, []*ir.State{s})
	}

	return groups
}

// guardedRows returns the rows of a state for each event with guards, and nil for the others.
func (m *machine) guardedRows(s *ir.State) [][]*ir.Row {
	return ir.Map(ir.Events, func(event string) []*ir.Row { return m.ir.GuardedRowsOn(s, event) })
}

// addSwitches adds the rows of each state and event with guards. States with the same rows share a
// case.
func (m *machine) addSwitches(g *jen.Group) {
	g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
		for _, states := range m.statesWithSameRows() {
			g.Add(m.statesCase(states, jen.Switch(jen.Id("on")).BlockFunc(func(g *jen.Group) {
				for _, event := range ir.Events {
					if rows := m.ir.GuardedRowsOn(states[0], event); rows != nil {
						g.Case(eventConstant(event)).BlockFunc(func(g *jen.Group) { m.addEventRows(g, rows) })
					}
				}
			})))
		}
	})
}

// addEventRows adds the rows of an event: the guard of each in Go, and its result. If all have
// guards, the failed ones are recorded with the values that they read, for the error of a state
// that no row leaves. A row without a guard is not taken after an unknown guard.
func (m *machine) addEventRows(g *jen.Group, rows []*ir.Row) {
	canStall := rows[len(rows)-1].When != nil
	allows := "Allows"
	if !canStall {
		allows = "AllowsElse"
	}
	canBeUnknown := false
	for _, row := range rows {
		match := inRuntime("rt.MatchExact")
		if row.IsFromAny() {
			match = inRuntime("rt.MatchCatchAll")
		}
		if row.When == nil {
			if canBeUnknown {
				match = jen.Id("r").Dot("MatchUnguarded").Call(match)
			}
			g.Return(m.stateConstant(row.To.State), match)
			return
		}
		v := &view{w: m.workflow, item: m.workflow.items[m.at], used: map[string]bool{}}
		take := jen.Return(m.stateConstant(row.To.State), inRuntime("rt.MatchGuard"))
		formula := row.When.Formula
		if v.canBeUnknown(formula.Root) {
			canBeUnknown = true
			g.If(callWithArgs(v.truthValueCode(formula.Root).Dot(allows), append([]jen.Code{jen.Id("r")}, v.sourceAndOperands(row.When.Text, formula.Root)...))).Block(take)
			continue
		}
		g.If(v.formulaCode(formula)).Block(take)
		if canStall {
			g.Add(callWithArgs(jen.Id("r").Dot("RecordFalse"), v.sourceAndOperands(row.When.Text, formula.Root)))
		}
	}
}

// operandsCode returns the values that an expression reads, for the message about a failed guard.
func (v *view) operandsCode(x ir.Expression) []jen.Code {
	return ir.Map(ir.AccessedValues(x), func(read ir.Expression) jen.Code {
		return memberCode(codeLiteral(ir.SourceText(read)), v.valueCode(read))
	})
}

// The Go compiler needs more than linear time and memory for one function with very many cases, and
// an additional call and an unpredictable branch cost run time. So Next stays whole as long as
// possible, is then halved, and is cut into small pieces only if memory would run out. Measured
// with go 1.26 on two cores, rows of three keys out of eight, random order:
//
//	states   pieces of   a transition   compiling Next alone
//	   512         512   17 ns          0.4 s
//	  1000        1000                  1.0 s   200 MB   (a switch written by hand)
//	  1000         500                  0.6 s   200 MB
//	  4096        4096   21 ns          5.6 s            (a switch written by hand)
//	  4096        2048   24 ns
//	  4096        1024   26 ns
//	  4096         256   29 ns
//	 10000        2048                  9.1 s   1.5 GB
//	 10000         512                  6.7 s   1.1 GB
//	 10000         256                  5.6 s   0.9 GB
//	 10000         128                  3.3 s   0.8 GB
//
// With that, runtime/benchmarks (-only transition,build) measures a transition at 1.01, 0.98, 0.96
// and 1.09 times the time of a handwritten switch for 8, 64, 512 and 4,096 states. go build of all
// code of 1,000 states takes 0.92 times as long, and needs 1.55 GB for 10,000.
const (
	// wholeNext is the largest number of states for which Next is one switch.
	wholeNext = 512
	// halvedNext is the largest number for which it is two.
	halvedNext = 4096
	// smallNext is the size of its pieces above that.
	smallNext = 256
)

// nextPieces divides the states of a machine evenly for Next.
func nextPieces(states []*ir.State) [][]*ir.State {
	n, count := len(states), 1
	switch {
	case n > halvedNext:
		count = (n + smallNext - 1) / smallNext
	case n > wholeNext:
		count = 2
	}

	return slices.Collect(slices.Chunk(states, (n+count-1)/count))
}

// emitNextPieces emits Next: whole, or as a method that finds the piece with the case of a state,
// and the pieces.
func (m *machine) emitNextPieces(f *jen.File, doc string, params, args []jen.Code) {
	head := func(name string) *jen.Statement {
		return jen.Func().Params(jen.Id("s").Id(m.stateType)).Id(name).Params(params...).
			Params(jen.Id("next").Id(m.stateType), jen.Id("ok").Bool())
	}
	whole := func(name string, states []*ir.State) *jen.Statement {
		return head(name).Block(
			jen.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
				for _, s := range states {
					m.addNextCase(g, s)
				}
			}),
			jen.Line(),
			jen.Return(jen.Lit(0), jen.False()))
	}
	pieces := nextPieces(m.ir.States)
	last := len(pieces) - 1
	if last == 0 {
		emitDeclaration(f, doc, whole("Next", pieces[0]))
		return
	}
	call := func(piece []*ir.State) jen.Code { return jen.Return(jen.Id("s").Dot(pieceName(piece)).Call(args...)) }
	emitDeclaration(f, doc, head("Next").Block(
		jen.Switch().BlockFunc(func(g *jen.Group) {
			for _, piece := range pieces[:last] {
				g.Case(jen.Id("s").Op("<=").Add(m.stateConstant(piece[len(piece)-1]))).Block(call(piece))
			}
		}),
		jen.Line(),
		call(pieces[last])))
	for _, piece := range pieces {
		f.Add(newComment(pieceName(piece) + " is the part of Next from " + piece[0].Name.Value + " to " + piece[len(piece)-1].Name.Value + "."))
		f.Comment("//")
		f.Comment("//go:noinline") // otherwise the Go compiler would merge the pieces
		f.Add(whole(pieceName(piece), piece))
		f.Line()
	}
}

// pieceName returns the name of the piece of Next that begins with a state.
func pieceName(piece []*ir.State) string { return names.Range("next", piece[0].Name.Value) }
