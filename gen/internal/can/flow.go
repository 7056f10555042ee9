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
		return f.run(op, in)
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

	return in
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
	}

	return nil
}

// assign gives a variable what is read of others.
func assign(in facts, to fact, from []fact) facts { return in.write(to, nil, in.best(from)) }

// outcomes calls each for every fact behind something that is given what is read of in: those of its own, with value, and those around
// it that it does not know of.
func (r *result) outcomes(in facts, read []fact, run func(from fact) *result, each func(name fact, t *trace)) {
	out := func(_ key, name fact, t *trace) { each(name, t) }
	for _, name := range sorted(in) {
		if name == reached || name == memory || name == world {
			r.behind(in[name], run(name), out)
			continue
		}
		through := run(reached)
		for _, key := range sorted(through.exits) {
			if pass := through.exits[key][reached]; pass != nil {
				each(name, in[name].sub(pass))
			}
		}
	}
	if t := in.best(read); t != nil {
		r.behind(t, run(given), out)
	}
}

// run runs a conversation or an agent.
func (f *flowRun) run(op *ir.Run, in facts) facts {
	to, out := variable(op.Var), facts{}
	f.outcomes(in, reads(op.Input), f.runner(f.agent, op), func(name fact, t *trace) {
		switch name {
		case value:
			out.add(to, t)
		case failure:
			f.exit("", failure, t)
		case to: // it has another value now
		default:
			out.add(name, t)
		}
	})

	return out
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
	runs, n := op.Runs(), max(op.N, 1)
	if op.List != nil {
		in = assign(in, variable(op.Item), []fact{variable(op.List.Of)})
	}
	if len(runs) == 1 {
		for len(runs) < n {
			runs = append(runs[:len(runs):len(runs)], runs[0])
		}
	}
	out := together(in, func(in facts) facts { return f.besides(op, runs, in) })
	if op.List != nil {
		delete(in, variable(op.Var))
		out.addAll(in.with(Step{Do: "finish", none: true}))
	}

	return out
}

// together follows facts through what runs side by side: each may read what another stores meanwhile.
func together(in facts, run func(facts) facts) facts {
	out := run(in)
	for {
		again := maps.Clone(in)
		for _, name := range []fact{memory, world} {
			if t := out[name]; t != nil && in[name] == nil {
				again.add(name, t.then(Step{Do: "finish", open: "branches that run side by side read what another stores"}))
			}
		}
		if len(again) == len(in) {
			return out
		}
		in = again
		out.addAll(run(in))
	}
}

// besides follows facts through runs of which none knows of the others.
func (f *flowRun) besides(op *ir.Parallel, runs []*ir.Run, in facts) facts {
	to, out := variable(op.Var), facts{}
	others := func(t *trace, but int) *trace {
		for i, run := range runs {
			if i != but {
				t = t.in(i+1, passing(f.runner(f.agent, run)(reached)))
			}
		}
		return t
	}
	for i, run := range runs {
		single := newResult()
		single.outcomes(in, reads(run.Input), f.inBranch(i+1, run), func(name fact, t *trace) {
			switch name {
			case value, failure:
				name = to
			case to:
				return
			}
			out.add(name, others(t, i))
		})
		for _, c := range single.calls {
			c.t = others(c.t, i)
			f.call(*c)
		}
	}

	return out
}

// inBranch runs something in a branch of a group.
func (f *flowRun) inBranch(branch int, run *ir.Run) func(fact) *result {
	return func(from fact) *result {
		r := newResult()
		r.take(f.runner(f.agent, run)(from), func(t *trace) *trace { return new(trace).in(branch, t) }, r.exit)
		return r
	}
}

// passing is the shortest path through something.
func passing(r *result) *trace {
	best := &trace{}
	for _, key := range sorted(r.exits) {
		if t := r.exits[key][reached]; t != nil && (best.length == 0 || t.length < best.length) {
			best = t
		}
	}

	return best
}
