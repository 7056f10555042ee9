package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSmall runs everything at tiny sizes: machines are generated, compiled, and walk the same way as their hand-written
// counterparts; chains call the model as often as they have steps; expressions and templates give what Go written by hand gives;
// an unchanged project writes nothing. How long anything takes is not looked at.
func TestSmall(t *testing.T) {
	b := &bench{seed: 3, small: true, progress: &progress{}}
	if err := b.run(context.Background(), t.TempDir(), strings.Split(sectionNames(), ",")); err != nil {
		t.Fatal(err)
	}

	measured := map[string]row{}
	for _, r := range b.rows {
		if _, ok := measured[r.what]; ok {
			t.Errorf("two rows %q", r.what)
		}
		if !(r.measured >= 0) {
			t.Errorf("%s: measured %v", r.what, r.measured)
		}
		measured[r.what] = r
	}
	for _, what := range []string{
		"transition, 8 states: map / generated",
		"transition, 64 states: stateless / generated",
		"live machine, 64 goroutines: Fire / mutex around a switch",
		"live machine, 8 goroutines: stateless / Fire",
		"live machine: bytes of each of 100,000",
		"chain of 10 react states / hand-written",
		"run of 10 oneshot states on the engine: App.Run / hand-written",
		"run of 10 oneshot states on the engine: observed / unobserved",
		"live machine with a guard in Go: stateless / Fire",
		"live machine with an expression: stateless / Fire",
		"graph of 5 steps that route: eino / App.Run",
		"graph of 5 steps that route: eino / App.Run, observed",
		"call of a typed tool, 3 in a conversation: eino react / App.Run",
		"call of a typed tool, 3 in a conversation: eino react / App.Run, interruptible",
		"store, SQLite: an effect / one with sync=normal",
		"durable step, SQLite, synchronous=FULL: DBOS / App.Run",
		"durable step, SQLite, synchronous=NORMAL: DBOS / App.Run, observed",
		"critic agent / its conversations",
		"human agent, allocations a run",
		"scatter, 100 items, 100 at a time / ideal",
		"workflow, hop by rows, 10 states: generated / hand-written",
		"workflow, hop by next_state, 3 states: generated / hand-written",
		"workflow, hop by next_state: allocations beyond its step",
		"workflow, expression over a struct: nested / by hand",
		"workflow, expression over an open context: coercion / by hand",
		"workflow, template over outputs / by hand",
		"workflow, a write beside 1 MB of context / beside 1 KB",
		"workflow, map, 100 items, 100 at a time / ideal",
		"workflow, map, 100 items, 100 at a time: memory",
		"workflow, loan of 9 steps: App.Run / hand-written",
		"workflow, loan of 9 steps: allocations a step",
		"check, 5 agents / reading and parsing",
		"check, 10 agents / 5 agents",
		"check, 10 agents: memory",
		"cost, 5 agents / check",
		"can, 10 agents / check",
		"simulate of a workflow: 20 states / 2 states",
		"cost of a workflow of 20 states: memory",
		"generate, 5 agents: unchanged / clean",
		"generate, 10 agents: unchanged / clean, the whole command",
		"generate, clean: 10 agents / 5 agents",
		"go build, 20 states: generated / hand-written",
		"go build, 300 states: memory of the largest process",
		"mcp over stdio, 1 client: transitions a second, board in memory / empty tool",
		"mcp over HTTP, 32 clients: transitions a second, board on disk / empty tool",
		"journal, 100 runs: effects a second / write and fsync of the same bytes",
		"journal, 16 branches of one run: effects a second / one branch",
		"journal, replaying 20 effects / decoding their records",
		"journal, bytes a turn: conversation of 1,000 turns / of 10",
		"journal off: allocations of a model's turn",
		"client of chat completions / bare http.Client",
		"client of Anthropic, streamed / bare http.Client",
		"client of Anthropic, streamed / bare http.Client, processor time",
		"binary, offline: size",
		"binary, with an OpenAI-compatible model: size",
		"binary, start to first event / a Go program that prints a line",
	} {
		if _, ok := measured[what]; !ok {
			t.Errorf("no row %q", what)
		}
	}
	for _, what := range []string{"transition, 8 states: allocations of the walk", "transition, 64 states: allocations of the walk",
		"live machine: allocations of the steps", "live machine with a guard in Go: allocations of a step",
		"live machine with an expression: allocations of a step"} {
		if r, ok := measured[what]; !ok || r.measured != 0 {
			t.Errorf("%s: %v (%t)", what, r.measured, ok)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, args := range [][]string{{"-only", "nothing"}, {"extra"}, {"-unknown"}} {
		var stdout, stderr strings.Builder
		if code := run(context.Background(), args, &stdout, &stderr); code != exitUsage || stdout.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("%q exits with %d, prints %q and %q", args, code, stdout.String(), stderr.String())
		}
	}
}

// TestVersions: each module that agentc is compared with has a version, which is that of the page.
func TestVersions(t *testing.T) {
	var line strings.Builder
	if err := writeVersions(t.Context(), &line); err != nil {
		t.Fatal(err)
	}
	page := readText("README.md")
	for _, peer := range peerModules {
		version := regexp.MustCompile(path.Base(peer.module) + ` v\d+\.\d+\.\d+`).FindString(line.String())
		if version == "" || !strings.Contains(page, version) {
			t.Errorf("%s: version %q of %q is not on the page", peer.module, version, line.String())
		}
	}
}

// TestResolveReplacements: a module elsewhere is replaced by the same folders.
func TestResolveReplacements(t *testing.T) {
	home := filepath.Join(t.TempDir(), "a", "b")
	got := resolveReplacements(home, "require x v1.0.0\n\nreplace x => ../c\n")
	if want := fmt.Sprintf("require x v1.0.0\n\nreplace x => %q\n", filepath.Join(home, "..", "c")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWorkshopKnowsItsPlace(t *testing.T) {
	t.Chdir(os.TempDir())
	b := &bench{progress: &progress{}}
	if err := b.run(context.Background(), t.TempDir(), nil); err == nil || !strings.HasPrefix(err.Error(), "workshop: ") {
		t.Errorf("a workshop was made outside of the module: %v", err)
	}
}
