package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// item is a part of a program. Parts of two programs correspond if their keys are equal.
type item struct {
	key
	value string
	// number is the limit; 0 means unlimited.
	number float64
	replay replay
	// calls is the conversation that the limit applies to. A run that has made fewer calls has not
	// reached the limit.
	calls string
	// changesOutside is set for a tool that changes something outside of the run.
	changesOutside bool
}

type key struct{ kind, agent, name string }

// replay describes how a change of a part influences a resumed run. The zero value means not at
// all: the shape of the program covers the part, or nothing recorded depends on it.
type replay int

const (
	_ replay = iota
	// always: the behaviour of a run depends on it.
	always
	// texts: recorded texts depend on it, which are compared while the hash of all texts is equal.
	texts
	// limit: a run that has reached it behaves differently.
	limit
	// atLeast: a limit that only ends runs, so that raising it changes nothing.
	atLeast
)

// The kinds of parts, in the order of a report.
const (
	kindEntry   = "entry point"
	kindAgent   = "agent"
	kindState   = "state"
	kindNumber  = "number"
	kindRow     = "row"
	kindStep    = "step"
	kindLogic   = "logic"
	kindSignal  = "signals"
	kindMigrate = "migrate"
	kindTool    = "tool"
	kindGate    = "confirmation"
	kindReach   = "reach"
	kindHost    = "host"
	kindServer  = "server"
	kindVar     = "variable"
	kindStore   = "store"
	kindModel   = "model"
	kindBudget  = "budget"
	kindLimit   = "limit"
	kindSchema  = "schema"
	kindPrompt  = "prompt"
	kindSkill   = "skill"
	kindText    = "description"
	kindWording = "wording"
)

var kinds = []string{
	kindEntry, kindAgent, kindState, kindNumber, kindRow, kindStep, kindLogic, kindSignal, kindMigrate, kindTool, kindGate, kindReach, kindHost, kindServer,
	kindVar, kindStore, kindModel, kindBudget, kindLimit, kindSchema, kindPrompt, kindSkill, kindText, kindWording,
}

// items collects the parts of a program.
type items struct {
	program *ir.Program
	list    []item
	count   map[key]int
}

// collectItems returns the parts of a program, ordered by kind, and within a kind as in the
// program.
func collectItems(p *ir.Program) []item {
	l := &items{program: p, count: map[key]int{}}
	for _, a := range p.EntryPoints() {
		l.add(item{key: key{kindEntry, "", a.Name.Value}})
	}
	for _, a := range p.Agents {
		l.addAgent(a)
	}
	for _, s := range p.Skills {
		l.add(item{key: key{kindSkill, "", s.Name.Value}, value: s.Body.Value})
		l.add(item{key: key{kindText, "", s.Name.Value}, value: s.Description.Value})
		for _, f := range s.Files {
			l.add(item{key: key{kindSkill, s.Name.Value, f.Path}, value: f.Content})
		}
	}
	for _, t := range p.AllTools() {
		l.add(item{key: key{kindText, "", t.Name.Value}, value: t.Description.Value})
		l.addSchema(t.Name.Value, "input", t.Input)
		l.addSchema(t.Name.Value, "output", t.Output)
	}
	l.addConfig()
	slices.SortStableFunc(l.list, func(a, b item) int { return cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)) })

	return l.list
}

// add adds a part; further parts with the same key get a number.
func (l *items) add(i item) {
	l.count[i.key]++
	if n := l.count[i.key]; n > 1 {
		i.name += fmt.Sprintf(" (%d)", n)
	}
	l.list = append(l.list, i)
}

func (l *items) addLimit(agent, name string, n int, calls string) {
	l.add(item{key: key{kindLimit, agent, name}, value: fmt.Sprint(n), number: float64(n), replay: limit, calls: calls})
}

// addRounds adds a limit of a flow. The shape of the program covers it.
func (l *items) addRounds(agent, name string, n int) {
	if n > 0 {
		l.add(item{key: key{kindLimit, agent, name}, value: fmt.Sprint(n), number: float64(n)})
	}
}

func (l *items) addWording(agent, name string, value any) {
	l.add(item{key: key{kindWording, agent, name}, value: fmt.Sprintf("%#v", value), replay: texts})
}

func (l *items) addSchema(agent, name string, s *ir.Schema) {
	if s != nil {
		l.add(item{key: key{kindSchema, agent, name}, value: s.JSON})
	}
}

// addBudget adds the limits of a budget. Their names begin with prefix.
func (l *items) addBudget(agent, prefix string, b *ir.Budget) {
	if b == nil {
		return
	}
	for _, limit := range []struct {
		name   string
		number float64
		value  string
	}{
		{prefix + "calls", float64(b.Calls), fmt.Sprint(b.Calls)}, {prefix + "tokens", float64(b.Tokens), fmt.Sprint(b.Tokens)},
		{prefix + "usd", b.USD, fmt.Sprint(b.USD)}, {prefix + "time", b.Time.Seconds(), b.Time.String()},
	} {
		if limit.number != 0 {
			l.add(item{key: key{kindBudget, agent, limit.name}, value: limit.value, number: limit.number, replay: atLeast})
		}
	}
}

// addToolResultLimit adds a limit of the results of tools, in bytes. The part of a result that a
// model saw is recorded, so no run depends on the limit.
func (l *items) addToolResultLimit(name string, bytes int64) {
	if bytes > 0 {
		l.add(item{key: key{kindLimit, "", name}, value: fmt.Sprint(bytes), number: float64(bytes)})
	}
}

// addConfig adds the settings of the whole program.
func (l *items) addConfig() {
	p := l.program
	for _, h := range p.Reach.Hosts {
		l.add(item{key: key{kindHost, "", h.Value}})
	}
	if p.Reach.Root.Value != "" {
		l.add(item{key: key{kindReach, "", "files below"}, value: p.Reach.Root.Value})
	}
	if p.Reach.Shell {
		l.add(item{key: key{kindReach, "", "shell"}})
	}
	for _, s := range p.Servers {
		l.add(item{key: key{kindServer, "", s.Name.Value}, value: cmp.Or(s.URL, strings.Join(s.Command, " "))})
	}
	for _, v := range p.EnvVars() {
		l.add(item{key: key{kindVar, "", v}})
	}
	if p.Store.Value != "" {
		l.add(item{key: key{kindStore, "", "runs"}, value: p.Store.Value})
	}
	for _, m := range p.Models {
		l.add(item{key: key{kindModel, "", m.Role.Value}, value: strings.Join(append([]string{m.Name.Value}, ir.Values(m.Fallback)...), ", else ")})
	}
	l.addBudget("", "", p.Budget)
	l.addToolResultLimit("limits.tool_result", p.Limits.ToolResult)
	l.addToolResultLimit("limits.tool_result_max", p.Limits.ToolResultMax)
}

func (l *items) addAgent(a *ir.Agent) {
	name := a.Name.Value
	l.add(item{key: key{kindAgent, "", name}, value: a.Node.Pattern()})
	l.add(item{key: key{kindText, name, ""}, value: a.Description.Value})
	l.add(item{key: key{kindLogic, name, ""}, value: emit.ShapeHash(&ir.Program{Agents: []*ir.Agent{a}})})
	l.addBudget(name, "", a.Budget)
	if m := a.MachineOf(); m != nil {
		l.addMachine(name, m)
	}
	tools := map[string]bool{}
	for _, s := range a.Conversations() {
		l.addConversation(a, s)
		for _, ref := range s.Skills() {
			l.addTools(name, ref.Skill, tools)
		}
	}
	ir.Walk(a.Body(), func(op ir.Op) { l.addOperation(name, op) })
}

func (l *items) addConversation(a *ir.Agent, s *ir.Step) {
	name, step := a.Name.Value, s.Name.Value
	label := s.Label(name)
	l.add(item{key: key{kindPrompt, name, step}, value: s.Prompt.Value})
	l.addSchema(name, strings.TrimSpace(step+" output"), s.Output())
	if model := cmp.Or(s.Call.Name.Value, s.Call.Role.Value); model != "" {
		l.add(item{key: key{kindModel, name, step}, value: model})
	}
	under := func(field string) string { return strings.TrimSpace(step + " " + field) }
	switch n := s.Node.(type) {
	case *ir.React:
		l.addLimit(name, under("max_iter"), n.MaxIter, label)
		l.addLimit(name, under("repair"), n.Repair, label)
		l.addLimit(name, under("stuck"), n.Stuck, label)
	case *ir.Oneshot:
		l.addLimit(name, under("repair"), n.Repair, label)
	}
	if list := s.List(); list != nil {
		l.addLimit(name, under("max_items"), list.Max, "")
	}
}

// addTools adds the tools of a skill that the agent has not yet.
func (l *items) addTools(agent string, s *ir.Skill, added map[string]bool) {
	for _, ref := range s.Tools {
		name := cmp.Or(ref.Builtin, ref.Value)
		if added[name] {
			continue
		}
		added[name] = true
		switch spec := rt.Builtin(ref.Builtin); {
		case ref.Tool != nil:
			value := []string{string(ref.Tool.Effect)}
			if ref.Tool.Idempotent {
				value = append(value, "idempotent")
			}
			if ref.Tool.OnUnknown != "" {
				value = append(value, "after a crash "+ref.Tool.OnUnknown)
			}
			l.add(item{key: key{kindTool, agent, name}, value: strings.Join(value, ", "), changesOutside: ref.Tool.Effect != ir.Read})
			if ref.Tool.Confirm {
				l.add(item{key: key{kindGate, agent, name}, value: "a person, before each call", replay: always})
			}
		case spec != nil:
			l.add(item{key: key{kindTool, agent, name}, value: string(spec.Effect), changesOutside: spec.Effect != runtime.EffectRead})
		}
	}
}

// addMachine adds the states and rows of a machine.
func (l *items) addMachine(agent string, m *ir.Machine) {
	for i, s := range m.States {
		l.add(item{key: key{kindNumber, agent, s.Name.Value}, value: fmt.Sprint(i + 1)})
		runs := ""
		if s.Agent != nil && s.Agent.Name.Value != s.Name.Value {
			runs = s.Agent.Name.Value
		}
		l.add(item{key: key{kindState, agent, s.Name.Value}, value: runs})
		if s.Always != nil {
			l.add(item{key: key{kindRow, agent, s.Name.Value + " --> " + s.Always.Value}})
		}
		for _, r := range s.Rows {
			l.addRow(agent, s.Name.Value, r)
		}
	}
	for _, r := range m.Rows() {
		if r.IsFromAny() {
			l.addRow(agent, ir.CatchAll, r)
		}
	}
	l.add(item{key: key{kindState, agent, "the first"}, value: m.Initial.Value})
	l.addLimit(agent, "max_steps", m.MaxSteps, "")
	for _, r := range m.Live.Renames {
		l.add(item{key: key{kindMigrate, agent, r.From.Value}, value: r.To.Value})
	}
	for _, r := range m.Live.Signals {
		in := strings.Join(ir.Map(r.In, func(ref ir.Ref) string { return ref.Value }), ",")
		value := strings.TrimSpace(r.Do.String() + " " + r.Fire.Value + " " + in)
		l.add(item{key: key{kindSignal, agent, r.On.Value}, value: fmt.Sprint(value, " ", r.Priority), replay: always})
	}
}

func (l *items) addRow(agent, from string, r *ir.Row) {
	to, when := r.To.Value, ""
	if r.End {
		to = "~"
	}
	if r.When != nil {
		when = " [" + strings.Join(strings.Fields(r.When.Text.Value), " ") + "]"
	}
	priority := ""
	if r.Priority != 0 {
		priority = fmt.Sprint("priority ", r.Priority)
	}
	l.add(item{key: key{kindRow, agent, fmt.Sprintf("%s --%s%s--> %s", from, r.Key.Value, when, to)}, value: priority})
}

// addOperation adds the parts of an operation other than its place in the flow.
func (l *items) addOperation(agent string, op ir.Op) {
	switch op := op.(type) {
	case *ir.Task:
		if op.Part == ir.PartLoop || op.Part == ir.PartTurn || op.Part == ir.PartSkipped {
			return // the step has its text
		}
		if op.Span.File == nil {
			l.addPatternTask(agent, op)
			return
		}
		value := ""
		if len(op.Pipelines()) == 0 {
			value = op.Span.Text()
		}
		l.add(item{key: key{kindStep, agent, op.Name.Value}, value: value})
		l.addBudget(agent, op.Name.Value+" ", &ir.Budget{Tokens: op.Tokens, USD: op.USD})
	case *ir.Machine:
		l.addMachine(agent, op)
	case *ir.Loop:
		if op.OnBound == ir.BoundFails && op.Max > 0 {
			l.addLimit(agent, "max_loops", op.Max, "")
		}
		if op.OnBound == ir.BoundDone && !op.Wraps && op.Reduce != ir.ReduceResults {
			l.addRounds(agent, "rounds", op.Max)
		}
	case *ir.Branch:
		if limit, isLimit := ir.TurnTestOf(op.Condition()); isLimit {
			l.addRounds(agent, "max_iter", limit.N)
		}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Parallel, *ir.Ask, *ir.Return: // their text is part of the task
	}
}

// addPatternTask adds the texts that a task of a pattern gives to models. They are in no file.
func (l *items) addPatternTask(agent string, t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Run:
		l.addWording(agent, "input of "+t.Name.Value, ir.Describe(t.InputExpression()))
	case *ir.PassOn:
		l.addWording(agent, "value of "+t.Name.Value, ir.Describe(t.InputExpression()))
	case *ir.Loop:
		if do.Title != "" {
			l.addWording(agent, "title of "+t.Name.Value, do.Title)
		}
	case *ir.Return:
		l.addWording(agent, "end", fmt.Sprint(do.Limit, ir.Describe(do.Feedback)))
	case *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine, *ir.Branch, *ir.Parallel, *ir.Ask:
	}
}
