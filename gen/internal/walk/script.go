package walk

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Script answers for one walk, from its beginning to its end.
type Script struct {
	// Name is a file name without its suffix; it differs from those of all other scripts, in small letters too.
	Name string
	// Root is the agent that is run.
	Root *ir.Agent
	// For is the row for which the script is: of all walks that take it, this is one of the shortest. It is nil for
	// the walk of an agent that has no rows.
	For *Row
	// Ending is what the script is for where that is no row; nil else.
	Ending *Ending
	// Rows are those that the walk takes, in the order in which it takes them first.
	Rows []*Row
	// Turns are the lists of conversations, in the order in which they begin, Answers those of people.
	Turns, Answers []List
	// Funcs and Tools are the lists of functions and of tools: all that the program has, because where no Go implements them a
	// script has to name them. No agent calls a tool.
	Funcs, Tools []List
	// Guards are what guards say, each with a value true or false: all that the program has too.
	Guards []List
	// Length counts turns and answers.
	Length int
	// Context is the initial context that the run has to be given, as JSON; "" if it needs none.
	Context string
}

// Unscripted is a row that is taken, but by no walk that a script can answer for.
type Unscripted struct {
	Row *Row
	Why string
	// Open says that it depends on what a run is given.
	Open bool
}

// MostTurns bounds the turns and answers of a script.
const MostTurns = 100_000

// Scripts returns scripts that together take every row that a script can take, in which the conversations of flows end in every way,
// and for each root at least one. Where
// the walk of a row takes others on its way, these need none of their own; of the shortest walks of a row it is one that
// takes rows no other script takes where rows lead on alike.
func (r *Result) Scripts(progress func(done, total int)) ([]*Script, []Unscripted) {
	if progress == nil {
		progress = func(int, int) {}
	}
	w := &scriptWriter{result: r, taken: map[*Row]int{}}
	rows := w.longestFirst()
	for i, row := range rows {
		if w.taken[row] == 0 {
			w.add(row)
		}
		progress(i+1, len(rows))
	}
	w.drop()
	w.addEndings()
	w.wholeRoots()
	w.order()
	name(w.scripts)

	return w.scripts, w.left()
}

// scriptWriter chooses scripts.
type scriptWriter struct {
	result *Result
	// taken counts the scripts that take a row.
	taken      map[*Row]int
	scripts    []*Script
	unscripted []Unscripted
}

// longestFirst returns the rows that some run can take, those with the longest walks first: they take the most others.
func (w *scriptWriter) longestFirst() []*Row {
	var rows []*Row
	for _, m := range w.result.Machines {
		for _, row := range m.Rows {
			if row.Ends && !driven(m.Agent) {
				rows = append(rows, row)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(b.Turns, a.Turns) })

	return rows
}

// driven reports whether a is a machine that only Go code drives.
func driven(a *ir.Agent) bool {
	m, ok := a.Node.(*ir.Machine)

	return ok && m.External
}

func (w *scriptWriter) add(row *Row) {
	s, err := w.script(row)
	if err != nil {
		w.unscripted = append(w.unscripted, Unscripted{row, err.Error(), errors.Is(err, errDoubtful)})
		return
	}
	w.scripts = append(w.scripts, s)
	for _, taken := range s.Rows {
		w.taken[taken]++
	}
}

// drop takes out scripts whose rows are all taken by others, the shortest first.
func (w *scriptWriter) drop() {
	order := slices.Clone(w.scripts)
	slices.Reverse(order)
	dropped := map[*Script]bool{}
	for _, s := range order {
		if slices.ContainsFunc(s.Rows, func(row *Row) bool { return w.taken[row] == 1 }) {
			continue
		}
		dropped[s] = true
		for _, row := range s.Rows {
			w.taken[row]--
		}
	}
	w.scripts = slices.DeleteFunc(w.scripts, func(s *Script) bool { return dropped[s] })
}

// wholeRoots adds a walk for each root that has none.
func (w *scriptWriter) wholeRoots() {
	for i, n := range w.result.nodes {
		root := w.result.roots[i]
		has := slices.ContainsFunc(w.scripts, func(s *Script) bool { return s.Root == root })
		if has || driven(root) || len(n.outcomes) == 0 {
			continue
		}
		s, err := w.result.record(root, n.turns(), func(r *recorder, b *branch) { r.playAny(b, n) })
		if err == nil {
			w.scripts = append(w.scripts, s)
		}
	}
}

// order sorts the scripts as their rows stand in the program; those without a row come last.
func (w *scriptWriter) order() {
	at := map[*Row]int{}
	for _, m := range w.result.Machines {
		for _, row := range m.Rows {
			at[row] = len(at)
		}
	}
	slices.SortStableFunc(w.scripts, func(a, b *Script) int {
		if a.For == nil || b.For == nil {
			return cmp.Compare(boolInt(a.For == nil), boolInt(b.For == nil))
		}

		return cmp.Compare(at[a.For], at[b.For])
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}

	return 0
}

// left returns the rows that no script takes.
func (w *scriptWriter) left() []Unscripted {
	return slices.DeleteFunc(w.unscripted, func(u Unscripted) bool { return w.taken[u.Row] > 0 })
}

// script answers for the shortest walk that takes a row.
func (w *scriptWriter) script(row *Row) (*Script, error) {
	passes := passesTo(row.walk)
	at := slices.Index(w.result.nodes, passes[0].by)
	root := w.result.roots[at]
	var s *Script
	var err error
	for _, walk := range []func(*recorder, *branch){
		func(rec *recorder, b *branch) {
			rec.instead = newInstead(w.taken, w.result.nodes[at])
			rec.lead(b, passes)
		},
		func(rec *recorder, b *branch) { rec.lead(b, passes) },
		// Where the same is run in several groups, all of them may go the same way.
		func(rec *recorder, b *branch) { rec.leadEverywhere(b, passes) },
	} {
		var differ *differError
		if s, err = w.result.record(root, row.Turns, walk); err == nil {
			s.For = row
			return s, nil
		} else if !errors.As(err, &differ) {
			break
		}
	}

	return nil, err
}

// passesTo returns the passes of a walk from its beginning to p.
func passesTo(p *pass) []*pass {
	var passes []*pass
	for p != nil {
		passes = append(passes, p)
		p = p.by.outcomes[p.by.body.ends(p)].around
	}
	slices.Reverse(passes)

	return passes
}

// record makes the script of a walk.
func (r *Result) record(root *ir.Agent, turns int, walk func(*recorder, *branch)) (*Script, error) {
	if turns > MostTurns {
		return nil, fmt.Errorf("its shortest walk has more than %d turns", MostTurns)
	}
	rec := newRecorder()
	walk(rec, &branch{nearest: -1})
	switch {
	case rec.doubtful:
		return nil, errDoubtful
	case rec.lost:
		return nil, errors.New("it needs a signal where no model is asked")
	}
	s := &Script{Root: root, Rows: rec.rows, Context: rec.context}
	for list, of := range map[*[]List]*tapes{
		&s.Turns: rec.turns, &s.Answers: rec.answers, &s.Funcs: rec.funcs, &s.Tools: rec.tools,
	} {
		var err error
		if *list, err = lists(of); err != nil {
			return nil, err
		}
		for _, l := range *list {
			s.Length += len(l.Turns)
		}
	}
	var err error
	if s.Guards, err = lists(rec.guards); err != nil {
		return nil, err
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

// errDoubtful is why there is no script for a walk that depends on what it is given, which a script does not say.
var errDoubtful = errors.New("it depends on what the run is given")

// named returns lists with an empty one for a name that has none.
func named(lists []List, name string) []List {
	if slices.ContainsFunc(lists, func(l List) bool { base, _, _ := strings.Cut(l.Name, "@"); return base == name }) {
		return lists
	}

	return append(lists, List{Name: name})
}

// sections are the names in a script that are no agent's.
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
