package enginetest

import (
	"context"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Setup is what an engine needs for one case.
type Setup struct {
	// Script answers every model request, in the grammar of package simulate: the agent is called
	// main. Engines that call models use Model instead, which returns the same replies.
	Script string
	Model  func(ctx context.Context, request model.Request) (model.Reply, error)
	// Observer receives the events.
	Observer event.Observer
	// Ask answers questions; nil: there is no person to ask, and the run pauses.
	Ask func(ctx context.Context, q runtime.Question) (runtime.Answer, error)
}

// Make returns an engine for one case.
type Make func(Setup) compiled.Engine

// T is the part of *testing.T that a case uses. Fatalf must not return.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Case tests one rule for engines.
type Case struct {
	Name string
	Run  func(T, Make)
}

// Run runs every case against the engine.
func Run(t *testing.T, make Make) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, make) })
	}
}

// Cases returns all cases.
func Cases() []Case {
	return []Case{
		{"all methods", allMethods},
		{"addresses", addresses},
		{"notes are no effects", notesAreNoEffects},
		{"retries are no effects", retriesAreNoEffects},
		{"backoff is one effect", backoffIsOneEffect},
		{"events", events},
		{"parallel waits and joins", parallelWaits},
		{"parallel limit", parallelLimit},
		{"parallel of nothing", parallelOfNothing},
		{"permuted branches", permutedBranches},
		{"groups", groups},
		{"groups that fail", groupsFail},
		{"groups that pause", groupsPause},
		{"groups that end the run", groupsEnd},
		{"groups that are cancelled", groupsCancelled},
		{"permuted groups", permutedGroups},
		{"errors", methodErrors},
		{"panics", panics},
		{"panic in a branch", panicInBranch},
		{"panicking observer", panickingObserver},
		{"cancelled before", cancelledBefore},
		{"cancelled within", cancelledWithin},
		{"cancelled model", cancelledModel},
		{"cancelled sleep", cancelledSleep},
		{"ignored context", ignoredContext},
		{"cancelled between branches", cancelledBetweenBranches},
		{"questions", questions},
		{"pause", pause},
		{"memory", memory},
		{"signals", signalCases},
		{"budgets", budgets},
		{"agents", unknownAgents},
	}
}

// body is what the agent main does in a case.
type body func(fx runtime.Effects) error

// runBody runs a body as the agent main.
func runBody(make Make, s Setup, run body) error {
	return runBodyIn(context.Background(), make, s, run)
}

// mustRunBody runs a body as the agent main, and checks that the run succeeds.
func mustRunBody(t T, make Make, s Setup, run body) {
	t.Helper()
	err := runBody(make, s, run)
	check(t, err == nil, "the run: %v", err)
}

func runBodyIn(ctx context.Context, make Make, s Setup, run body) error {
	if s.Script == "" {
		s.Script = "{}"
	}
	if s.Model == nil {
		s.Model = modelOf(s.Script)
	}
	_, err := make(s).Run(ctx, newProgram(run), "main", "input")

	return err
}

// modelOf is a model that gives the replies of a script.
func modelOf(source string) func(context.Context, model.Request) (model.Reply, error) {
	parsed, err := script.Parse(source)
	if err != nil {
		panic(err) // the scripts of the cases can be read
	}
	player := parsed.Play()

	return func(_ context.Context, request model.Request) (model.Reply, error) {
		return player.Model(request, nil, 0)
	}
}

func newProgram(run body) *compiled.Program {
	return &compiled.Program{Name: "suite", Entry: "main", Agents: []compiled.Agent{{
		Name: "main", Pattern: "oneshot", Model: choice,
		Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return runtime.Finish{Key: "done", Value: input}, run(fx)
		},
	}}}
}

// choice names no provider that an engine could have: Setup answers.
var choice = &model.Choice{Role: "worker"}

// newRequest returns a request of the agent main.
func newRequest(turn int) model.Request {
	return model.Request{
		Agent: "main", Turn: turn, Input: "input", Model: choice,
		Messages: []model.Message{{Role: model.RoleUser, Text: "input"}},
	}
}

// log collects events.
type log struct {
	mu     sync.Mutex
	events []event.Event
}

func (l *log) Observe(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.events = append(l.events, e)
}

// watcher is a function as an observer.
type watcher func(event.Event)

func (w watcher) Observe(e event.Event) { w(e) }

// eventsOf returns the events of a kind.
func (l *log) eventsOf(kind event.Kind) []event.Event {
	l.mu.Lock()
	defer l.mu.Unlock()

	var events []event.Event
	for _, e := range l.events {
		if e.Kind == kind {
			events = append(events, e)
		}
	}

	return events
}
