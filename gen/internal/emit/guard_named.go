package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// guards emits the Guards interface, and what finds its methods.
func (s *shared) guards(f *jen.File) {
	declare(f, "Guards are the named guards of rows. An error of a method, and a panic, ends the run that asks as a "+
		"*runtime.GuardError; a live machine stays where it is. A live machine asks them while nothing else can move it: they must "+
		"not wait, and not call it.",
		jen.Type().Id("Guards").InterfaceFunc(func(g *jen.Group) {
			for i, guard := range s.p.Guards {
				if i > 0 {
					g.Line()
				}
				name := guard.Name.Value
				g.Add(comment(names.Method(name) + " is the guard " + name + "." + usesOf(guard)))
				g.Id(names.Method(name)).Params(ctxParam(), jen.Id("in").Add(guardInput(dataType(guard)))).
					Params(in("Verdict"), jen.Error())
			}
		}))
	s.namedGuards(f)
}

func guardNames(guards []*ir.GuardFunc) []string {
	var list []string
	for _, guard := range guards {
		list = append(list, guard.Name.Value)
	}

	return list
}

// usesOf says where a guard is asked: each state once, as far as they can be counted at a glance.
func usesOf(guard *ir.GuardFunc) string {
	const shown = 8
	var places []string
	known := map[string]bool{}
	for _, use := range guard.Uses {
		place := fmt.Sprintf("in state %s of %s on %s", use.State.Name.Value, use.Agent.Name.Value, use.Row.Key.Value)
		if !known[place] {
			known[place] = true
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return ""
	}
	more := ""
	if left := len(places) - shown; left > 0 {
		places, more = places[:shown], fmt.Sprintf("; and %d more", left)
	}

	return " It is asked " + strings.Join(places, "; ") + more + "."
}

// dataType is the Go type of the data that a guard is asked about.
func dataType(guard *ir.GuardFunc) *jen.Statement {
	if !guard.Data.IsStruct() {
		return rawMessage()
	}

	return jen.Id(names.TypeOf(guard.Data))
}

func guardInput(data *jen.Statement) *jen.Statement { return in("GuardInput").Types(data) }

// namedGuards emits the function that finds the methods by name.
func (s *shared) namedGuards(f *jen.File) {
	declare(f, names.NamedGuards+" finds the methods of guards by the names that rows have.",
		jen.Func().Id(names.NamedGuards).Params(jen.Id("guards").Id("Guards")).Add(in("NamedGuards")).Block(
			jen.Return(jen.Func().
				Params(ctxParam(), jen.Id("name").String(), jen.Id("in").Add(guardInput(rawMessage()))).
				Params(in("Verdict"), jen.Error()).Block(
				jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
					for _, guard := range s.p.Guards {
						g.Case(jen.Lit(guard.Name.Value)).Block(jen.Return(askNamed(guard)))
					}
				}),
				jen.Line(),
				jen.Return(in("Verdict").Values(), in("ErrNotImplemented"))))))
}

// askNamed returns the call of a method of Guards, which may want its data decoded.
func askNamed(guard *ir.GuardFunc) *jen.Statement {
	method := jen.Id("guards").Dot(names.Method(guard.Name.Value))
	if !guard.Data.IsStruct() {
		return method.Call(jen.Id("ctx"), jen.Id("in"))
	}

	return in("AskTyped").Call(jen.Id("ctx"), jen.Id("in"), jen.Id("read"+names.TypeOf(guard.Data)), method)
}
