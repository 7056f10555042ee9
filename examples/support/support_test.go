package support

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/examples/support/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

func TestTheCaseIsHandedBackAndSettled(t *testing.T) {
	app := agents.New()
	fx := simulate.New(t, app.Program().Scripts["script.yaml"])

	fin, err := app.RunSupport(fx, "The app charged me twice.")
	if err != nil {
		t.Fatal(err)
	}
	if fin.Key != "Resolved" || fin.Value != "We pay the second charge back by Friday." {
		t.Errorf("finished with %q: %q", fin.Key, fin.Value)
	}
}

// TestTheFinalKeyIsAConstant: the model wrote "Resolved", which means the key of a row.
func TestTheFinalKeyIsAConstant(t *testing.T) {
	app := agents.New()
	eng := engine.New(engine.Options{Script: app.Program().Scripts["script.yaml"]})
	fin, err := app.Support(t.Context(), eng, "The app charged me twice.")
	if err != nil {
		t.Fatal(err)
	}
	switch fin.Key {
	case agents.SupportKeyResolved:
		t.Log("settled:", fin.Output)
	default:
		t.Errorf("finished with %q: %q", fin.Key, fin.Output)
	}
}

// spy keeps the schemas of finish that an agent is offered.
type spy struct {
	runtime.Effects
	agent   string
	schemas []string
}

func (s *spy) Model(r model.Request) (model.Reply, error) {
	for _, tool := range r.Tools {
		if r.Agent == s.agent && tool.Name == "finish" {
			s.schemas = append(s.schemas, tool.Schema)
		}
	}

	return s.Effects.Model(r)
}

// The agent review stands in three places, and each time it is offered exactly the keys that are legal there.
func TestOneAgentInThreePlaces(t *testing.T) {
	app := agents.New()
	settled := &spy{Effects: simulate.New(t, app.Program().Scripts["script.yaml"]), agent: "review"}
	if _, err := app.RunSupport(settled, "The app charged me twice."); err != nil {
		t.Fatal(err)
	}
	urgent := &spy{Effects: simulate.New(t, `{
		"triage":    [{"finish": {"key": "urgent", "value": "The disk is full."}}],
		"summarize": [{"say": "The disk is full since noon."}],
		"review":    [{"finish": {"key": "whatever", "value": "The disk of db-1 is full since noon."}}],
		"page":      [{"say": "db-1: disk full"}]
	}`), agent: "review"}
	fin, err := app.RunSupport(urgent, "The disk is full.")
	if err != nil {
		t.Fatal(err)
	}
	if fin.Value != "db-1: disk full" {
		t.Errorf("the page is %q", fin.Value)
	}

	schemas := append(settled.schemas[:2:2], urgent.schemas...)
	want := []string{
		// in technical, whose rows are these two
		`{"type":"object","properties":{"key":{"type":"string","enum":["sound","guess"],"description":"Decides what happens next."},` +
			`"value":{"type":"string","description":"The result, whole."}},"required":["key","value"],"additionalProperties":false}`,
		// in billing
		`{"type":"object","properties":{"key":{"type":"string","enum":["resolved","rework","escalate"],"description":"Decides what happens next."},` +
			`"value":{"type":"string","description":"The result, whole."}},"required":["key","value"],"additionalProperties":false}`,
		// in on-call, where page follows whatever the key
		`{"type":"object","properties":{"key":{"type":"string","description":"Optional here: done, if nothing else is asked for."},` +
			`"value":{"type":"string","description":"The result, whole."}},"required":["value"],"additionalProperties":false}`,
	}
	if len(schemas) != len(want) {
		t.Fatalf("%d schemas of finish", len(schemas))
	}
	for i := range want {
		if schemas[i] != want[i] {
			t.Errorf("place %d offers\n%s", i, schemas[i])
		}
	}
}

// A reviewer that answers with a key of another place is asked again, and then the run ends with an error that says what
// would have been right.
func TestAKeyOfAnotherPlaceIsNotTaken(t *testing.T) {
	fx := simulate.New(t, `{
		"triage": [{"finish": {"key": "billing", "value": "Charged twice."}}],
		"ledger": [{"say": "Pay it back."}],
		"review": [{"finish": {"key": "sound", "value": ""}}, {"finish": {"key": "sound", "value": ""}}, {"finish": {"key": "sound", "value": ""}}]
	}`)

	_, err := agents.New().RunSupport(fx, "The app charged me twice.")
	var invalid *runtime.InvalidTransitionError
	if !errors.As(err, &invalid) {
		t.Fatalf("the run ended with %v", err)
	}
	if invalid.Machine != "billing" || invalid.State != "review" || invalid.Key != "sound" || len(invalid.Valid) != 3 {
		t.Errorf("%+v", invalid)
	}
}

// TestATransitionAllocatesNothing: a machine that many programs step through at once costs the collector nothing.
func TestATransitionAllocatesNothing(t *testing.T) {
	state := agents.SupportStateTriage
	allocs := testing.AllocsPerRun(100, func() {
		key, _ := state.CanonicalKey("technical")
		next, ok := state.Next(key)
		if !ok {
			t.Fatal(key)
		}
		key, _ = next.CanonicalKey("resolved")
		if end, ok := next.Next(key); !ok || !end.Terminal() || end.String() != "done" {
			t.Fatal(end)
		}
	})
	if allocs > 0 {
		t.Errorf("%.0f allocations", allocs)
	}
}
