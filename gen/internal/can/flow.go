package can

import (
	"maps"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flowRun follows facts through the operations of a pattern. A variable that may hold untrusted text is a fact.
type flowRun struct {
	*analysis
	*result
	agent *ir.Agent
	// counters are the rounds of the loops that are under way, as far as they are looked at one by one.
	counters map[*ir.Output]int
}

func variable(o *ir.Output) fact { return fact{slot: "variable", name: o.Name.Value, depth: 1} }

// body returns the facts behind tasks.
func (f *flowRun) body(p *ir.Pipeline, in facts) facts {
	for _, t := range p.Steps() {
		if len(in) == 0 {
			break
		}
		in = f.task(t, in)
	}

	return in
}

func (f *flowRun) task(t *ir.Task, in facts) facts {
	switch op := t.Do.(type) {
	case *ir.Run:
		out := facts{}
		f.run(t, op, variable(t.Output), in, out, func(t *trace) { f.exit("", failure, t) })
		return out
	case *ir.Parallel:
		return f.together(op, variable(t.Output), in)
	case *ir.PassOn:
		return assign(in, variable(t.Output), reads(t.Value()))
	case *ir.Ask:
		return f.ask(op, t, in)
	case *ir.Loop:
		if op.Reduce == ir.ReduceResults {
			return f.group(op, variable(t.Output), in)
		}
		return f.loop(op, in)
	case *ir.Branch:
		return f.branch(op, in)
	case *ir.Return:
		f.returns(op, ir.OutputOf(t.Value()), in)
		return nil
	case *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine:
	}

	panic(notFollowed(t.Do))
}

// reads are the facts that make a text untrusted.
func reads(x ir.Expression) []fact {
	switch x := x.(type) {
	case *ir.Access:
		if x.Root == ir.RootInput {
			return []fact{given}
		}
		return []fact{variable(x.Output)}
	case *ir.Report:
		return reads(x.X)
	case *ir.Notes:
		ofSection := func(s ir.Section) []fact { return reads(s.Text) }
		return append(reads(x.Base), ir.Flat(x.Sections, ofSection)...)
	case nil:
		return nil
	}

	panic(notFollowed(x))
}

// assign gives a variable what is read of others.
func assign(in facts, to fact, from []fact) facts { return in.write(to, nil, in.best(from)) }

// outcomes follows facts through something that is given what is read of in. It calls inner for each fact of its own behind it, value
// among them, and around for each fact that it does not know of.
func (r *result) outcomes(in facts, read []fact, run func(from fact) *result, inner, around func(name fact, t *trace)) {
	out := func(_ key, name fact, t *trace) { inner(name, t) }
	for _, name := range in.sorted() {
		if name == reached || name == memory || name == world {
			r.behind(in[name], run(name), out)
			continue
		}
		through := run(reached)
		for _, key := range sorted(through.exits) {
			if pass := through.exits[key][reached]; pass != nil {
				around(name, in[name].sub(pass))
			}
		}
	}
	if t := in.best(read); t != nil {
		r.behind(t, run(given), out)
	}
}

// run runs a conversation or an agent, and adds the facts behind it, its value as that of a variable. fails is called where it fails.
func (f *flowRun) run(t *ir.Task, op *ir.Run, to fact, in, out facts, fails func(*trace)) {
	inner := func(name fact, t *trace) {
		switch {
		case name == value:
			out.add(to, t)
		case name == failure:
			fails(t)
		case !name.isOf(context): // that of a workflow ends with it
			out.add(name, t)
		}
	}
	f.outcomes(in, reads(t.Value()), f.runner(f.agent, op), inner, func(name fact, t *trace) {
		if name != to { // that has another value now
			out.add(name, t)
		}
	})
}

// runner is what an operation of an agent runs.
func (x *analysis) runner(a *ir.Agent, op *ir.Run) func(fact) *result {
	return func(from fact) *result {
		if op.Step != nil {
			return x.conversation(talk{agent: a, label: op.Step.Label(a.Name.Value), step: op.Step}, from)
		}
		return x.agent(op.Agent.Agent, from)
	}
}

// ask waits for a person, whose answer is trusted, and so is what the question shows from then on.
func (f *flowRun) ask(op *ir.Ask, t *ir.Task, in facts) facts {
	question, answer := variable(ir.OutputOf(t.Value())), variable(t.Output)

	return f.asks(f.agent.Name.Value, op, in, func(name fact) bool { return name == question || name == answer })
}

// asks returns the facts behind a question, but for those that it shows. There are none if no run gets past it.
func (x *analysis) asks(name string, ask *ir.Ask, in facts, shows func(fact) bool) facts {
	out := facts{}
	for fact, t := range in {
		if x.blocked != personName(name) && !shows(fact) {
			out[fact] = t.then(Step{Do: "ask", Agent: name, ask: ask})
		}
	}

	return out
}

func personName(of string) string { return "person " + of }

// returns ends the flow with the newest value of an output.
func (f *flowRun) returns(op *ir.Return, of *ir.Output, in facts) {
	k := map[ir.ReturnKey]key{ir.KeyDone: ir.DoneKey, ir.KeyExhausted: ir.ExhaustedKey, ir.KeyUnfinished: ir.ExhaustedKey}[op.Key]
	for name, t := range in {
		switch name {
		case variable(of):
			f.exit(k, value, t)
		case reached, memory, world:
			f.exit(k, name, t)
		}
	}
}

// branch does operations on a condition, which may hold or not.
func (f *flowRun) branch(op *ir.Branch, in facts) facts {
	if limit, counts := ir.TurnTestOf(op.Condition()); counts {
		round, counted := f.counters[limit.Turn]
		switch {
		case counted && round != limit.N:
			return in
		case counted:
			return f.body(op.Then(), in)
		}
	}
	then, other := Step{Do: "finish"}, Step{Do: "finish"}
	if _, says := op.Condition().(*ir.SaysDone); says {
		then.done = true
	}
	if test, isKey := ir.KeyTestOf(op.Condition()); isKey {
		then.Key = test.Key
		if test.Not {
			then, other = other, then
		}
	}
	out := f.body(op.Then(), in.with(then))
	if out == nil {
		out = facts{}
	}
	out.addAll(in.with(other))

	return out
}

// exactRounds is how many rounds of a loop are looked at one by one.
const exactRounds = 64

// loop repeats operations: as often as it says, or until they return. A loop of many rounds is over when no round adds a fact any more.
func (f *flowRun) loop(op *ir.Loop, in facts) facts {
	out, seen := facts{}, facts{}
	list, isList := op.Over.(*ir.ListOf)
	if isList {
		in = assign(in, variable(op.Item), []fact{variable(list.Of)})
		out.addAll(in.with(Step{Do: "finish", none: true}))
	}
	for round := 1; len(in) > 0; round++ {
		before := len(seen)
		seen.addAll(in)
		if len(seen) == before && (round > exactRounds+1 || isList) {
			out.addAll(in)
			break
		}
		if f.counters[op.Turn] = round; round > exactRounds {
			delete(f.counters, op.Turn) // then its limit may be reached in any round
		}
		if isList && round > 1 {
			in = in.with(Step{Do: "finish", open: "a list has several items"})
		}
		in = f.body(op.Body, in)
		if isList || round == op.Max {
			out.addAll(in)
		}
		if round == op.Max {
			break
		}
	}
	delete(f.counters, op.Turn)
	if op.EndsByReturn() {
		return nil
	}

	return out
}

// together runs agents side by side. Each may read what another stores meanwhile, and the text of an error is in the result.
func (f *flowRun) together(op *ir.Parallel, to fact, in facts) facts {
	return withStored(in, besideReason, func(in facts) facts {
		out := facts{}
		for i, arm := range op.Branches {
			taken := in
			if len(op.Branches) > 1 {
				taken = in.with(Step{Do: "choose", Agent: f.agent.Name.Value, Branch: i + 1, beside: true})
			}
			f.runBeside(arm.Body, to, taken, out)
		}
		return out
	})
}

// group does a run several times side by side, as [flowRun.together] does several.
func (f *flowRun) group(op *ir.Loop, to fact, in facts) facts {
	list, isList := op.Over.(*ir.ListOf)
	if isList {
		in = assign(in, variable(op.Item), []fact{variable(list.Of)})
	}
	out := withStored(in, besideReason, func(in facts) facts {
		out := facts{}
		f.runBeside(op.Body, to, in, out)
		return out
	})
	if isList {
		delete(in, to)
		out.addAll(in.with(Step{Do: "finish", none: true}))
	}

	return out
}

// runBeside does the one run of a pipeline, whose error is in the result.
func (f *flowRun) runBeside(p *ir.Pipeline, to fact, in, out facts) {
	t := p.Tasks[0]
	f.run(t, t.Do.(*ir.Run), to, in, out, func(t *trace) { out.add(to, t) })
}

// withStored follows facts through what may read what it has stored itself: branches side by side, or a step that is tried again.
// reason says why no script can make a run do so.
func withStored(in facts, reason string, run func(facts) facts) facts {
	out := run(in)
	for {
		again := maps.Clone(in)
		for name, t := range out.stored(reason) {
			if in[name] == nil {
				again.add(name, t)
			}
		}
		if len(again) == len(in) {
			return out
		}
		in = again
		out.addAll(run(in))
	}
}
