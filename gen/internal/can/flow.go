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
	counters map[string]int
}

func variable(name string) fact { return fact("variable " + name) }

// body returns the facts behind operations.
func (f *flowRun) body(ops []ir.Op, in facts) facts {
	for _, op := range ops {
		if len(in) == 0 {
			break
		}
		in = f.op(op, in)
	}

	return in
}

func (f *flowRun) op(op ir.Op, in facts) facts {
	switch op := op.(type) {
	case *ir.Run:
		out := facts{}
		f.run(op, variable(op.Var), in, out, func(t *trace) { f.exit("", failure, t) })
		return out
	case *ir.Parallel:
		return f.group(op, in)
	case *ir.Set:
		return assign(in, variable(op.Var), reads(op.Value))
	case *ir.Ask:
		return f.ask(op, in)
	case *ir.Loop:
		return f.loop(op, in)
	case *ir.Branch:
		return f.branch(op, in)
	case *ir.Return:
		f.returns(op, in)
		return nil
	}

	panic(notFollowed(op))
}

// reads are the facts that make a text untrusted.
func reads(e ir.Expr) []fact {
	switch e := e.(type) {
	case ir.Input:
		return []fact{given}
	case ir.Value:
		return []fact{variable(e.Var)}
	case ir.TextOf:
		return []fact{variable(e.Var)}
	case ir.Report:
		return []fact{variable(e.Var)}
	case ir.Brief:
		ofSection := func(s ir.Section) []fact { return reads(s.Text) }
		return append([]fact{variable(e.Base)}, ir.Flat(e.Sections, ofSection)...)
	case ir.Notes:
		return reads(ir.Brief(e))
	case nil:
		return nil
	}

	panic(notFollowed(e))
}

// assign gives a variable what is read of others.
func assign(in facts, to fact, from []fact) facts { return in.write(to, nil, in.best(from)) }

// outcomes follows facts through something that is given what is read of in. It calls inner for each fact of its own behind it, value
// among them, and around for each fact that it does not know of.
func (r *result) outcomes(in facts, read []fact, run func(from fact) *result, inner, around func(name fact, t *trace)) {
	out := func(_ key, name fact, t *trace) { inner(name, t) }
	for _, name := range sorted(in) {
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
func (f *flowRun) run(op *ir.Run, to fact, in, out facts, fails func(*trace)) {
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
	f.outcomes(in, reads(op.Input), f.runner(f.agent, op), inner, func(name fact, t *trace) {
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
func (f *flowRun) ask(op *ir.Ask, in facts) facts {
	return f.asks(f.agent.Name.Value, op, in, func(name fact) bool { return name == variable(op.Question) || name == variable(op.Var) })
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

// returns ends the flow.
func (f *flowRun) returns(op *ir.Return, in facts) {
	k := map[ir.ReturnKey]key{ir.KeyDone: ir.DoneKey, ir.KeyExhausted: ir.ExhaustedKey, ir.KeyUnfinished: ir.ExhaustedKey}[op.Key]
	for name, t := range in {
		switch name {
		case variable(op.Var):
			f.exit(k, value, t)
		case reached, memory, world:
			f.exit(k, name, t)
		}
	}
}

// branch does operations on a condition, which may hold or not.
func (f *flowRun) branch(op *ir.Branch, in facts) facts {
	if limit, counts := op.Cond.(ir.AtLimit); counts {
		round, counted := f.counters[limit.Counter]
		switch {
		case counted && round != limit.N:
			return in
		case counted:
			return f.body(op.Then(), in)
		}
	}
	then, other := Step{Do: "finish"}, Step{Do: "finish"}
	switch cond := op.Cond.(type) {
	case ir.SaysDone:
		then.done = true
	case ir.KeyIs:
		then.Key = cond.Key
		if cond.Not {
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

// with adds a step to each path.
func (f facts) with(s Step) facts {
	out := facts{}
	for name, t := range f {
		out[name] = t.then(s)
	}

	return out
}

// exactRounds is how many rounds of a loop are looked at one by one.
const exactRounds = 64

// loop repeats operations: as often as it says, or until they return. A loop of many rounds is over when no round adds a fact any more.
func (f *flowRun) loop(op *ir.Loop, in facts) facts {
	out, seen := facts{}, facts{}
	if op.List != nil {
		in = assign(in, variable(op.Item), []fact{variable(op.List.Of)})
		out.addAll(in.with(Step{Do: "finish", none: true}))
	}
	for round := 1; len(in) > 0; round++ {
		before := len(seen)
		seen.addAll(in)
		if len(seen) == before && (round > exactRounds+1 || op.List != nil) {
			out.addAll(in)
			break
		}
		if f.counters[op.Counter] = round; round > exactRounds {
			delete(f.counters, op.Counter) // then its limit may be reached in any round
		}
		if op.List != nil && round > 1 {
			in = in.with(Step{Do: "finish", open: "a list has several items"})
		}
		in = f.body(op.Body.Body, in)
		if op.List != nil || round == op.Times {
			out.addAll(in)
		}
		if round == op.Times {
			break
		}
	}
	delete(f.counters, op.Counter)
	if op.Times == 0 && op.List == nil {
		return nil
	}

	return out
}

// group runs agents, or a step several times, side by side. Each may read what another stores meanwhile, and the text of an error is
// in the result.
func (f *flowRun) group(op *ir.Parallel, in facts) facts {
	if op.List != nil {
		in = assign(in, variable(op.Item), []fact{variable(op.List.Of)})
	}
	out := withStored(in, besideReason, func(in facts) facts {
		out, to := facts{}, variable(op.Var)
		for i, run := range op.Runs() {
			taken := in
			if len(op.Branches) > 1 {
				taken = in.with(Step{Do: "choose", Agent: f.agent.Name.Value, Branch: i + 1, beside: true})
			}
			f.run(run, to, taken, out, func(t *trace) { out.add(to, t) })
		}
		return out
	})
	if op.List != nil {
		delete(in, variable(op.Var))
		out.addAll(in.with(Step{Do: "finish", none: true}))
	}

	return out
}

// besideReason is why no script can order what branches do that run side by side.
const besideReason = "branches that run side by side read what another stores"

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

// stored are the facts about what tools keep, whether what has stored it ends well or not.
func (f facts) stored(reason string) facts {
	kept := facts{}
	for _, name := range []fact{memory, world} {
		if t := f[name]; t != nil {
			kept.add(name, t.then(Step{Do: "finish", open: reason}))
		}
	}

	return kept
}
