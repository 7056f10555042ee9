package verify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// asked is what the guards of a machine read.
type asked struct {
	guards, named, visits, data bool
	steps                       map[*ir.Output]bool
}

func askedOf(m *ir.Machine) asked {
	a := asked{steps: map[*ir.Output]bool{}}
	roots := map[ir.Root]bool{}
	for _, s := range m.States {
		for _, row := range s.Rows {
			switch {
			case row.When == nil:
				continue
			case row.When.Func != nil:
				a.named = true
			default:
				a.expression(row.When.Formula.Root, roots)
			}
			a.guards = true
		}
	}
	if roots[ir.RootSteps] {
		for _, o := range m.Outputs {
			a.steps[o] = true
		}
	}
	a.visits, a.data = roots[ir.RootVisits] || a.named, roots[ir.RootData]

	return a
}

func (a *asked) expression(x ir.Expression, roots map[ir.Root]bool) {
	ir.WalkExpression(x, func(x ir.Expression) {
		if access, isAccess := x.(*ir.Access); isAccess {
			roots[access.Root] = true
			if access.Root == ir.RootStep {
				a.steps[access.Output] = true
			}
		}
	})
}

// askedSteps are the outputs that are read, in the order of the states.
func (m *machine) askedSteps() []*ir.Output {
	return slices.DeleteFunc(slices.Clone(m.ir.Outputs), func(o *ir.Output) bool { return !m.asked.steps[o] })
}

// explicitly makes the conditions of the transition function such that it is compared what they mean.
func (m *machine) explicitly() {
	next := strings.ToLower(m.method("next")) // and its pieces
	file := &emit.File{Name: names.File(m.agent), Content: m.source}
	d, err := m.explicitIn(file, func(name string) bool { return strings.HasPrefix(strings.ToLower(name), next) })
	if err != nil {
		m.err = err
		return
	}
	m.decls = d
}

// guards compares the type that asks the guards, if there are any.
func (m *machine) guards() {
	name, create := names.GuardsType(m.name), names.NewGuards(m.name)
	if !m.asked.guards {
		m.absent(create)
		return
	}
	visits := "[" + strconv.Itoa(len(m.ir.States)+1) + "]int64"
	fields, begin := "runtime.Judge\n", "g.Judge.Begin(s.String(), string(key), value)\n"
	params, judge, counter := "input string", `Machine: `+strconv.Quote(m.agent)+`, Input: input`, ""
	if m.asked.named {
		params += ", door func(runtime.GuardCall) (runtime.Verdict, error), guards Guards"
		judge += ", Door: door, Guards: " + names.NamedGuards + "(guards)"
		begin += "g.Visit = int(g.Visits[s])\n"
	}
	if m.asked.visits {
		fields += "Visits *" + visits + "\n"
		counter = "Visits: new(" + visits + "), "
	}
	if m.asked.data {
		fields += "Data workflow.Value\n"
		begin += "g.Data = workflow.Data(value)\n"
	}
	if len(m.asked.steps) > 0 {
		fields += "Steps " + names.StepsType(m.name) + "\n"
		begin += "g.Steps.keep(s, value)\n"
		m.guardSteps()
	}
	m.typeOf(name, "struct { "+fields+"}")
	m.writtenFunc(create, "func "+create+"("+params+") *"+name+" { return &"+name+"{Judge: runtime.Judge{"+judge+"}, "+counter+"} }")
	m.writtenFunc(name+".Begin",
		"func (g *"+name+") Begin(s "+m.stateType()+", key "+m.keyType()+", value string) { "+begin+"}")
}

// guardSteps compares the type that holds what agents gave.
func (m *machine) guardSteps() {
	name := names.StepsType(m.name)
	var fields, cases strings.Builder
	for _, o := range m.askedSteps() {
		field := names.StepField(o.Name.Value)
		fields.WriteString(field + " workflow.Value\n")
		cases.WriteString("case " + names.State(m.name, o.Name.Value) + ": k." + field + " = workflow.Gave(value)\n")
	}
	m.typeOf(name, "struct { "+fields.String()+"}")
	m.writtenFunc(name+".keep", "func (k *"+name+") keep(s "+m.stateType()+", value string) { switch s { "+cases.String()+"} }")
}

func guardNames(p *ir.Program) []string {
	list := make([]string, len(p.Guards))
	for i, guard := range p.Guards {
		list[i] = guard.Name.Value
	}

	return list
}

// namedGuards compares the interface with the named guards, and what finds its methods.
func (r *reader) namedGuards(p *ir.Program) {
	if len(p.Guards) == 0 {
		r.absent(names.NamedGuards)
		return
	}
	var methods, cases strings.Builder
	for _, guard := range p.Guards {
		method, data, typed := names.Method(guard.Name.Value), "json.RawMessage", guard.Data.IsStruct()
		if typed {
			data = names.TypeOf(guard.Data)
		}
		methods.WriteString(method + "(ctx context.Context, in runtime.GuardInput[" + data + "]) (runtime.Verdict, error)\n")
		call := "guards." + method + "(ctx, in)"
		if typed {
			call = "runtime.AskTyped(ctx, in, decode" + data + ", guards." + method + ")"
		}
		cases.WriteString("case " + strconv.Quote(guard.Name.Value) + ": return " + call + "\n")
	}
	r.typeOf("Guards", "interface { "+methods.String()+"}")
	r.writtenFunc(names.NamedGuards, "func "+names.NamedGuards+`(guards Guards) runtime.NamedGuards {
		return func(ctx context.Context, name string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			switch name {
			`+cases.String()+`}
			return runtime.Verdict{}, runtime.ErrNotImplemented
		}
	}`)
}
