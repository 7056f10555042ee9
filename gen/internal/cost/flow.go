package cost

import (
	"maps"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// text says how long a variable of a flow is: as it is, as it is shown to a model, as a document and as an object. What is no group and
// no notes has one size.
type text struct {
	value, report, document, object Amount
	// items is how many items the list in it has at most.
	items Amount
	// key is the key with which the run that gave it always finishes; "" if that is not known.
	key string
}

func plain(value Amount) text {
	return text{value: value, report: value, document: value, object: value}
}

func (t text) or(u text) text {
	if t.key != u.key {
		t.key = ""
	}

	return text{
		max(t.value, u.value), max(t.report, u.report), max(t.document, u.document), max(t.object, u.object), max(t.items, u.items), t.key,
	}
}

// body is what operations use: if what is behind them is done after them, and if they end the flow.
type body struct {
	through, ended bound
	// leads says that something can be done after them.
	leads bool
}

// flowRun is the interpretation of one run of a flow.
type flowRun struct {
	*analysis
	agent *ir.Agent
	input Amount
	at    ir.Place
	vars  map[string]text
	// counters are the rounds of the loops that are under way.
	counters map[string]Amount
	value    Amount
}

func (x *analysis) flow(a *ir.Agent, f *ir.Flow, input Amount, at ir.Place) (bound, Amount) {
	r := &flowRun{analysis: x, agent: a, input: input, at: at, vars: map[string]text{}, counters: map[string]Amount{}}
	b := r.body(f.Body)
	b.through.done, b.through.ends = Spend{}, false // nothing can follow what does not end the flow

	return b.ended.or(b.through), r.value
}

// body adds up operations that are done one after another.
func (r *flowRun) body(ops []ir.Op) body {
	all := body{through: nothing, leads: true}
	for _, op := range ops {
		b := r.op(op)
		all.ended = all.ended.or(all.through.then(b.ended))
		all.through, all.leads = all.through.then(b.through), b.leads
		if !b.leads {
			break
		}
	}

	return all
}

func (r *flowRun) op(op ir.Op) body {
	switch op := op.(type) {
	case *ir.Run:
		b, value := r.run(op, r.size(op.Input))
		t := plain(value)
		if op.Step != nil {
			if list := op.Step.List(); list != nil {
				t.items = max(amount(list.Max), 1) // a text that is no list is a plan of one step
			}
			if _, once := op.Step.Node.(*ir.Oneshot); once {
				t.key = ir.DoneKey
			}
		}
		r.vars[op.Var] = t
		return body{through: b, leads: true}
	case *ir.Parallel:
		return body{through: r.group(op), leads: true}
	case *ir.Set:
		r.vars[op.Var] = r.text(op.Value)
	case *ir.Ask:
		r.vars[op.Var] = plain(r.options.Input)
	case *ir.Loop:
		return r.loop(op)
	case *ir.Branch:
		return r.branch(op)
	case *ir.Return:
		t := r.vars[op.Var]
		r.value = max(r.value, []Amount{ir.FormValue: t.value, ir.FormDocument: t.document, ir.FormObject: t.object}[op.Form])
		if op.Key == ir.KeyUnfinished && !slices.Contains(r.at.Keys, ir.ExhaustedKey) {
			return body{} // the flow fails
		}
		return body{ended: nothing}
	}

	return body{through: nothing, leads: true}
}

func (r *flowRun) run(op *ir.Run, input Amount) (bound, Amount) {
	at := op.At.Within(r.at)
	if op.Step == nil {
		return r.analysis.agent(op.Agent.Agent, input, at)
	}

	return r.conversation(talk{
		label: op.Step.Label(r.agent.Name.Value), step: op.Step, system: size(op.Step.Prompt.Value), input: input, keys: keysOf(at),
	})
}

// group returns the bound of runs side by side.
func (r *flowRun) group(op *ir.Parallel) bound {
	all, results, n, quoted := bound{}, text{}, amount(max(op.N, len(op.Branches))), Amount(0)
	add := func(copies Amount, name Amount, b bound, value Amount) {
		all, quoted = all.beside(b), max(quoted, name)
		shown := value
		if n > 1 { // where one alone fails, all of them do, and the flow
			shown = max(value, b.fail)
		}
		results.report = results.report.plus(copies.times(sum(name.times(6), shown, marks(shown), 60)))
		results.document = results.document.plus(copies.times(sum(name, shown, 20)))
		results.object = results.object.plus(copies.times(sum(name.times(6), shown.times(6), 20)))
	}
	switch {
	case op.List != nil:
		var b bound
		var value Amount
		n = r.items(*op.List)
		b, value = r.each(op, n)
		add(n, 0, b, value)
		quoted = mostQuoted
		names := r.vars[op.List.Of].value // items are the names of their results
		results.report, results.object = results.report.plus(names.times(6)), results.object.plus(names.times(6))
		results.document = results.document.plus(names)
	case op.N > 0:
		b, value := r.run(op.Runs()[0], r.size(op.Runs()[0].Input))
		b = b.copies(n, "variants")
		b.width = b.width.times(min(n, amount(max(op.Limit, 1))))
		add(n, size(op.Title)+8, b, value)
	default:
		for _, run := range op.Runs() {
			b, value := r.run(run, r.size(op.Runs()[0].Input))
			add(1, size(run.Agent.Agent.Name.Value), b, value)
		}
	}
	all.fail = sum(min(n, mostListed).times(sum(all.fail, quoted, 8)), 60, size(r.agent.Name.Value))
	results.value = results.report
	r.vars[op.Var] = results

	return all
}

// each returns the bound of a run for each of n items of a list, and the size of a value. The items have a size together. What a run uses is
// a convex function of the size of its item, unless something caps it: then no distribution uses more than one item that is all, and
// others that are empty.
func (r *flowRun) each(op *ir.Parallel, n Amount) (all bound, value Amount) {
	whole := r.vars[op.List.Of].value
	if n == Unbounded {
		r.analysis.unbounded("the number of items of "+op.List.Of, "max_items")
	}
	do := func(item Amount) (bound, Amount) {
		r.vars[op.Item] = plain(item)
		return r.run(op.Runs()[0], r.size(op.Runs()[0].Input))
	}
	least, _ := do(0)
	most, value := do(whole)
	if n == 0 {
		return nothing, 0
	}
	all = most.copies(n, "items")
	if !most.capped && whole != Unbounded && n != Unbounded {
		main := all.main
		all = most
		if n > 1 {
			all = most.beside(least.copies(n-1, "items"))
		}
		all.main, all.width = term{main.text, main.spend.atMost(all.most)}, most.width
	}
	all.width = all.width.times(min(n, amount(max(op.Limit, 1))))

	return all.or(nothing), value // there may be no item, so that nothing fails
}

// items is how many items a list has at most.
func (r *flowRun) items(l ir.List) Amount {
	if n := r.vars[l.Of].items; n > 0 {
		return n
	}

	return Unbounded
}

// branch returns the bound of operations that are done on a condition.
func (r *flowRun) branch(op *ir.Branch) body {
	limit, counts := op.Cond.(ir.AtLimit)
	if counts && r.counters[limit.Counter] != amount(limit.N) {
		return body{through: nothing, leads: true}
	}
	is, certain := op.Cond.(ir.KeyIs)
	certain = certain && r.vars[is.Var].key != ""
	if certain && (r.vars[is.Var].key == is.Key) == is.Not {
		return body{through: nothing, leads: true}
	}
	before := maps.Clone(r.vars)
	b := r.body(op.Then())
	if counts || certain {
		return b
	}
	if !b.leads { // what is behind is done only where the condition does not hold
		r.vars, b.through = before, bound{}
	}
	b.through = b.through.or(nothing)
	r.widest(before)
	b.leads = true

	return b
}

// loop returns the bound of a loop. The items of a list have a size together: as in [flowRun.each], no distribution of it uses more
// than one item that is all of it, in the round where that uses the most, and others that are empty.
func (r *flowRun) loop(op *ir.Loop) body {
	n, before := Unbounded, maps.Clone(r.vars)
	switch {
	case op.List != nil:
		n = r.items(*op.List)
	case op.Times > 0:
		n = amount(op.Times)
	}
	all, _ := r.rounds(op, n, 0)
	if op.List == nil {
		return all
	}
	if b := all.through.or(all.ended); b.capped || b.most.Input == Unbounded || n == 1 {
		return all
	}
	one, vars := body{leads: true}, r.vars
	for at, settled := Amount(1), Unbounded; at <= min(n, settled); at++ {
		r.vars = maps.Clone(before)
		var b body
		b, settled = r.rounds(op, n, at)
		one.through, one.ended = one.through.or(b.through), one.ended.or(b.ended)
		if at > 1 {
			r.widest(vars)
		}
		vars = r.vars
	}

	return one
}

// widest makes each variable as large as it is in others.
func (r *flowRun) widest(others map[string]text) {
	for name, t := range others {
		r.vars[name] = r.vars[name].or(t)
	}
}

// rounds returns the bound of the rounds of a loop, of which there are total ones at most. The item of a list is all of it in
// round at, and else empty; with at 0 it is all of it in each round. Rounds that are all the same are counted, not looked at: settled
// is the first of them.
func (r *flowRun) rounds(op *ir.Loop, total, at Amount) (all body, settled Amount) {
	all, settled = body{through: nothing, leads: true}, Unbounded
	for round := Amount(1); round <= total && all.leads; round++ {
		before := maps.Clone(r.vars)
		r.counters[op.Counter] = round
		if op.List != nil {
			r.vars[op.Item] = text{}
			if at == 0 || at == round {
				r.vars[op.Item] = plain(r.vars[op.List.Of].value)
			}
		}
		b := r.body(op.Body.Body)
		all.ended = all.ended.or(all.through.then(b.ended))
		all.through, all.leads = all.through.then(b.through), b.leads
		if round > exactRounds {
			r.widen(before)
		}
		if !b.leads || !maps.Equal(before, r.vars) {
			continue
		}
		settled = min(settled, round)
		next := special(op, round, total)
		if at > round {
			next = min(next, at)
		}
		if skipped := next - round - 1; skipped > 0 {
			all.ended = all.ended.or(all.through.then(b.through.times(skipped-1, "rounds")).then(b.ended))
			all.through = all.through.then(b.through.times(skipped, "rounds"))
			round = next - 1
		}
		if next == Unbounded {
			r.analysis.unbounded("the number of rounds of a loop of "+r.agent.Name.Value, "max_iter")
			return all, settled
		}
	}
	delete(r.counters, op.Counter)
	if op.List != nil { // of which there may be no item, so that nothing ends there
		all.through, all.leads = all.through.or(nothing), true
	} else if op.Times == 0 {
		all.leads = false
	}

	return all, settled
}

// special is the next round of a loop in which a limit counts, or the one behind the last.
func special(op *ir.Loop, round, total Amount) Amount {
	next := min(total, Unbounded-1) + 1
	for _, branch := range ir.OpsOf[*ir.Branch](op.Body.Body) {
		limit, counts := branch.Cond.(ir.AtLimit)
		if counts && limit.Counter == op.Counter && amount(limit.N) > round {
			next = min(next, amount(limit.N))
		}
	}

	return next
}

// widen makes what has grown since before unbounded.
func (r *flowRun) widen(before map[string]text) {
	for name, t := range r.vars {
		if t != before[name] {
			grown := plain(Unbounded)
			grown.items = t.items
			r.vars[name] = grown
		}
	}
}

// size is that of a text which a model is given.
func (r *flowRun) size(e ir.Expr) Amount {
	t := r.text(e)
	switch e.(type) {
	case ir.Report, ir.Brief, ir.Notes:
		return t.report
	}

	return t.value
}

// text is what is known of an expression.
func (r *flowRun) text(e ir.Expr) text {
	switch e := e.(type) {
	case ir.Input:
		return plain(r.input)
	case ir.Value:
		return r.vars[e.Var]
	case ir.TextOf:
		return r.vars[e.Var]
	case ir.Report:
		return plain(r.vars[e.Var].report)
	case ir.Brief:
		return plain(r.notes(ir.Notes(e)).report)
	case ir.Notes:
		return r.notes(e)
	}

	return text{}
}

// notes are titled texts.
func (r *flowRun) notes(e ir.Notes) text {
	t := r.vars[e.Base]
	for _, s := range e.Sections {
		inside := r.size(s.Text)
		title := size(s.Title)
		t.report = t.report.plus(sum(title.times(2), inside, marks(inside), 12))
		t.document = t.document.plus(sum(title, inside, 4))
	}
	t.value, t.object = t.report, t.report

	return t
}

// marks is what both tags around a text are longer because the text in it looks like their end: by a number of such ends at most.
func marks(text Amount) Amount { return 2 * size("_", strconv.FormatUint(uint64(text), 10)) }
