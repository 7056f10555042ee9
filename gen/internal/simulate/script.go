package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
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
	// Rows are those that the run takes, in the order in which it takes them first.
	Rows []*Row
	// lists are those of conversations, of people, of functions, of tools and of what guards say, in the order in which they begin. Of
	// the last three there are all that the program has, because where no Go implements them a script has to name them.
	lists map[itemKind][]List
	// Length counts turns and answers.
	Length int
	// Context is the initial context that the run has to be given, as JSON; "" if it needs none.
	Context string
}

// Unscripted is a row that is taken, but by no run that a script can answer for.
type Unscripted struct {
	Row *Row
	Why string
}

// MostTurns bounds the turns and answers of a script.
const MostTurns = 100_000

// Scripts returns scripts that together take every row that a script can take, and for each root at least one. Where the run of a row
// takes others on its way, these need none of their own.
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
	s, err := w.try(sitesTo(row.found.at), row.Turns)
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
func (w *scriptWriter) try(sites []*site, turns int) (s *Script, err error) {
	root := w.result.roots[slices.Index(w.result.nodes, sites[0].in)]
	elsewhere := map[*node]func(*branch){}
	for _, way := range []recorder{{}, {elsewhere: elsewhere}} {
		s, err = w.result.record(root, turns, &way, func(r *recorder, b *branch) {
			for i, outer := range sites[:len(sites)-1] {
				elsewhere[outer.edge.items[outer.item].runs] = func(in *branch) { r.lead(in, sites[i+1:]) }
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
		_, end := s.in.onward(s.order, s.edge)
		s = s.in.around[end]
	}
	slices.Reverse(sites)

	return sites
}

// wholeRoots adds a run for each root that has none.
func (w *scriptWriter) wholeRoots() {
	for i, n := range w.result.nodes {
		root := w.result.roots[i]
		has := slices.ContainsFunc(w.scripts, func(s *Script) bool { return s.Root == root })
		if has || root.Driven() || !n.cheapest().isCertain() {
			continue
		}
		s, err := w.result.record(root, n.cheapest().turns, &recorder{}, func(r *recorder, b *branch) { r.node(b, n, n.all()) })
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
func (r *Result) record(root *ir.Agent, turns int, rec *recorder, play func(*recorder, *branch)) (*Script, error) {
	if turns > MostTurns {
		return nil, fmt.Errorf("its shortest run has more than %d turns", MostTurns)
	}
	rec.lists, rec.seen = map[itemKind]*branchTurns{}, map[*Row]bool{}
	play(rec, &branch{nearest: -1})
	if rec.lost {
		return nil, errors.New("it needs a signal where no model is asked")
	}
	s := &Script{Root: root, Rows: rec.rows, Context: rec.context, lists: map[itemKind][]List{}}
	for kind, turns := range rec.lists {
		lists, err := turns.script()
		if err != nil {
			return nil, err
		}
		s.lists[kind] = lists
		for _, l := range lists {
			if kind != kindVerdict {
				s.Length += len(l.Turns)
			}
		}
	}
	for _, f := range r.program.Funcs {
		s.name(kindResult, f.Name)
	}
	for _, tool := range r.program.Tools {
		s.name(kindOutput, tool.Name)
	}
	for _, guard := range r.program.Guards {
		s.name(kindVerdict, guard.Name)
	}

	return s, s.check()
}

// name adds an empty list for a name that has none.
func (s *Script) name(kind itemKind, name ir.Text) {
	if !slices.ContainsFunc(s.lists[kind], func(l List) bool { return l.base() == name.Value }) {
		s.lists[kind] = append(s.lists[kind], List{Name: name.Value})
	}
}

// base is the name without the number of a branch.
func (l List) base() string {
	base, _, _ := strings.Cut(l.Name, "@")

	return base
}

// inputMark is replaced in scripts.
const inputMark = "{{input}}"

// check finds what a script cannot say.
func (s *Script) check() error {
	for _, list := range s.lists[kindReply] {
		if scriptdoc.IsSection(list.base()) {
			return fmt.Errorf("a script cannot answer for an agent that is called %q", list.base())
		}
		for _, t := range list.Turns {
			if strings.Contains(t.Key+t.Value+t.Say+t.Calls, inputMark) {
				return fmt.Errorf("what %q answers has %s in it, which a script replaces", list.base(), inputMark)
			}
		}
	}

	return nil
}
