package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Script answers for one run, from its beginning to its end.
type Script struct {
	// Name is a file name without its suffix; it differs from those of all other scripts, in small letters too.
	Name string
	// Root is the agent that is run.
	Root *ir.Agent
	// For is the row for which the script is: of all runs that take it, this is one of the shortest. It is nil for the run of an
	// agent that has no rows.
	For *Row
	// Ending is what the script is for where that is no row; nil else.
	Ending *Ending
	// Rows are those that the run takes, in the order in which it takes them first.
	Rows []*Row
	// Turns are the lists of conversations, in the order in which they begin, Answers those of people.
	Turns, Answers []List
	// Funcs, Tools and Guards are the lists of functions, of tools and of what guards say: all that the program has, because where
	// no Go implements them a script has to name them.
	Funcs, Tools, Guards []List
	// Length counts turns and answers.
	Length int
	// Context is the initial context that the run has to be given, as JSON; "" if it needs none.
	Context string
}

// Ending is a way in which a conversation inside of a flow can end, which decides how the flow goes on: a scatter runs its workers
// or does not, a loop goes round once more or is over.
type Ending struct {
	// Label is how scripts call the conversation.
	Label string
	// Key is the key with which it finishes.
	Key string

	node    *node
	outcome int
}

// Unscripted is a row that is taken, but by no run that a script can answer for.
type Unscripted struct {
	Row *Row
	Why string
}

// MostTurns bounds the turns and answers of a script.
const MostTurns = 100_000

// Scripts returns scripts that together take every row that a script can take, in which the conversations of flows end in every
// way, and for each root at least one. Where the run of a row takes others on its way, these need none of their own.
func (r *Result) Scripts(progress func(done, total int)) ([]*Script, []Unscripted) {
	if progress == nil {
		progress = func(int, int) {}
	}
	w := &scriptWriter{result: r, taken: map[*Row]bool{}}
	rows := r.rows(func(row *Row) bool { return row.Ends && !row.Machine.Agent.Driven() })
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(b.Turns, a.Turns) }) // the longest take the most others
	for i, row := range rows {
		if !w.taken[row] {
			w.row(row)
		}
		progress(i+1, len(rows))
	}
	w.endings()
	w.wholeRoots()
	w.order()
	name(w.scripts)

	return w.scripts, slices.DeleteFunc(w.unscripted, func(u Unscripted) bool { return w.taken[u.Row] })
}

// scriptWriter chooses scripts.
type scriptWriter struct {
	result *Result
	// taken are the rows that scripts take.
	taken      map[*Row]bool
	scripts    []*Script
	unscripted []Unscripted
}

// row adds a script for the shortest run that takes a row.
func (w *scriptWriter) row(row *Row) {
	s, err := w.try(sitesTo(row.found[certain].at), row.Turns)
	if err != nil {
		w.unscripted = append(w.unscripted, Unscripted{row, err.Error()})
		return
	}
	s.For = row
	w.scripts = append(w.scripts, s)
	for _, taken := range s.Rows {
		w.taken[taken] = true
	}
}

// try returns the script of a run through sites. Where the lists of branches would have to differ, the run takes other edges, or
// the same way wherever the same runs.
func (w *scriptWriter) try(sites []*site, turns int) (*Script, error) {
	at := slices.Index(w.result.nodes, sites[0].in)
	var s *Script
	var err error
	for attempt := range 3 {
		s, err = w.result.record(w.result.roots[at], turns, func(r *recorder, b *branch) {
			switch attempt {
			case 0:
				r.taken, r.instead = w.taken, map[*edge]*edge{}
			case 2:
				r.elsewhere = map[*node]func(*branch){}
				for i, outer := range sites[:len(sites)-1] {
					r.elsewhere[outer.edge.items[outer.item].runs] = func(in *branch) { r.lead(in, sites[i+1:]) }
				}
			}
			r.lead(b, sites)
		})
		if !errors.As(err, new(*differError)) {
			break
		}
	}

	return s, err
}

// sitesTo returns the sites of a run from its beginning to s.
func sitesTo(s *site) []*site {
	var sites []*site
	for s != nil {
		sites = append(sites, s)
		_, end := s.in.onward(certain, s.order, s.edge)
		s = s.in.solved[certain].around[end]
	}
	slices.Reverse(sites)

	return sites
}

// endings adds a script for each ending of a conversation inside of a flow that no script has yet, the longest first.
func (w *scriptWriter) endings() {
	var endings []Ending
	for _, n := range w.result.all {
		for i, o := range n.outcomes {
			if s := n.solved[certain]; n.in != nil && s.around[i] != nil {
				endings = append(endings, Ending{n.label, o.key, n, i})
			}
		}
	}
	turns := func(e Ending) int {
		return plus(e.node.turns(certain, e.outcome), e.node.solved[certain].rest[e.outcome])
	}
	slices.SortStableFunc(endings, func(a, b Ending) int { return cmp.Compare(turns(b), turns(a)) })
	for _, e := range endings {
		if slices.ContainsFunc(w.scripts, e.isIn) {
			continue
		}
		if s, err := w.try(sitesTo(e.node.solved[certain].around[e.outcome]), turns(e)); err == nil {
			s.Ending = &e
			w.scripts = append(w.scripts, s)
		}
	}
}

// isIn reports whether the conversation ends so in a script.
func (e Ending) isIn(s *Script) bool {
	last := e.node.into[e.node.outcomes[e.outcome].point][0]
	want := last.items[len(last.items)-1].turn

	return slices.ContainsFunc(s.Turns, func(l List) bool {
		base, _, _ := strings.Cut(l.Name, "@")
		return base == e.Label && slices.ContainsFunc(l.Turns, func(t Turn) bool {
			return sameKey(t.Key, want.Key) && t.Say == want.Say && t.Value == want.Value
		})
	})
}

// wholeRoots adds a run for each root that has none.
func (w *scriptWriter) wholeRoots() {
	for i, n := range w.result.nodes {
		root := w.result.roots[i]
		has := slices.ContainsFunc(w.scripts, func(s *Script) bool { return s.Root == root })
		if has || root.Driven() || n.endless(certain) {
			continue
		}
		s, err := w.result.record(root, n.cheapest(certain, n.all()), func(r *recorder, b *branch) { r.node(b, n, n.all()) })
		if err == nil {
			w.scripts = append(w.scripts, s)
		}
	}
}

// order sorts the scripts as their rows are in the program; those without a row come last.
func (w *scriptWriter) order() {
	at := map[*Row]int{nil: len(w.result.Machines) << 32}
	for _, row := range w.result.rows(func(*Row) bool { return true }) {
		at[row] = len(at)
	}
	slices.SortStableFunc(w.scripts, func(a, b *Script) int { return cmp.Compare(at[a.For], at[b.For]) })
}

// record makes the script of a run.
func (r *Result) record(root *ir.Agent, turns int, play func(*recorder, *branch)) (*Script, error) {
	if turns > MostTurns {
		return nil, fmt.Errorf("its shortest run has more than %d turns", MostTurns)
	}
	rec := &recorder{lists: map[itemKind]*branchTurns{}, seen: map[*Row]bool{}}
	play(rec, &branch{nearest: -1})
	if rec.lost {
		return nil, errors.New("it needs a signal where no model is asked")
	}
	s := &Script{Root: root, Rows: rec.rows, Context: rec.context}
	for kind, list := range map[itemKind]*[]List{
		kindReply: &s.Turns, kindAnswer: &s.Answers, kindResult: &s.Funcs, kindOutput: &s.Tools, kindVerdict: &s.Guards,
	} {
		var err error
		if *list, err = rec.list(kind).script(); err != nil {
			return nil, err
		}
		for _, l := range *list {
			if kind != kindVerdict {
				s.Length += len(l.Turns)
			}
		}
	}
	for _, f := range r.program.Funcs {
		s.Funcs = named(s.Funcs, f.Name.Value)
	}
	for _, tool := range r.program.Tools {
		s.Tools = named(s.Tools, tool.Name.Value)
	}
	for _, guard := range r.program.Guards {
		s.Guards = named(s.Guards, guard.Name.Value)
	}

	return s, sayable(s)
}

// named returns lists with an empty one for a name that has none.
func named(lists []List, name string) []List {
	if slices.ContainsFunc(lists, func(l List) bool { base, _, _ := strings.Cut(l.Name, "@"); return base == name }) {
		return lists
	}

	return append(lists, List{Name: name})
}

// sections are the names in a script that are not of an agent.
var sections = []string{"tools", "funcs", "ask", "guards"}

// inputMark is replaced in scripts.
const inputMark = "{{input}}"

// sayable finds what a script cannot say.
func sayable(s *Script) error {
	for _, list := range s.Turns {
		base, _, _ := strings.Cut(list.Name, "@")
		if slices.Contains(sections, base) {
			return fmt.Errorf("a script cannot answer for an agent that is called %q", base)
		}
		for _, t := range list.Turns {
			if strings.Contains(t.Key+t.Value+t.Say+t.Calls, inputMark) {
				return fmt.Errorf("what %q answers has %s in it, which a script replaces", base, inputMark)
			}
		}
	}

	return nil
}
