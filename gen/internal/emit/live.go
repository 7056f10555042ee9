package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// livePath is the import path of the package that live machines link against.
const livePath = runtimePath + "/live"

// inLive returns the qualified name of something in package live.
func inLive(name string) *jen.Statement { return jen.Qual(livePath, name) }

// live emits the live machine: its type, what makes one, and what all of them have in common. What they do is in package live.
func (m *machine) live(f *jen.File) {
	l := &liveMachine{machine: m, live: &m.ir.Live}
	l.typ(f)
	l.memory(f)
	l.maker(f)
	l.spec(f)
	l.judges(f)
}

// liveMachine emits the live machine of a machine.
type liveMachine struct {
	*machine
	live *ir.Live
}

// remembers reports whether a live machine has to remember more than its state.
func (l *liveMachine) remembers() bool { return len(l.live.Timers) > 0 || l.use.any }

// memoryType returns the type of what it remembers.
func (l *liveMachine) memoryType() *jen.Statement {
	if l.remembers() {
		return jen.Id(names.LiveMemory(l.name))
	}

	return jen.Struct()
}

// types are what the generic types of package live are made of.
func (l *liveMachine) types() []jen.Code {
	return []jen.Code{jen.Id(l.stateType), jen.Id(l.keyType), l.memoryType()}
}

func (l *liveMachine) typ(f *jen.File) {
	name := names.LiveMachine(l.name)
	declare(f, name+" is a live "+l.name+": a state that other code moves, by the rows of its machine alone. "+
		"It is safe for concurrent use and runs no agents. Its methods are those of live.Machine.",
		jen.Type().Id(name).Struct(inLive("Machine").Types(l.types()...)))
}

// memory emits the type of what the machine remembers besides its state.
func (l *liveMachine) memory(f *jen.File) {
	if !l.remembers() {
		return
	}
	name := names.LiveMemory(l.name)
	declare(f, name+" is what a live "+l.name+" remembers besides its state.",
		jen.Type().Id(name).StructFunc(func(g *jen.Group) {
			if l.use.named {
				g.Id("guards").Id("Guards")
			}
			if l.use.any {
				g.Id("visits").Index(jen.Lit(len(l.ir.States) + 1)).Int64().Add(trailing("by state"))
			}
			if l.use.steps {
				g.Id("values").Index(jen.Lit(len(l.ir.States) + 1)).String().Add(trailing("by state"))
			}
			if len(l.live.Timers) > 0 {
				g.Id("deadline").Qual("time", "Time")
			}
		}))
}

// maker emits the function that makes a live machine.
func (l *liveMachine) maker(f *jen.File) {
	name, made := names.NewLive(l.name), names.LiveMachine(l.name)
	f.Add(comment(name + " returns a live " + l.name + " in its initial state, " + l.ir.Initial.Value + "."))
	params := []jen.Code{jen.Id("options").Op("...").Add(inLive("Option"))}
	var memory []jen.Code
	if l.use.named {
		params = append([]jen.Code{jen.Id("guards").Id("Guards")}, params...)
		memory = append(memory, jen.Id("guards").Op(":").Id("guards"))
	}
	f.Func().Id(name).Params(params...).Op("*").Id(made).Block(
		jen.Id("m").Op(":=").Op("&").Id(made).Values(),
		inLive("Start").Call(jen.Op("&").Id("m").Dot("Machine"), jen.Op("&").Id(names.LiveSpec(l.name)),
			l.memoryType().Values(memory...), jen.Id("options").Op("...")),
		jen.Line(),
		jen.Return(jen.Id("m")),
	)
	f.Line()
}

// spec emits the variable with what all live machines of the kind have in common.
func (l *liveMachine) spec(f *jen.File) {
	name := names.LiveSpec(l.name)
	decides := fieldsOf("Next", l.ofState("Next"))
	if l.use.any {
		decides = fieldsOf("Judge", jen.Parens(jen.Op("*").Add(l.memoryType())).Dot("judge"))
	}
	table := slices.Concat(
		fieldsOf("Name", l.name, "Shape", MachineShape(l.ir), "Initial", l.state(l.ir.Initial.State), "Plain", l.plain()),
		decides,
		fieldsOf("Canonical", l.ofState("CanonicalKey"), "Keys", wanted(len(l.keys) > 0, l.ofState("Keys")),
			"Parse", jen.Id(names.ParseState(l.name)), "Ends", l.endsAtOnce()),
		l.around())

	declare(f, name+" defines the live machines of "+l.name+".",
		jen.Var().Id(name).Op("=").Add(inLive("Spec")).Types(l.types()...).Add(table.braces()))
}

// MachineShape is a hash over a machine: snapshots of its live machines say by it which one they are of.
func MachineShape(m *ir.Machine) string {
	d := newDigest()
	d.machine(m)

	return d.sum()
}

// ofState is a method of the states as a function.
func (l *liveMachine) ofState(method string) *jen.Statement { return jen.Id(l.stateType).Dot(method) }

// plain reports whether Next alone decides.
func (l *liveMachine) plain() bool {
	for _, s := range l.ir.States {
		if s.Always != nil || hasCatchAll(s) {
			return false
		}
	}

	return len(l.live.Access) == 0 && len(l.live.Timers) == 0 && !l.use.any
}
