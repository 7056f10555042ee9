package app

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
)

func TestLinesOfAFlow(t *testing.T) {
	events := []runtime.Event{
		{Kind: runtime.EventRun, Agent: "team"},
		{Kind: runtime.EventModel, Agent: "team", Address: "1"},
		{Kind: runtime.EventFinish, Agent: "team", Key: "parallel", Address: "1"},
		{Kind: runtime.EventEnter, Machine: "desk", State: "look", Address: "2.0"},
		{Kind: runtime.EventEnter, Machine: "desk", State: "look", Address: "2.1"},
		{Kind: runtime.EventRetry, Agent: "look", Problem: "busy", Count: 1, Address: "2.1.1"},
		{Kind: runtime.EventModel, Agent: "look", Address: "2.0.1"},
		{Kind: runtime.EventTool, Agent: "look", Name: "start", Address: "2.0.1"},
		{Kind: runtime.EventTool, Agent: "look", Name: "one of two", Address: "2.0.2.0.1"},
		{Kind: runtime.EventTool, Agent: "look", Name: "two of two", Address: "2.0.2.1.1"},
		{Kind: runtime.EventFinish, Agent: "look", Key: "found", Address: "2.0.2"},
		{Kind: runtime.EventTransition, Machine: "desk", State: "look", Key: "found", To: "tell", Matched: runtime.MatchExact, Address: "2.0.2"},
		{Kind: runtime.EventEnter, Machine: "desk", State: "tell", Address: "2.0.2"},
		{Kind: runtime.EventError, Agent: "look", Problem: "lost", Address: "2.1.2"},
		{Kind: runtime.EventRepair, Agent: "tell", Problem: "an empty reply", Address: "2.0.3"},
		{Kind: runtime.EventFinish, Agent: "tell", Key: "done", Address: "2.0.4"},
		{Kind: runtime.EventFinish, Agent: "desk", Key: "done", Address: "2.0.4"},
		{Kind: runtime.EventTool, Agent: "team/reduce", Name: "mem_get", Address: "4"},
		{Kind: runtime.EventTool, Agent: "team/reduce", Name: "side by side", Address: "5.1.1"},
		{Kind: runtime.EventFinish, Agent: "team/reduce", Key: "approved", Address: "5"},
		{Kind: runtime.EventFinish, Agent: "team", Key: "approved", Address: "5"},
		{Kind: runtime.EventError, Agent: "team", Problem: "told at the end", Address: "6"},
		{Kind: runtime.EventEnd, Status: "failed"},
	}
	var out strings.Builder
	p := &progress{w: &out}
	for _, e := range events {
		p.Observe(e)
	}
	const want = `desk@0: look
desk@1: look
look@1: attempt 1 failed, again in 0s: busy
look@0: tool start
look@0: tool one of two
look@0: tool two of two
desk@0: look --found--> tell
look@1: failed: lost
tell@0: asked again: an empty reply
team/reduce: tool mem_get
team/reduce: tool side by side
team/reduce: finished with approved
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestBranchOf(t *testing.T) {
	for address, want := range map[string]string{
		"": "", "7": "", "7.0": "7.0", "7.0.12": "7.0", "7.0.12.3": "7.0.12.3", "7.0.12.3.1": "7.0.12.3",
	} {
		if got := branchOf(address); got != want {
			t.Errorf("branchOf(%q) = %q, want %q", address, got, want)
		}
	}
}

// The live line says who works, and in a group how many branches there are.
func TestLiveLineOfAFlow(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, live: live{on: true}}
	p.Observe(runtime.Event{Kind: runtime.EventRun, Agent: "blog"})
	step := func(do func(), want string) {
		t.Helper()
		do()
		if p.live.drawn != want {
			t.Errorf("drawn is %q, want %q", p.live.drawn, want)
		}
	}
	step(func() { p.works("blog") }, "blog")
	step(func() { p.works("blog/draft") }, "blog > draft")
	step(func() { p.Observe(runtime.Event{Kind: runtime.EventEnter, Machine: "team", State: "research"}) }, "team: research")
	step(func() { p.works("research/reduce") }, "team: research > reduce")
	step(func() { p.branches(1); p.works("angle") }, "team: research > angle")
	step(func() { p.branches(1); p.works("angle") }, "team: research > 2 at once: angle")
	step(func() {
		p.Observe(runtime.Event{Kind: runtime.EventEnter, Machine: "inner", State: "a", Address: "3.1"})
	}, "team: research > 2 at once: angle")
	step(func() { p.branches(-1); p.branches(-1); p.works("research/reduce") }, "team: research > reduce")
}

// TestBranchesAreCounted: a branch that waits for branches of its own does not count, and none is left over.
func TestBranchesAreCounted(t *testing.T) {
	p := &progress{}
	inner, outer := 0, 0
	d := &door{Effects: sequential{}, shown: p}
	err := d.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
		outer = max(outer, p.live.running)
		return fx.Parallel(3, 0, func(int, runtime.Effects) error {
			inner = max(inner, p.live.running)
			return nil
		})
	})
	if err != nil || outer != 1 || inner != 1 || p.live.running != 0 {
		t.Errorf("outer %d, inner %d, at the end %d, %v", outer, inner, p.live.running, err)
	}
}

// sequential runs one branch after the other.
type sequential struct{ runtime.Effects }

func (s sequential) Parallel(n, _ int, branch func(int, runtime.Effects) error) error {
	for i := range n {
		if err := branch(i, s); err != nil {
			return err
		}
	}

	return nil
}

// While a question is asked, other branches do not write into it.
func TestHush(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, live: live{on: true}}
	p.Observe(runtime.Event{Kind: runtime.EventRun, Agent: "desk"})
	first, second := p.hush(), p.hush()
	asked := out.String()
	p.Observe(runtime.Event{Kind: runtime.EventRepair, Agent: "a", Problem: "empty", Address: "1.0.1"})
	p.works("a")
	first()
	if out.String() != asked {
		t.Errorf("wrote %q into the question", out.String()[len(asked):])
	}
	second()
	if got := out.String()[len(asked):]; got != "a@0: asked again: empty\n" {
		t.Errorf("wrote %q after it", got)
	}
}
