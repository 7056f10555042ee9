package emit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// oddKeys are keys of many kinds; no two of them fold to the same or become the same identifier.
var oddKeys = []string{
	"ok", "Not OK", "needs-work", "good_enough", "ÄRGER", "naïve Straße", "İstanbul", "c++", "c#", "!", "?!", "👍", "日本語", "3x",
	"`quoted`", "say \"yes\"", `back\slash`, "a\tb", "line\nbreak", "${HOME}", "{{ .X }}", "*/ //go:embed x", "\u202egnp.exe",
	" padded ", "default", "case", "func", "",
}

// TestRandomMachines compiles many random machines into one program and asks it and a naive
// interpreter the same questions: which key an answer means in a state, how it was found, and where
// it leads. The program is a test of the machines' package, beside those that are generated,
// because it takes long to compile so many machines: once is enough.
func TestRandomMachines(t *testing.T) {
	t.Parallel()
	random, sizes := 60, []int{128, 129, 256, 513}
	if testing.Short() {
		random, sizes = 12, []int{128, 129}
	}
	p := &ir.Program{Package: "machines"}
	var machines []*ir.Agent
	add := func(o emittest.Options) {
		o.Name = fmt.Sprintf("m%d", len(machines))
		machines = append(machines, emittest.AddMachine(p, uint64(len(machines)), o))
	}
	for i := range random {
		add(emittest.Options{States: 2 + i/2, Rows: 1 + i%5, Keys: oddKeys})
	}
	for _, states := range sizes {
		add(emittest.Options{States: states, Keys: emittest.NewKeys(20)})
	}
	add(emittest.Options{States: 20, Agents: true, Keys: oddKeys})
	if !testing.Short() {
		add(emittest.Options{States: 300, Keys: oddKeys}) // more lists of keys than rowKey repeats
		add(emittest.Options{States: 600, Agents: true})  // more rows than its test has
	}
	for _, a := range p.Agents {
		if _, isOneshot := a.Node.(*ir.Oneshot); isOneshot { // whose key need not have a row
			a.Node = &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}
		}
	}
	emittest.SortAgents(p)

	var questions, want strings.Builder
	count := 0
	r := rand.New(rand.NewPCG(1, 2))
	for i, a := range machines {
		m := a.Node.(*ir.Machine)
		for range 400 {
			s := m.States[r.IntN(len(m.States))]
			answer := randomAnswer(r, m, s)
			fmt.Fprintf(&questions, "%d %q %q\n", i, s.Name.Value, answer)
			fmt.Fprintln(&want, interpret(s, answer))
			count++
		}
	}

	w := newWorkspace(t)
	w.add("machines", emitted(t, p))
	w.write("machines/answers_test.go", driver(machines))
	w.write("machines/questions", questions.String())
	w.run("vet", "./machines")
	w.run("test", "-vet=off", "./machines")
	got := strings.Split(w.read("machines/answers"), "\n")
	asked := strings.Split(questions.String(), "\n")
	for i, line := range strings.Split(want.String(), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s: want %s, got %s", asked[i], line, got[i])
		}
	}
	t.Logf("%d machines, %d questions", len(machines), count)
}

// TestLargeMachines reads machines back that are emitted in pieces, one case more and one less than
// a piece holds. Their tests have a line for each row, of some 30 bytes.
func TestLargeMachines(t *testing.T) {
	sizes := []int{127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1025, 4096, 4097, 10000}
	if testing.Short() {
		sizes = sizes[:9]
	}
	for _, states := range sizes {
		p := &ir.Program{Package: "machines"}
		emittest.AddMachine(p, uint64(states), emittest.Options{States: states, Keys: emittest.NewKeys(20)})
		for _, f := range emitted(t, p) {
			if f.Name == names.TestFile && len(f.Content) > 130*states+2000 {
				t.Errorf("the test of %d states has %d bytes", states, len(f.Content))
			}
		}
	}
}

// interpret is the specification of matching, word by word.
func interpret(s *ir.State, answer string) string {
	leads := func(key, match string, to ir.Ref, end bool) string {
		if end {
			return fmt.Sprintf("%q %s ~", key, match)
		}
		return fmt.Sprintf("%q %s %q", key, match, to.State.Name.Value)
	}
	if s.Always != nil {
		return leads(answer, "unconditional", *s.Always, false)
	}
	for _, row := range s.Rows {
		if !row.IsCatchAll() && row.Key.Value == answer {
			return leads(answer, "exact", row.To, row.End)
		}
	}
	for _, row := range s.Rows {
		fold := func(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
		if !row.IsCatchAll() && fold(row.Key.Value) == fold(answer) {
			return leads(row.Key.Value, "folded", row.To, row.End)
		}
	}
	for _, row := range s.Rows {
		if row.IsCatchAll() {
			return leads(answer, "catch-all", row.To, row.End)
		}
	}

	return fmt.Sprintf("%q  none", answer)
}

// randomAnswer returns a key of the state, mostly, or of the machine, as it is or written
// differently, or something else.
func randomAnswer(r *rand.Rand, m *ir.Machine, s *ir.State) string {
	all := names.Keys(m)
	if len(all) == 0 || r.IntN(8) == 0 {
		return []string{"", "*", "~", "no such key", "unconditional", " ", "\x00"}[r.IntN(7)]
	}
	answer := all[r.IntN(len(all))].Value
	if len(s.Rows) > 0 && r.IntN(3) > 0 {
		answer = s.Rows[r.IntN(len(s.Rows))].Key.Value
	}
	switch r.IntN(4) {
	case 0:
		return strings.ToUpper(answer)
	case 1:
		return "\n " + answer + "\t"
	}

	return answer
}

// driver returns a test that answers the questions of a file, one a line: machine, state, answer.
func driver(machines []*ir.Agent) string {
	var b strings.Builder
	b.WriteString(`package machines_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"emitted/machines"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

type state[K ~string, S any] interface {
	comparable
	CanonicalKey(string) (K, rt.Match)
	Next(K) (S, bool)
	String() string
}

func ask[K ~string, S state[K, S]](parse func(string) (S, error), name, answer string) string {
	var none S
	s, err := parse(name)
	if err != nil {
		return err.Error()
	}
	key, match := s.CanonicalKey(answer)
	next, ok := s.Next(key)
	switch {
	case !ok && next == none:
		return fmt.Sprintf("%q %s none", key, match)
	case next == none:
		return fmt.Sprintf("%q %s ~", key, match)
	}
	return fmt.Sprintf("%q %s %q", key, match, next.String())
}

func TestAnswers(t *testing.T) {
	ask := []func(string, string) string{
`)
	for _, a := range machines {
		name := a.Name.Value
		fmt.Fprintf(&b, "\t\tfunc(name, answer string) string { return ask[machines.%s](machines.%s, name, answer) },\n",
			names.KeyType(name), names.ParseState(name))
	}
	b.WriteString(`	}
	questions, err := os.ReadFile("questions")
	if err != nil {
		t.Fatal(err)
	}
	var answers strings.Builder
	for line := range strings.Lines(string(questions)) {
		var machine int
		var name, answer string
		if _, err := fmt.Sscanf(line, "%d %q %q\n", &machine, &name, &answer); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&answers, ask[machine](name, answer))
	}
	if err := os.WriteFile("answers", []byte(answers.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
`)

	return b.String()
}
