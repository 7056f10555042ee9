package emit_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// moment is what guards are asked about.
type moment struct {
	key, value string
	visits     map[string]int
}

// judged is a guard as the source has it, and what it says.
type judged struct {
	text string
	says func(moment) bool
	// isUnknown reports whether it is neither true nor false; nil for one that never is.
	isUnknown func(moment) bool
}

// judgedRow is a row of a random machine; guard.says is nil without a guard, and to "" at the end.
type judgedRow struct {
	key, to  string
	guard    judged
	priority int
}

// judgedMachine has the rows of its states in source order. The last state has none.
type judgedMachine struct {
	name   string
	states []string
	rows   map[string][]judgedRow
}

var judgedKeys = []string{"go", "Say It", "x-y", "ÄRGER"}

// yes is what the named guards of the program answer: anything, but the same to the same question.
func yes(name, value string) bool {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %s", name, value)

	return h.Sum32()%2 == 0
}

// randomGuard returns a guard of any kind. number keeps those of a state apart.
func (m *judgedMachine) randomGuard(r *rand.Rand, number int) judged {
	state := m.states[r.IntN(len(m.states))]
	limit := r.IntN(4)
	visits := judged{text: fmt.Sprintf("visits[%q] > %d", state, limit), says: func(at moment) bool { return at.visits[state] > limit }}
	text := string(rune('a' + number))
	contains := judged{text: fmt.Sprintf("%q in value", text), says: func(at moment) bool { return strings.Contains(at.value, text) }}
	isUnknown := func(at moment) bool { return numberOf(at.value) < 0 && !contains.says(at) }
	switch name := fmt.Sprintf("g-%d", number); r.IntN(8) {
	case 6:
		return judged{fmt.Sprintf("not (data.n > %d or %s)", limit, contains.text),
			func(at moment) bool {
				return numberOf(at.value) >= 0 && numberOf(at.value) <= limit && !contains.says(at)
			}, isUnknown}
	case 7:
		return judged{fmt.Sprintf("data.n != %d and not (%s)", limit, contains.text),
			func(at moment) bool {
				return numberOf(at.value) >= 0 && numberOf(at.value) != limit && !contains.says(at)
			}, isUnknown}
	case 0:
		return judged{text: name, says: func(at moment) bool { return yes(name, at.value) }}
	case 1:
		return judged{text: "not " + name, says: func(at moment) bool { return !yes(name, at.value) }}
	case 2:
		return judged{text: contains.text + " and " + visits.text, says: func(at moment) bool { return contains.says(at) && visits.says(at) }}
	case 3:
		return judged{text: "not (" + contains.text + " or " + visits.text + ")",
			says: func(at moment) bool { return !contains.says(at) && !visits.says(at) }}
	case 4:
		return judged{text: fmt.Sprintf("(%s or key == %q) and value != %q", visits.text, judgedKeys[0], text+"bc"),
			says: func(at moment) bool { return (visits.says(at) || at.key == judgedKeys[0]) && at.value != text+"bc" }}
	}

	return judged{fmt.Sprintf("data.n > %d or %s", limit, contains.text),
		func(at moment) bool { return numberOf(at.value) > limit || contains.says(at) }, isUnknown}
}

// numberOf is n of a value that is an object with nothing else; -1 of any other.
func numberOf(value string) int {
	n := -1
	if _, err := fmt.Sscanf(value, `{"n": %d}`, &n); err != nil {
		return -1
	}

	return n
}

func randomJudged(r *rand.Rand, name string) *judgedMachine {
	m := &judgedMachine{name: name, rows: map[string][]judgedRow{}}
	for i := range 2 + r.IntN(5) {
		m.states = append(m.states, fmt.Sprintf("s-%d", i))
	}
	for i, s := range m.states[:len(m.states)-1] {
		m.rows[s] = []judgedRow{{key: "next", to: m.states[i+1]}} // so that every state can be reached
		number := 0
		add := func(key string, guarded bool, priority int) {
			row := judgedRow{key: key, priority: priority, to: m.states[r.IntN(len(m.states))]}
			if r.IntN(8) == 0 {
				row.to = ""
			}
			if guarded {
				row.guard = m.randomGuard(r, number)
				number++
			}
			m.rows[s] = append(m.rows[s], row)
		}
		for _, k := range r.Perm(len(judgedKeys))[:1+r.IntN(3)] {
			unguarded := r.IntN(3) // not at all, as the first in the source and the last that is tried, as the last of both
			if unguarded == 1 {
				add(judgedKeys[k], false, -9)
			}
			for range r.IntN(4) {
				add(judgedKeys[k], true, r.IntN(4)-1)
			}
			if unguarded == 2 {
				add(judgedKeys[k], false, -1)
			}
		}
		if r.IntN(2) == 0 {
			for range r.IntN(3) {
				add("*", true, r.IntN(3))
			}
			add("*", false, 0)
		}
	}

	return m
}

// source is the AGENT.md of the machine.
func (m *judgedMachine) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: A random machine.\nversion: \"1\"\npattern: fsm\ndrive: external\ninitial: s-0\nstates:\n", m.name)
	for _, s := range m.states {
		fmt.Fprintf(&b, "  %s:\n", s)
		for _, row := range m.rows[s] {
			to := row.to
			if to == "" {
				to = "~"
			}
			fmt.Fprintf(&b, "    - {key: %q, to: %s, priority: %d", row.key, to, row.priority)
			if row.guard.says != nil {
				fmt.Fprintf(&b, ", when: %q", row.guard.text)
			}
			b.WriteString("}\n")
		}
	}

	return b.String() + "---\n"
}

// interpret is the specification of guarded rows, word by word: what is asked, and where the
// machine goes.
func (m *judgedMachine) interpret(state, answer string, at moment) string {
	rows := m.rows[state]
	has := func(key string) bool {
		return slices.ContainsFunc(rows, func(row judgedRow) bool { return row.key == key })
	}
	fold := func(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
	match := ""
	at.key = answer
	if has(answer) && answer != "*" {
		match = "exact"
	} else {
		for _, row := range rows {
			if row.key != "*" && fold(row.key) == fold(answer) {
				match, at.key = "folded", row.key
			}
		}
	}

	var asked []string
	refusal, undecided := "InvalidTransitionError", false
	for i, key := range []string{at.key, "*"} {
		if i == 0 && match == "" {
			continue // no row has the key
		}
		var tried []judgedRow
		for priority := 9; priority >= -9; priority-- {
			for _, row := range rows {
				if row.key == key && row.priority == priority {
					tried = append(tried, row)
				}
			}
		}
		for _, row := range tried {
			found := match
			if key == "*" {
				found = "catch-all"
			}
			if row.guard.says != nil {
				found = "guard"
				says := row.guard.says(at)
				asked = append(asked, fmt.Sprintf("%s %v", row.guard.text, says))
				refusal = "GuardRejectedError"
				undecided = undecided || row.guard.isUnknown != nil && row.guard.isUnknown(at)
				if !says {
					continue
				}
			} else if undecided {
				return fmt.Sprintf("%q MissingValueError %q", at.key, asked)
			}

			return fmt.Sprintf("%q %s %q %q", at.key, found, row.to, asked)
		}
	}
	return fmt.Sprintf("%q %s %q", at.key, refusal, asked)
}

// TestRandomGuards compiles many random machines with guards and asks their transition functions,
// live machines of theirs and a naive interpreter the same questions: which guards are asked, in
// which order, what they say, where the machine goes, and how that row was found. The tests that
// are generated for the machines run too.
func TestRandomGuards(t *testing.T) {
	t.Parallel()
	random := 40
	if testing.Short() {
		random = 12
	}
	r := rand.New(rand.NewPCG(6, 6))
	var machines []*judgedMachine
	var project []txtar.File
	var questions, want strings.Builder
	for i := range random {
		m := randomJudged(r, fmt.Sprintf("m%d", i))
		machines = append(machines, m)
		project = append(project, txtar.File{Name: "agents/" + m.name + "/AGENT.md", Data: []byte(m.source())})
	}
	p := load(t, project)
	guarded := map[string]bool{}
	for _, a := range p.Agents {
		guarded[a.Name.Value] = a.MachineOf().HasGuards()
	}
	machines = slices.DeleteFunc(machines, func(m *judgedMachine) bool { return !guarded[m.name] })
	rejected := 0
	for i, m := range machines {
		for range 150 {
			state := m.states[r.IntN(len(m.states))]
			answer := append(slices.Clone(judgedKeys), "go", "GO", " say it", "*", "other")[r.IntN(9)]
			at := moment{value: []string{"", "abc", "bdf", "aceg", `{"n": 2}`, `{"n": 0}`}[r.IntN(6)], visits: map[string]int{}}
			var visits []string
			for _, s := range m.states {
				at.visits[s] = r.IntN(5)
				if s == state {
					at.visits[s]++ // the visit that it is
				}
				visits = append(visits, fmt.Sprint(at.visits[s]))
			}
			fmt.Fprintf(&questions, "%d %q %q %q %s\n", i, state, answer, at.value, strings.Join(visits, ","))
			line := m.interpret(state, answer, at)
			if strings.Contains(line, "Rejected") {
				rejected++
			}
			fmt.Fprintln(&want, line)
		}
	}

	w := newWorkspace(t)
	w.add("guarded", emitted(t, p))
	w.write("guarded/answers_test.go", judgedDriver(machines, p.Package, namesOfGuards(p.Guards)))
	w.write("guarded/questions", questions.String())
	w.run("vet", "./guarded")
	w.run("test", "-vet=off", "./guarded")
	got := strings.Split(w.read("guarded/answers"), "\n")
	asked := strings.Split(questions.String(), "\n")
	for i, line := range strings.Split(want.String(), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s: want %s, got %s", asked[i], line, got[i])
		}
	}
	if len(machines) < random*3/4 || rejected < random*3/4 {
		t.Errorf("%d machines, %d rejections: too few to tell", len(machines), rejected)
	}
}

func namesOfGuards(guards []*ir.GuardFunc) []string {
	list := make([]string, len(guards))
	for i, guard := range guards {
		list[i] = guard.Name.Value
	}

	return list
}

// judgedDriver returns a test that answers the questions of a file, one a line: machine, state,
// answer, value, visits. Where a live machine answers something else than Next, it says both.
func judgedDriver(machines []*judgedMachine, pkg string, guards []string) string {
	var b strings.Builder
	b.WriteString(`package ` + pkg + `

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

type answers struct{}

func yes(name, value string) (runtime.Verdict, error) {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %s", name, value)
	return runtime.Verdict{OK: h.Sum32()%2 == 0}, nil
}

func told(verdicts []event.Guard) (asked []string) {
	for _, guard := range verdicts {
		asked = append(asked, fmt.Sprintf("%s %v", guard.Name, guard.OK))
	}
	return asked
}

func says(j *rt.Judge, key, to string, found rt.Match, ok bool) string {
	if !ok {
		return fmt.Sprintf("%q %s %q", key, runtime.ErrorType(j.Refusal(nil)), told(j.Asked()))
	}
	return fmt.Sprintf("%q %s %q %q", key, j.Match(found), to, told(j.Asked()))
}

// both puts a live machine where the question is, and returns what Next said, with what the live machine does if that differs.
func both(next string, m drive.Machine, state, answer, value string, visits []string) string {
	counts := map[string]int64{}
	for i, n := range visits {
		counts[fmt.Sprintf("s-%d", i)] = count(n)
	}
	snapshot, _ := json.Marshal(map[string]any{"type": "fsm", "current_state": state, "visits": counts})
	if err := m.Restore(snapshot); err != nil {
		return err.Error()
	}
	if live := fires(m, drive.Attempt{Key: answer, Value: value}); live != next {
		return next + ", but live " + live
	}
	return next
}

func fires(m drive.Machine, a drive.Attempt) string {
	from := m.Current()
	can, _ := m.Can(a)
	step, err := m.Try(a)
	var invalid *runtime.InvalidTransitionError
	var rejected *runtime.GuardRejectedError
	switch {
	case err != nil && (m.Current() != from || m.Seq() != 1):
		return fmt.Sprintf("moved to %q, seq %d, after %v", m.Current(), m.Seq(), err)
	case errors.As(err, &invalid):
		return fmt.Sprintf("%q %s %q", invalid.Key, runtime.ErrorType(err), told(nil))
	case errors.As(err, &rejected):
		var asked []string
		for _, guard := range rejected.Guards {
			asked = append(asked, guard.Guard+" false")
		}
		return fmt.Sprintf("%q %s %q", rejected.Key, runtime.ErrorType(err), asked)
	case err != nil:
		return err.Error()
	case m.Current() != step.To || m.Seq() != 2 || can.To != step.To || can.Key != step.Key:
		return fmt.Sprintf("is in %q, seq %d, after %+v; could %+v", m.Current(), m.Seq(), step, can)
	}
	return fmt.Sprintf("%q %s %q %q", step.Key, step.Matched, step.To, told(step.Guards))
}
`)
	for _, name := range guards {
		fmt.Fprintf(&b, "\nfunc (answers) %s(_ context.Context, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) "+
			"{ return yes(%q, in.Value) }\n", names.Method(name), name)
	}
	b.WriteString(`
func TestAnswers(t *testing.T) {
	ask := []func(state, answer, value string, visits []string) string{
`)
	for _, m := range machines {
		args, made := "", ""
		if slices.ContainsFunc(m.states, m.asksNamed) {
			args, made = ", Guards: namedGuards(answers{})", "answers{}"
		}
		fmt.Fprintf(&b, `		func(state, answer, value string, visits []string) string {
			s, err := %s(state)
			if err != nil {
				return err.Error()
			}
			g := &rt.Judge{Machine: %q, Visits: make([]int64, %d), Values: make([]string, %[3]d)%[4]s}
			for i, n := range visits {
				g.Visits[i+1] = count(n)
			}
			key, found := s.CanonicalKey(answer)
			g.Begin(int(s), s.String(), string(key), value)
			next, ok := s.Next(key, g)
			said := says(g, string(key), next.String(), found, ok)
			return both(said, %[5]s(%[6]s), state, answer, value, visits)
		},
`, names.ParseState(m.name), m.name, len(m.states)+1, args, names.NewLive(m.name), made)
	}
	b.WriteString(`	}
	questions, err := os.ReadFile("questions")
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(questions)) {
		var machine int
		var state, answer, value, visits string
		if _, err := fmt.Sscanf(line, "%d %q %q %q %s\n", &machine, &state, &answer, &value, &visits); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&lines, ask[machine](state, answer, value, strings.Split(visits, ",")))
	}
	if err := os.WriteFile("answers", []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func count(text string) int64 {
	n, _ := strconv.Atoi(text)
	return int64(n)
}
`)

	return b.String()
}

// asksNamed reports whether a row of a state asks a named guard.
func (m *judgedMachine) asksNamed(state string) bool {
	return slices.ContainsFunc(m.rows[state], func(row judgedRow) bool {
		return strings.HasPrefix(strings.TrimPrefix(row.guard.text, "not "), "g-")
	})
}
