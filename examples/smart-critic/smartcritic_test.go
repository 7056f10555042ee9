package smartcritic

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/smart-critic/agents"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// path notes the states that a machine goes through.
type path []string

func (p *path) Observe(e event.Event) {
	if e.Kind == event.Transition {
		*p = append(*p, e.State+" "+e.Key+" "+e.To)
	}
}

func TestTheSecondRefinementIsAccepted(t *testing.T) {
	app := agents.New()
	var taken path
	fx := simulate.New(t, app.Program().Scripts["script.yaml"], &taken)

	fin, err := app.RunSmartCritic(fx, "a haiku about compilers")
	if err != nil {
		t.Fatal(err)
	}

	if fin.Key != "good-enough" || !strings.HasPrefix(fin.Value, "Silent compiler / you walk") {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
	want := []string{
		"draft needs-work critique", "critique done refine", "refine needs-work critique", "critique done refine",
		"refine good-enough done",
	}
	if got := strings.Join(taken, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the path was\n%s", got)
	}
}

func TestAGoodDraftIsNotCriticized(t *testing.T) {
	fx := simulate.New(t, `{"draft": [{"finish": {"key": "Good-Enough ", "value": "Perfect."}}]}`)

	fin, err := agents.New().RunSmartCritic(fx, "one word")
	if err != nil {
		t.Fatal(err)
	}
	if fin.Value != "Perfect." {
		t.Errorf("finished with %q", fin.Value)
	}
}
