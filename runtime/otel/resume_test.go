package otel_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/otel/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestResumed: a process that goes on with a run goes on with its trace. Each span was sent once, and none lacks its parent.
func TestResumed(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	store := journal.Memory()
	if _, err := run(t, core.Config{Store: store, RunID: func() string { return "r1" }}); core.Questions(err) == nil {
		t.Fatal(err)
	}
	before := len(r.spans)
	root := r.span(t, "invoke_agent desk")
	if got := attributeOf(root.Attributes, "agentc.run.status"); got != "paused" || len(root.ParentSpanId) > 0 {
		t.Errorf("the run's span is %v", root)
	}
	resume(t, store, "r1")
	compare(t, "resumed.txt", r.tree())
	for _, s := range r.spans {
		if !bytes.Equal(s.TraceId, root.TraceId) {
			t.Errorf("%s lies in another trace", s.Name)
		}
	}
	again := r.named("invoke_agent desk")
	if len(again) != 2 || !bytes.Equal(again[1].ParentSpanId, root.SpanId) || !bytes.Equal(again[1].Links[0].SpanId, root.SpanId) {
		t.Errorf("of %d spans, %d of them of the first process, the agent's are %v", len(r.spans), before, again)
	}
	if got := attributeOf(again[1].Attributes, "agentc.run.status"); got != "done" {
		t.Errorf("the second process has left the run as %s", got)
	}
}

func resume(t *testing.T, store journal.Store, id string) {
	t.Helper()
	engine := core.New(core.Config{Store: store, Model: model.ProviderFunc(llm), Asker: boss{}})
	if _, err := engine.Resume(context.Background(), desk(), id, core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	if told := closed(); told != "" {
		t.Error(told)
	}
}

// TestFailedAndResumed: what has failed and is tried again is another span of the same place.
func TestFailedAndResumed(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	store, failing := journal.Memory(), true
	config := core.Config{Store: store, RunID: func() string { return "r1" }, Retry: model.Retry{Attempts: 3, First: time.Nanosecond}}
	config.Model = model.ProviderFunc(func(ctx context.Context, q model.Request) (model.Reply, error) {
		if failing && q.Turn == 1 {
			return model.Reply{}, &model.Error{Class: model.Overloaded, Message: "an error that nobody may see"}
		}

		return llm(ctx, q)
	})
	if _, err := run(t, config); err == nil {
		t.Fatal("the run did not fail")
	}
	failing = false
	resume(t, store, "r1")
	compare(t, "failed.txt", r.tree())
}

// TestSameRunSameIDs: the ids follow from the run alone, so that they are the same wherever and whenever it runs.
func TestSameRunSameIDs(t *testing.T) {
	ids := func() string {
		r := newReceiver(t)
		export(t, r)
		if _, err := run(t, core.Config{Asker: boss{}, RunID: func() string { return "r1" }}); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, s := range r.spans {
			all = append(all, s.Name+" "+string(s.TraceId)+string(s.SpanId)+string(s.ParentSpanId))
		}
		slices.Sort(all)

		return strings.Join(all, "\n")
	}
	if first, second := ids(), ids(); first != second {
		t.Errorf("%q\n%q", first, second)
	}
}

const childVariable = "OTEL_TEST_CHILD"

// TestMain is the test, the binary of a project, or the process that is killed in the middle of a run.
func TestMain(m *testing.M) {
	dir := os.Getenv(childVariable)
	switch {
	case dir == "":
		os.Exit(m.Run())
	case dir == binary:
		app.Main(agents.New())
	}
	config := core.Config{Store: journal.Files(dir), RunID: func() string { return "r1" }}
	config.Model = model.ProviderFunc(func(ctx context.Context, q model.Request) (model.Reply, error) {
		if q.Agent == "writer" && q.Turn == 2 {
			wait(config.Store, "4")
			os.Exit(9) // nothing is flushed, and the journal has no end
		}

		return llm(ctx, q)
	})
	_, _ = core.New(config).Run(context.Background(), desk(), "", "a task")
	os.Exit(1)
}

// wait waits until the journal of the run has an effect.
func wait(store journal.Store, address string) {
	for {
		j, err := journal.Read(context.Background(), store, "r1")
		if err == nil && slices.ContainsFunc(j.Records, func(r journal.Record) bool { return r.Address == address }) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestKilled: the process after one that was killed sends the spans that were open, as if it had begun them.
func TestKilled(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir, "OTEL_BSP_SCHEDULE_DELAY=1")
	if _ = child.Run(); child.ProcessState.ExitCode() != 9 {
		t.Fatal(child.ProcessState)
	}
	r.mu.Lock()
	r.spans = nil // some of what had ended may have arrived, or not
	r.mu.Unlock()
	store := journal.Files(dir)
	_, w, err := journal.Open(t.Context(), store, "r1") // and so was one that somebody had go on with it
	if err != nil {
		t.Fatal(err)
	}
	w.Append(journal.Record{Type: journal.Opened, Fields: []journal.Field{
		{Name: "shape", Value: desk().Shape}, {Name: "text", Value: desk().Text}, {Name: "traceparent", Value: somebody},
	}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	resume(t, store, "r1")
	root, writer := r.span(t, "invoke_agent desk"), r.span(t, "invoke_agent writer")
	if len(root.ParentSpanId) > 0 || !bytes.Equal(writer.ParentSpanId, root.SpanId) || len(writer.Links) > 0 {
		t.Errorf("%s", r.tree())
	}
	if len(root.Links) != 1 || hex.EncodeToString(root.Links[0].SpanId) != "2222222222222222" {
		t.Errorf("the run's span is linked to %v", root.Links)
	}
	chats := r.named("chat gpt-x")
	if len(chats) != 1 || !bytes.Equal(chats[0].ParentSpanId, writer.SpanId) {
		t.Errorf("%s", r.tree())
	}
	if writer.StartTimeUnixNano >= chats[0].StartTimeUnixNano {
		t.Error("the writer has begun with the process that went on")
	}
}
