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
	// Name is a file name without suffix. It differs from all other scripts, also in lower case.
	Name string
	// Root is the agent that runs.
	Root *ir.Agent
	// For is the target of the script, which is one of the shortest runs that take it. It is nil
	// for the run of an agent without rows and cases.
	For Target
	// Rows and Cases are what the run takes, in the order in which it takes them first.
	Rows  []*Row
	Cases []*Case
	// lists are the entries for conversations, people, functions, tools and guards, in the order in
	// which they begin.
	lists map[itemKind][]List
	// Length counts turns and answers.
	Length int
	// Context is the required initial context of the run, as JSON; "" if it needs none.
	Context string
	// Input is the input of the run, as JSON; "" if it takes any text.
	Input string
}

// Unscripted is a target that runs take, but no script can answer for them.
type Unscripted struct {
	Target Target
	Why    string
}

// MostTurns bounds the turns and answers of a script.
const MostTurns = 100_000

// Scripts returns scripts that together take every row and every case that a script can take, and
// at least one for each root. Targets that the run of another script takes have no script of their
// own.
func (r *Result) Scripts(progress func(done, total int)) ([]*Script, []Unscripted) {
	if progress == nil {
		progress = func(int, int) {}
	}
	w := &scriptWriter{result: r, taken: map[Target]bool{}}
	rows := r.targets(func(t Target) bool { _, isRow := t.(*Row); return isRow && r.isScriptable(t) })
	cases := r.targets(func(t Target) bool { _, isCase := t.(*Case); return isCase && r.isScriptable(t) })
	longestFirst := func(a, b Target) int { return cmp.Compare(b.coverage().Turns, a.coverage().Turns) }
	slices.SortStableFunc(rows, longestFirst) // the longest take the most others
	slices.SortStableFunc(cases, longestFirst)
	all := append(rows, cases...)
	for i, t := range all {
		if !w.taken[t] {
			w.addFor(t)
		}
		progress(i+1, len(all))
	}
	w.addRootScripts()
	w.sortScripts()
	nameScripts(w.scripts)

	return w.scripts, slices.DeleteFunc(w.unscripted, func(u Unscripted) bool { return w.taken[u.Target] })
}

// targets returns the selected rows and then cases of the program, each in its order.
func (r *Result) targets(are func(Target) bool) []Target {
	var all []Target
	for _, m := range r.Machines {
		all = append(all, ir.Map(m.Rows, func(row *Row) Target { return row })...)
	}
	for _, s := range r.Steps {
		all = append(all, ir.Map(s.Cases, func(c *Case) Target { return c })...)
	}

	return ir.Where(all, are)
}

// isScriptable reports whether a run that ends takes a target, in a program that can be run.
func (r *Result) isScriptable(t Target) bool {
	row, isRow := t.(*Row)

	return t.coverage().Ends && !(isRow && row.Machine.Agent.IsGoDriven())
}

// scriptWriter selects scripts.
type scriptWriter struct {
	result *Result
	// taken are the targets that scripts take.
	taken      map[Target]bool
	scripts    []*Script
	unscripted []Unscripted
}

// addFor adds a script for the shortest run that takes a target.
func (w *scriptWriter) addFor(t Target) {
	s, err := w.recordThrough(sitesTo(t.coverage().bestRuns.at), t.coverage().Turns)
	if err != nil {
		w.unscripted = append(w.unscripted, Unscripted{t, err.Error()})
		return
	}
	s.For = t
	w.scripts = append(w.scripts, s)
	for _, row := range s.Rows {
		w.taken[row] = true
	}
	for _, c := range s.Cases {
		w.taken[c] = true
	}
}

// recordThrough returns the script of a run through sites. If the lists of branches would have to
// differ, the run takes other edges, or the same path wherever the same node runs.
func (w *scriptWriter) recordThrough(sites []*site, turns int) (s *Script, err error) {
	root := w.result.roots[slices.Index(w.result.nodes, sites[0].in)]
	elsewhere := map[*node]func(*branch){}
	for _, way := range []recorder{{}, {overrides: elsewhere}} {
		s, err = w.result.recordScript(root, turns, &way, func(r *recorder, b *branch) {
			for i, outer := range sites[:len(sites)-1] {
				elsewhere[outer.edge.items[outer.item].node] = func(in *branch) { r.playThrough(in, sites[i+1:]) }
			}
			r.playThrough(b, sites)
		})
		if !errors.As(err, new(*differingListsError)) {
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
		_, end := s.in.pathFrom(s.order, s.edge)
		s = s.in.sites[end]
	}
	slices.Reverse(sites)

	return sites
}

// addRootScripts adds a run for each root without a script.
func (w *scriptWriter) addRootScripts() {
	for i, n := range w.result.nodes {
		root := w.result.roots[i]
		has := slices.ContainsFunc(w.scripts, func(s *Script) bool { return s.Root == root })
		if has || root.IsGoDriven() || !n.lowestCost().isCertain() {
			continue
		}
		s, err := w.result.recordScript(root, n.lowestCost().turns, &recorder{}, func(r *recorder, b *branch) { r.playNode(b, n, n.allOutcomes()) })
		if err == nil {
			w.scripts = append(w.scripts, s)
		}
	}
}

// sortScripts sorts the scripts by their targets in the program. Those without a target are last.
func (w *scriptWriter) sortScripts() {
	at := map[Target]int{}
	for i, t := range w.result.targets(func(Target) bool { return true }) {
		at[t] = i
	}
	at[nil] = len(at)
	slices.SortStableFunc(w.scripts, func(a, b *Script) int { return cmp.Compare(at[a.For], at[b.For]) })
}

// recordScript returns the script of a run.
func (r *Result) recordScript(root *ir.Agent, turns int, rec *recorder, play func(*recorder, *branch)) (*Script, error) {
	if turns > MostTurns {
		return nil, fmt.Errorf("its shortest run has more than %d turns", MostTurns)
	}
	rec.lists, rec.seen = map[itemKind]*branchTurns{}, map[Target]bool{}
	play(rec, &branch{nearest: -1})
	if rec.losesSignal {
		return nil, errors.New("it needs a signal where no model is asked")
	}
	s := &Script{Root: root, Rows: rec.rows, Cases: rec.cases, Context: rec.context, Input: rec.input, lists: map[itemKind][]List{}}
	for kind, turns := range rec.lists {
		lists, err := turns.buildLists()
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
	return s, s.checkEncodable()
}

// baseName returns the name without the number of a branch.
func (l List) baseName() string {
	base, _, _ := strings.Cut(l.Name, "@")

	return base
}

// inputMark is a placeholder in scripts.
const inputMark = "{{input}}"

// checkEncodable returns an error if a script cannot express the run.
func (s *Script) checkEncodable() error {
	for _, list := range s.lists[kindReply] {
		if scriptdoc.IsSection(list.baseName()) {
			return fmt.Errorf("a script cannot answer for an agent that is called %q", list.baseName())
		}
		for _, t := range list.Turns {
			if strings.Contains(t.Key+t.Value+t.Say+t.Calls, inputMark) {
				return fmt.Errorf("what %q answers has %s in it, which a script replaces", list.baseName(), inputMark)
			}
		}
	}

	return nil
}
