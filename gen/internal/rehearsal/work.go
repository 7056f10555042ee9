package rehearsal

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// work does what a step does, with each answer that may make a difference.
func (s *search) work(p point, t *ir.Task, data workflow.Value) []point {
	switch do := t.Do.(type) {
	case *ir.Run:
		if do.Step != nil {
			return s.replies(p, t, do.Step)
		}
		return s.plays(p, do.Agent.Agent)
	case *ir.UseFunc:
		return s.results(p, t, do.Func)
	case *ir.UseBuiltin:
		return s.builtin(p, do, data)
	case *ir.Hitl:
		return s.answers(p, t, do.Answer.Schema)
	case *ir.Import:
		return s.imports(p, t, do, data)
	case *ir.Conditional:
		return s.choose(p, do, data)
	case *ir.Repeat:
		f := &looping{outer{p.next}, t, do, 0}
		return f.next(s, []point{p.with(data)})
	case *ir.Each:
		return s.each(p, t, do)
	case *ir.Fork:
		return s.fork(p, t, do, data)
	case *ir.Machine:
		return s.machine(p, t, do, data)
	}

	return []point{p.with(data)}
}

// replies are those of a model: of each kind that may make a difference one, and a failure.
func (s *search) replies(p point, t *ir.Task, agent *ir.Step) []point {
	label := agent.Label(p.env.agent.Name.Value)
	var all []point
	for _, v := range s.candidates.values(t, agent.Output(), "An answer of "+label+".") {
		reply := Item{Kind: Reply, Name: label, Said: v.JSON()}
		if text, isText := v.AsText(); isText && agent.Output() == nil {
			reply.Said = text
		}
		all = append(all, p.noting(s, reply).with(v))
	}

	return append(all, p.noting(s, Item{Kind: Reply, Name: label, Fails: true}).failing())
}

// answers are those of a person.
func (s *search) answers(p point, t *ir.Task, schema *ir.Schema) []point {
	var all []point
	for _, v := range s.candidates.values(t, schema, "yes") {
		said := v.JSON()
		if text, isText := v.AsText(); isText {
			said = text
		}
		then := p.noting(s, Item{Kind: Answer, Name: t.Name.Value, Said: said}).with(v)
		then.env = then.env.copied()
		then.env.answer = v
		all = append(all, then)
	}

	return all
}

// results are those of a function.
func (s *search) results(p point, t *ir.Task, f *ir.Func) []point {
	var all []point
	values := s.candidates.values(t, f.Output, "A result of "+f.Name.Value+".")
	if f.Output == nil {
		values = append(values, s.candidates.read(t)...)
	}
	for _, v := range values {
		all = append(all, p.noting(s, Item{Kind: Return, Name: f.Name.Value, Said: v.JSON()}).with(v))
	}

	return append(all, p.noting(s, Item{Kind: Return, Name: f.Name.Value, Fails: true}).failing())
}

// verdicts are the results of a function that decides something: those of the wanted ones that fit its schema, and others that do.
func (s *search) verdicts(p point, f *ir.Func, wanted ...workflow.Value) []point {
	var values []workflow.Value
	for _, v := range wanted {
		if fits(f.Output, v) {
			values = append(values, v)
		}
	}
	if f.Output != nil {
		values = append(values, s.candidates.asked(nil).values(f.Output, "text")...)
	}
	var all []point
	for _, v := range distinct(values) {
		all = append(all, p.noting(s, Item{Kind: Return, Name: f.Name.Value, Said: v.JSON()}).with(v))
	}

	return append(all, p.noting(s, Item{Kind: Return, Name: f.Name.Value, Fails: true}).failing())
}

// plays runs an agent of the project.
func (s *search) plays(p point, a *ir.Agent) []point {
	var all []point
	for i, o := range s.contained(a) {
		all = append(all, p.noting(s, Item{Kind: Play, Agent: a, Outcome: i, count: o.Turns}).with(o.Value))
	}

	return all
}

// choose runs one of the branches.
func (s *search) choose(p point, do *ir.Conditional, data workflow.Value) []point {
	if do.Func != nil {
		return s.chosen(p, do, data)
	}
	key := data
	if do.Key != nil {
		key = p.env.eval().formula(do.Key)
	}
	if isUnknown(key) {
		p.doubtful = true
		all := s.otherwise(p, do, data)
		for _, arm := range do.Branches {
			all = append(all, s.pipeline(p, arm.Body, data, p.next)...)
		}
		return all
	}
	return s.branch(p, do, workflow.BranchKey(key), data)
}

// branch runs the branch with a key.
func (s *search) branch(p point, do *ir.Conditional, key string, data workflow.Value) []point {
	for _, arm := range do.Branches {
		if arm.Name.Value == key {
			return s.pipeline(p, arm.Body, data, p.next)
		}
	}

	return s.otherwise(p, do, data)
}

// otherwise is what happens where no branch has the key.
func (s *search) otherwise(p point, do *ir.Conditional, data workflow.Value) []point {
	if do.Default == nil {
		return []point{p.failing()}
	}

	return s.pipeline(p, do.Default, data, p.next)
}

// chosen runs the branch that a function answers with: each of them, and none.
func (s *search) chosen(p point, do *ir.Conditional, data workflow.Value) []point {
	var wanted []workflow.Value
	known := map[string]bool{}
	for _, arm := range do.Branches {
		known[arm.Name.Value] = true
		wanted = append(wanted, workflow.Text(arm.Name.Value))
	}
	other := "other"
	for i := 2; known[other]; i++ {
		other = "other-" + strconv.Itoa(i)
	}
	wanted = append(wanted, workflow.Text(other), workflow.Bool(true), workflow.Bool(false))

	var all []point
	for _, then := range s.verdicts(p, do.Func, wanted...) {
		if then.came == failed {
			all = append(all, then)
		} else {
			all = append(all, s.branch(then, do, workflow.BranchKey(then.value), data)...)
		}
	}

	return all
}
