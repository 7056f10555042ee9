package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// guardMethods are the methods of Guards.
func guardMethods(guards []*ir.GuardFunc) []userMethod {
	var methods []userMethod
	for _, guard := range guards {
		name := guard.Name.Value
		call := jen.Id("guards").Dot(names.Method(name))
		data := rawMessage()
		if guard.Data.IsStruct() {
			data = jen.Id(names.TypeOf(guard.Data))
			call = in("rt.AskTyped").Call(jen.Id("ctx"), jen.Id("in"), jen.Id("read"+names.TypeOf(guard.Data)), call)
		} else {
			call = call.Call(jen.Id("ctx"), jen.Id("in"))
		}
		doc := names.Method(name) + " is the guard " + name + "." + usesOf(guard)
		methods = append(methods, userMethod{guard.Name, doc, in("GuardInput").Types(data), in("Verdict"), call})
	}

	return methods
}

// guards emits the Guards interface, and the function that finds its methods by name.
func (s *shared) guards(f *jen.File) {
	methods := guardMethods(s.p.Guards)
	interfaceOf(f, "Guards", "Guards are the named guards of rows. An error of a method, and a panic, ends the run that asks as a "+
		"*runtime.GuardError; a live machine stays where it is. A live machine asks them while nothing else can move it: they must "+
		"not wait, and not call it.", methods)
	declare(f, names.NamedGuards+" finds the methods of guards by the names that rows have.",
		jen.Func().Id(names.NamedGuards).Params(jen.Id("guards").Id("Guards")).Add(in("rt.NamedGuards")).Block(
			jen.Return(jen.Func().
				Params(ctxParam(), jen.Id("name").String(), jen.Id("in").Add(in("GuardInput").Types(rawMessage()))).
				Params(in("Verdict"), jen.Error()).
				Block(byName(methods, in("Verdict").Values(), in("ErrNotImplemented"))...))))
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
