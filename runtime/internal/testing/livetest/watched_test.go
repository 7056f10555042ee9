package livetest

import (
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
)

// collect begins a collector, which ends with the test, and returns how a program is sent to it.
func collect(t *testing.T) (*Collector, []string) {
	t.Helper()
	c := &Collector{}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)

	return c, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + s.URL, "OTEL_BSP_SCHEDULE_DELAY=1"}
}

// TestRecorded: a run that was recorded comes to the same answer by the same tools when nobody is at the model's address, and nothing that
// was written or sent has the key.
func TestRecorded(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		s := wiretest.Serve(t, k.Converse)
		collector, telemetry := collect(t)
		program, folder := install(t)
		live := runIn(t, program, folder, append(k.Environment(s.URL), telemetry...), "run", "--json", "--record", "run.jsonl", Question)
		all := eventsOf(t, live)
		s.Close()

		keyed := k.Environment(s.URL)
		replayed := runIn(t, program, folder, keyed[:len(keyed)-1], "run", "--json", "--replay", "run.jsonl", Question)
		again := eventsOf(t, replayed)
		tools, toolsAgain := of(all, "tool"), of(again, "tool")
		if len(tools) != 8 || len(toolsAgain) != len(tools) {
			t.Fatalf("%d tools, and %d", len(tools), len(toolsAgain))
		}
		for i := range tools {
			if tools[i] != toolsAgain[i] {
				t.Errorf("%+v and then %+v", tools[i], toolsAgain[i])
			}
		}
		if n := len(s.Requests()); n != 6 {
			t.Errorf("%d requests", n)
		}
		keyless(t, live.Stdout+live.Stderr+replayed.Stdout+replayed.Stderr+collector.Raw()+written(t, folder))
	})
}

// TestTrace: each turn and each tool lies within the agent's span, in one trace.
func TestTrace(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		s := wiretest.Serve(t, k.Converse)
		collector, telemetry := collect(t)
		eventsOf(t, run(t, append(k.Environment(s.URL), telemetry...), "run", "--json", Question))
		_, model, _ := strings.Cut(k.Model, ":")
		if tree, want := collector.Spans().Tree(), strings.ReplaceAll(trace, "MODEL", model); tree != want {
			t.Errorf("the trace is\n%s", tree)
		}
		oneTrace(t, collector.Spans())
	})
}

// trace is that of a run.
const trace = `invoke_agent researcher
  chat MODEL
  chat MODEL
  execute_tool search_papers
  chat MODEL
  execute_tool read_paper
  chat MODEL
  execute_tool format_citation
  chat MODEL
  execute_tool archive_cited_by
  chat MODEL
`

// TestTraceOfTwoProcesses: what a process that was killed has sent, and what the process that went on has, is one trace: the turns of the
// first lie within the span that only the second could end, and nothing is there twice.
func TestTraceOfTwoProcesses(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		collector, telemetry := collect(t)
		program, folder := install(t)
		stuck := wiretest.Serve(t, k.Converse, k.Converse, k.Converse, wiretest.Mute())
		first := program.Command(folder, append(k.Environment(stuck.URL), telemetry...), "run", Question)
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		wait(t, func() bool { // a journal may be a moment behind: what it lacks would be done, and told, again
			return len(stuck.Requests()) == 4 && len(collector.Spans()) == 5 && strings.Contains(text(t, folder), "Extends the state machine")
		})
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = first.Wait()
		before := collector.Spans()

		s := wiretest.Serve(t, k.Converse)
		second := runIn(t, program, folder, append(k.Environment(s.URL), telemetry...), "resume", "last", "--json")
		eventsOf(t, second)
		if n := len(s.Requests()); n != 3 {
			t.Errorf("the second process has asked the model %d times", n)
		}
		all := collector.Spans()
		_, model, _ := strings.Cut(k.Model, ":")
		if tree, want := all.Tree(), strings.ReplaceAll(trace, "MODEL", model); tree != want {
			t.Errorf("the trace is\n%s", tree)
		}
		if len(before.Named("chat ")) != 3 || len(before.Named("invoke_agent ")) != 0 {
			t.Errorf("before the first process was killed there was\n%s", before.Tree())
		}
		agent := all.Named("invoke_agent ")[0]
		for _, span := range before {
			if string(span.ParentSpanId) != string(agent.SpanId) {
				t.Errorf("%s of the first process does not lie within the agent of the second", span.Name)
			}
		}
		oneTrace(t, all)
		keyless(t, second.Stdout+second.Stderr+collector.Raw()+written(t, folder))
	})
}

// oneTrace reports an error if spans lie in several traces.
func oneTrace(t *testing.T, spans Spans) {
	t.Helper()
	for _, span := range spans {
		if string(span.TraceId) != string(spans[0].TraceId) {
			t.Errorf("%s lies in another trace than %s", span.Name, spans[0].Name)
		}
	}
}

// wait waits until something is so.
func wait(t *testing.T, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come to that")
		}
	}
}

// written is the text of all files that runs have left in a folder, which is not nothing.
func written(t *testing.T, folder string) string {
	t.Helper()
	all := text(t, folder)
	if !strings.Contains(all, "archive_cited_by") {
		t.Fatal("nothing was written")
	}

	return all
}

// text is that of all files in a folder but for the programs.
func text(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "bin":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)

		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	return all.String()
}
