package allpatterns

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/all-patterns/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// witness keeps the way of the machine and what the agents finished with.
type witness struct {
	path     []string
	finishes map[string][]runtime.Finish
}

func (w *witness) Observe(e event.Event) {
	switch e.Kind {
	case event.Transition:
		w.path = append(w.path, strings.Join(strings.Fields(e.State+" "+e.Key+" "+e.To), " "))
	case event.Finish:
		if w.finishes == nil {
			w.finishes = map[string][]runtime.Finish{}
		}
		w.finishes[e.Agent] = append(w.finishes[e.Agent], runtime.Finish{Key: e.Key, Value: e.Value, JSON: e.JSON})
	}
}

// run plays the script of the project.
func run(t *testing.T) (runtime.Finish, *witness) {
	t.Helper()
	app, w := agents.New(), &witness{}
	fin, err := app.RunRelease(simulate.New(t, app.Program().Scripts["script.yaml"], w), "All patterns compile.")
	if err != nil {
		t.Fatal(err)
	}

	return fin, w
}

// The person wants a change, and at the second question agrees.
func TestTheAnnouncementIsPublished(t *testing.T) {
	fin, w := run(t)

	want := "Thirteen patterns, one compiler\n\n" +
		"Agents in Markdown now compile, whatever their pattern. So do the ones that you have.\n\n" +
		"Thirteen patterns compile, old projects too. Mistakes are found before they cost money."
	if fin.Key != "publish" || fin.Value != want {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
	path := []string{
		"brief done research", "research done choice", "choice done article", "article done facts", "facts done tone",
		"tone done polish", "polish exhausted approval", "approval rework polish", "polish done display",
		"display done approval", "approval publish",
	}
	if !slices.Equal(w.path, path) {
		t.Errorf("the path was\n%s", strings.Join(w.path, "\n"))
	}
}

// Whoever is first, the results stand in the order of workers.
func TestResultsStandInOrder(t *testing.T) {
	_, w := run(t)

	display := w.finishes["display"][0]
	want := `{"headline":"Thirteen patterns, one compiler",` +
		`"teaser":"Agents in Markdown now compile, whatever their pattern. So do the ones that you have.",` +
		`"page":"Thirteen patterns compile, old projects too. Mistakes are found before they cost money."}`
	if !display.JSON || display.Value != want {
		t.Errorf("display finished with %s", display.Value)
	}
}

// spy keeps what an agent is given.
type spy struct {
	runtime.Effects
	agent  string
	inputs []string
}

func (s *spy) Model(r model.Request) (model.Reply, error) {
	if r.Agent == s.agent {
		s.inputs = append(s.inputs, r.Input)
	}

	return s.Effects.Model(r)
}

// One of two searches fails. The dossier is written all the same, and its writer is told which is missing.
func TestAFailedSearchIsMarked(t *testing.T) {
	fx := &spy{agent: "research/reduce", Effects: simulate.New(t, `{
		"research":        [{"finish": {"key": "parallel", "value": ["Does it work?", "Who was first?"]}}],
		"look-up@0":       [{"finish": {"key": "done", "value": "It does."}}],
		"look-up@1":       [{"error": {"status": 400, "message": "no such page"}}],
		"research/reduce": [{"say": "It works. Not found: who was first."}]
	}`)}
	if _, err := agents.New().RunResearch(fx, "A summary."); err != nil {
		t.Fatal(err)
	}

	for _, part := range []string{"<task>\nA summary.\n</task>", "<result of=\"Does it work?\">\nIt does.\n</result>",
		`<result of="Who was first?" failed="yes">`, "no such page"} {
		if len(fx.inputs) != 1 || !strings.Contains(fx.inputs[0], part) {
			t.Errorf("%q is not in %q", part, fx.inputs)
		}
	}
}

// If all searches fail there is nothing to write a dossier from.
func TestAllSearchesFail(t *testing.T) {
	fx := simulate.New(t, `{
		"research": [{"finish": {"key": "parallel", "value": ["Does it work?", "Who was first?"]}}],
		"look-up":  [{"error": {"status": 400}}]
	}`)
	_, err := agents.New().RunResearch(fx, "A summary.")

	var group *runtime.GroupError
	if !errors.As(err, &group) || len(group.Failed) != 2 || group.Failed[1].Name != "Who was first?" {
		t.Errorf("the run ended with %v", err)
	}
}

// Without anybody to ask, the run ends as paused and names the question.
func TestWithoutAnAnswerTheRunPauses(t *testing.T) {
	fx := simulate.New(t, `{"approval": [{"finish": {"key": "desk", "value": "May it go out?"}}]}`)
	_, err := agents.New().RunApproval(fx, "An announcement.")

	var paused *runtime.PausedError
	if !errors.As(err, &paused) || paused.Question.ID != "approval" || paused.Question.Channel != "desk" {
		t.Errorf("the run ended with %v", err)
	}
}
