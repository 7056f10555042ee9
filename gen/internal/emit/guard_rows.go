package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// guardedCase adds the case of a state with guards: a switch over the keys, and behind it the rows for every key, to which a
// machine falls when the guards of all rows of a key say no.
func (m *machine) guardedCase(g *jen.Group, s *ir.State) {
	g.Case(m.state(s)).BlockFunc(func(g *jen.Group) {
		rest := s.Try(ir.CatchAll)
		if own := s.Keys(); len(own) > 0 {
			g.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
				for _, key := range own {
					g.Case(m.key(key)).BlockFunc(func(g *jen.Group) { m.tries(g, s.Try(key), "Else") })
				}
			})
			if len(rest) > 0 {
				g.Line()
			}
		}
		m.tries(g, rest, "CatchAll")
	})
}

// tries adds rows in the order in which they are tried: each guard and what its row gives; at the
// end the row without a guard, of which the method unguarded says whether it is taken. Only a row for every key is found in
// another way than its key where no guard was asked before.
func (m *machine) tries(g *jen.Group, rows []*ir.Row, unguarded string) {
	for i, row := range rows {
		switch {
		case row.When != nil:
			g.If(m.asks(row.When)).Block(m.take(row))
			continue
		case i == 0 && unguarded == "Else":
			g.Add(m.take(row))
		default:
			if i > 0 {
				g.Line()
			}
			g.Return(m.target(row), jen.Id("g").Dot(unguarded).Call())
		}

		return // what is behind a row without a guard is never tried
	}
}

// asks returns what asks a guard.
func (m *machine) asks(guard *ir.Guard) jen.Code {
	if guard.Func == nil {
		v := &view{machine: m, used: map[string]bool{}}
		truth := v.truth(guard.Formula.Root)
		if !ir.ReadsData(guard.Formula.Root) {
			truth = inWorkflow("Known").Call(v.formula(guard.Formula))
		}
		args := append([]jen.Code{jen.Id("g"), code(guard.Text.Value)}, v.operands(guard.Formula.Root)...)

		return listed(truth.Dot("Allows"), args)
	}
	method := "Ask"
	if guard.Not {
		method = "AskNot"
	}

	return jen.Id("g").Dot(method).Call(jen.Lit(guard.Func.Name.Value))
}
