package rehearsal

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Options say how workflows are rehearsed.
type Options struct {
	// MaxSteps bounds the states that a machine runs, beside its own limit; 0: only that counts.
	MaxSteps int
	// Context says that a run may be given an initial context; it is given one where the schema asks for that, or a guard.
	Context bool
	// Contained tells how an agent of the project can finish; none if it cannot.
	Contained func(*ir.Agent) []Contained
}

// Contained is a way in which an agent of the project finishes.
type Contained struct {
	// Turns are the replies and answers that it takes.
	Turns int
	// Value is the output, Unknown if nobody knows it.
	Value workflow.Value
}

// Unknown is a value that only a run knows.
var Unknown = unknown

// Result is what the runs of a workflow do.
type Result struct {
	// Runs are some that come to their end: for each key, row and outcome of an agent of the project that some run has, a
	// shortest one, those with fewer turns first. One that is doubtful is there only where no other one is.
	Runs []*Run
	// Machines are those that some run comes to, in the order in which the first run does.
	Machines []*ir.Machine
	// Reached are the states that some run comes to, Taken the rows that one takes; of those, Sure are the rows that are taken
	// whatever a run is given, the others those that are taken if that is so.
	Reached     map[*ir.State]bool
	Taken, Sure map[*ir.Row]bool
	// Cut says that there are more runs than could be looked at.
	Cut bool
}

// Run is one run of a workflow.
type Run struct {
	// Key is what it finishes with.
	Key string
	// Items are what happens, first to last.
	Items []Item
	// Turns count what a script answers for.
	Turns int
	// Doubtful says that the run is so only if what it is given is so.
	Doubtful bool
	// Context is the JSON of the initial context that the run is given; "" if it needs none.
	Context string
}

// rehearsal is what all searches in a workflow share.
type rehearsal struct {
	contained func(*ir.Agent) []Contained
	limit     int
	contexts  []workflow.Value
	graphs    map[*ir.Machine]*hops.Machine
	// points counts what all searches have looked at, budget is how much that may be.
	points, budget int
}

// found collects what runs come to.
type found struct {
	machines []*ir.Machine
	known    map[*ir.Machine]bool
	reached  map[*ir.State]bool
	// taken are rows that some point takes, sure those that one takes at which nothing is doubtful.
	taken, sure map[*ir.Row]bool
	plays       map[play]bool
}

// play is an outcome of an agent of the project.
type play struct {
	agent   *ir.Agent
	outcome int
}

func newFound() *found {
	return &found{
		known: map[*ir.Machine]bool{}, reached: map[*ir.State]bool{},
		taken: map[*ir.Row]bool{}, sure: map[*ir.Row]bool{}, plays: map[play]bool{},
	}
}

func (f *found) machine(m *ir.Machine) {
	if !f.known[m] {
		f.known[m] = true
		f.machines = append(f.machines, m)
	}
}

// note takes what happens at a point.
func (f *found) note(i Item, doubtful bool) {
	switch i.Kind {
	case Take:
		f.taken[i.Row] = true
		f.sure[i.Row] = f.sure[i.Row] || !doubtful
	case Play:
		f.plays[play{i.Agent, i.Outcome}] = true
	}
}

// mostSearches bounds the searches for what no run of the first one has.
const mostSearches = 200

// Of rehearses a workflow.
func Of(a *ir.Agent, o Options) *Result { return of(a, o, mostInAll, func(*candidates) {}) }

// of is Of with a budget, and with candidates that are changed before.
func of(a *ir.Agent, o Options, budget int, change func(*candidates)) *Result {
	r := &rehearsal{contained: o.Contained, limit: o.MaxSteps, budget: budget, graphs: map[*ir.Machine]*hops.Machine{}}
	w := a.Node.(*ir.Workflow)
	f := newFound()
	result := &Result{Reached: f.reached, Taken: f.taken, Sure: f.sure}
	c := newCandidates(a)
	change(c)
	r.contexts = c.contexts(a, o.Context)
	begin := func(wanted func(Item) bool) *search {
		return &search{rehearsal: r, candidates: c, wanted: wanted, found: f, seen: map[string]bool{}, ids: map[any]int{}}
	}

	first := begin(nil)
	runs := newRuns(w)
	for _, p := range first.run(a) {
		runs.add(p)
	}
	cut := first.cut
	for n, wanted := range f.lacking(runs) {
		if n == mostSearches {
			cut = true
			break
		}
		s := begin(wanted)
		for _, p := range s.run(a) {
			runs.add(p)
		}
		cut = cut || s.points >= s.budget
	}

	result.Runs, result.Machines, result.Cut = runs.sorted(), f.machines, cut

	return result
}

// lacking returns what to look for: rows that are taken and outcomes of agents that are there, but in no run that is known.
func (f *found) lacking(known *runs) []func(Item) bool {
	var wanted []func(Item) bool
	for _, m := range f.machines {
		for _, row := range m.Rows() {
			if run := known.rows[row]; f.taken[row] && (run == nil || run.Doubtful && f.sure[row]) {
				wanted = append(wanted, func(i Item) bool { return i.Row == row })
			}
		}
	}
	var plays []play
	for p := range f.plays {
		if known.plays[p] == nil {
			plays = append(plays, p)
		}
	}
	slices.SortFunc(plays, func(a, b play) int {
		return cmp.Or(cmp.Compare(a.agent.Name.Value, b.agent.Name.Value), cmp.Compare(a.outcome, b.outcome))
	})
	for _, p := range plays {
		wanted = append(wanted, func(i Item) bool { return i.Kind == Play && i.Agent == p.agent && i.Outcome == p.outcome })
	}

	return wanted
}

// runs keeps the shortest run for each thing.
type runs struct {
	workflow *ir.Workflow
	keys     map[string]*Run
	rows     map[*ir.Row]*Run
	plays    map[play]*Run
}

func newRuns(w *ir.Workflow) *runs {
	return &runs{w, map[string]*Run{}, map[*ir.Row]*Run{}, map[play]*Run{}}
}

// add adds a run that has come to its end.
func (r *runs) add(p point) {
	if p.came != gave {
		return
	}
	run := &Run{Key: keyOf(r.workflow, p), Turns: p.turns, Doubtful: p.doubtful}
	if p.context.Len() > 0 {
		run.Context = p.context.JSON()
	}
	for e := p.log; e != nil; e = e.before {
		run.Items = append(run.Items, e.item)
	}
	slices.Reverse(run.Items)
	if better(run, r.keys[run.Key]) {
		r.keys[run.Key] = run
	}
	for _, item := range run.Items {
		of := play{item.Agent, item.Outcome}
		switch {
		case item.Kind == Take && better(run, r.rows[item.Row]):
			r.rows[item.Row] = run
		case item.Kind == Play && better(run, r.plays[of]):
			r.plays[of] = run
		}
	}
}

// better reports whether a is to be kept in place of b.
func better(a, b *Run) bool {
	switch {
	case b == nil || a.Doubtful != b.Doubtful:
		return b == nil || b.Doubtful
	case (a.Context == "") != (b.Context == ""):
		return a.Context == ""
	}

	return a.Turns < b.Turns
}

// sorted returns each run once.
func (r *runs) sorted() []*Run {
	all := map[*Run]bool{}
	for _, run := range r.keys {
		all[run] = true
	}
	for _, run := range r.rows {
		all[run] = true
	}
	for _, run := range r.plays {
		all[run] = true
	}
	var list []*Run
	for run := range all {
		list = append(list, run)
	}
	slices.SortFunc(list, compare)

	return list
}

func compare(a, b *Run) int {
	return cmp.Or(cmp.Compare(a.Turns, b.Turns), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Context, b.Context), slices.CompareFunc(a.Items, b.Items, compareItems))
}

func compareItems(a, b Item) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Said, b.Said),
		cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(rowStart(a), rowStart(b)), cmp.Compare(a.Branch, b.Branch))
}

func rowStart(i Item) int {
	if i.Row == nil {
		return 0
	}

	return i.Row.Span.Start
}
