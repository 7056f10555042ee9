package diff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/diff"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/generated/live"
)

// Each archive in testdata has two versions of a project, in the folders old and new, and what is
// said of them.
func TestVersions(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		project := c.Project("want", "markdown")
		r := diff.CompareVersions(load(t, project, "old"), load(t, project, "new"), cost.Options{Model: "ollama:small", MaxTokens: 100})
		r.Old, r.New = "old", "new"
		text := r.FormatText()
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%d columns: %s", len([]rune(line)), line)
			}
		}
		c.Want(t, "want", text)
		markdown := r.FormatMarkdown()
		c.Want(t, "markdown", markdown)
	})
}

// load compiles a version, in which nothing may be wrong.
func load(t *testing.T, project fstest.MapFS, folder string) *ir.Program {
	t.Helper()
	files, err := fs.Sub(project, folder)
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	p, err := loader.Load(files, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Errorf("%s/%s: %s", folder, d.Span.File.Path, d.Message)
		}
	}

	return p
}

// liveState is a state of a machine that a test drives; its names are those of liveNames.
type liveState uint8

var liveNames []string

func (s liveState) String() string { return append([]string{""}, liveNames...)[s] }

// What is said of a state of a live machine is what becomes of a snapshot in it.
func TestMappedIsRestored(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	said := map[diff.Verdict]int{}
	for range 500 {
		var programs []*ir.Program
		var now *ir.Machine
		for range 2 {
			now = &ir.Machine{External: true}
			for _, i := range random.Perm(5)[:3] {
				now.States = append(now.States, &ir.State{Name: text(fmt.Sprint("s", i)), Always: &ir.Ref{}})
			}
			now.Initial = ir.Ref{Text: now.States[0].Name, State: now.States[0]}
			for _, s := range now.States {
				*s.Always = now.Initial
			}
			programs = append(programs, &ir.Program{Agents: []*ir.Agent{{Name: text("m"), Node: now}}})
		}
		spec := live.Spec[liveState, string]{Name: "m", Shape: emit.MachineShape(now), Initial: 1, Plain: true}
		liveNames = nil
		for _, s := range now.States {
			liveNames = append(liveNames, s.Name.Value)
		}
		spec.Parse = func(name string) (liveState, error) {
			i := slices.Index(liveNames, name)
			if i < 0 {
				return 0, errors.New("unknown")
			}
			return liveState(i + 1), nil
		}
		if from := fmt.Sprint("s", random.IntN(5)); !slices.Contains(liveNames, from) { // else check refuses the rule
			now.Live.Renames = []*ir.Rename{{From: text(from), To: now.Initial}}
			spec.Renames = map[string]liveState{from: 1}
		}
		for _, p := range diff.CompareVersions(programs[0], programs[1], cost.Options{}).Places {
			state := strings.TrimPrefix(p.Path, "live machine m: ")
			var m live.Machine[liveState, string]
			live.Start(&m, &spec, nil)
			was := emit.MachineShape(programs[0].Agents[0].Node.(*ir.Machine))
			err := m.Restore(json.RawMessage(fmt.Sprintf(`{"type": "fsm", "current_state": %q, "machine": "m", "shape": %q}`, state, was)))
			want := diff.Resumes
			switch {
			case err != nil:
				want = diff.Stuck
			case m.Current() != state:
				want = diff.Mapped
			}
			if p.Verdict != want {
				t.Errorf("%s with %v of %v: %s, and it is %s", state, liveNames, now.Live.Renames, p.Verdict, want)
			}
			said[p.Verdict]++
		}
	}
	if len(said) != 3 {
		t.Errorf("not every verdict: %v", said)
	}
}
