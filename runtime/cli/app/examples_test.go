package app

import (
	"io"
	"os"
	"strings"
	"testing"

	allpatterns "github.com/agentc-dev/agentc/examples/all-patterns/agents"
	coder "github.com/agentc-dev/agentc/examples/coder/agents"
	orchestrate "github.com/agentc-dev/agentc/examples/orchestrate/agents"
	smartcritic "github.com/agentc-dev/agentc/examples/smart-critic/agents"
	support "github.com/agentc-dev/agentc/examples/support/agents"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// example is a project of the examples with a script that answers in it; "" is the one that it carries.
type example struct {
	name, script string
	app          App
}

func examples() []example {
	return []example{
		{"smart-critic", "", smartcritic.New()},
		{"support", "", support.New()},
		{"all-patterns", "", allpatterns.New()},
		{"orchestrate", "../../../examples/orchestrate/scripts/again.json", orchestrate.New()},
	}
}

func (e example) text(t *testing.T) string {
	t.Helper()
	if e.script == "" {
		for _, text := range e.app.Program().Scripts {
			return text
		}
	}
	text, err := os.ReadFile(e.script)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// decisions are the transitions of a run.
type decisions []event.Event

func (d *decisions) Observe(e event.Event) {
	if e.Kind == event.Transition {
		*d = append(*d, e)
	}
}

// The picture has each row that a run takes.
func TestWaysOfExamples(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			var taken decisions
			p := e.app.Program()
			_, err := core.Scripted(e.text(t), core.Config{Observer: &taken}).Run(t.Context(), p, "", "a task")
			if err != nil {
				t.Fatal(err)
			}
			if len(taken) < 5 {
				t.Errorf("the run decides %d times: it shows nothing", len(taken))
			}
			for _, e := range taken {
				n := &trace.Node{Machine: e.Machine, Owner: e.Agent, From: e.State, Key: e.Key, To: e.To, Matched: string(e.Matched)}
				ways := waysOf(p, n)
				if others := waysNotTaken(ways, n); len(others) != len(ways)-1 {
					t.Errorf("%s is not among %v", progress.Transition(&e), ways)
				}
			}
		})
	}
}

// TestTracesOfExamples draws what the examples do.
func TestTracesOfExamples(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			golden := goldenFile(t, e.name)
			scripts(t, map[string]string{"s.json": e.text(t)})
			var out, errs strings.Builder
			if code := (Options{}).Run(e.app, []string{"run", "--script", "s.json", "a task"}, strings.NewReader(""), io.Discard, &errs); code != cli.Done {
				t.Fatalf("exit code %d, %s", code, &errs)
			}
			if code := (Options{}).Run(e.app, []string{"runs", "show", "last"}, strings.NewReader(""), &out, &errs); code != cli.Done {
				t.Fatalf("exit code %d, %s", code, &errs)
			}
			golden(unhurried(out.String()))
		})
	}
}

func TestWays(t *testing.T) {
	p := coder.New(nil, nil).Program()
	for _, c := range []struct{ from, key, to, want string }{
		{"tested", "propose_deletion", "proposed", `--write_file [visits["tested"] <= 3]--> written, --finish [report-is-true]--> end`},
		{"idle", "research", "researched", ""},
		{"nowhere", "research", "researched", ""},
	} {
		n := &trace.Node{Machine: "coder", Owner: "coder", From: c.from, Key: c.key, To: c.to}
		if got := strings.Join(waysNotTaken(waysOf(p, n), n), ", "); got != c.want {
			t.Errorf("from %s: %s", c.from, got)
		}
	}
}
