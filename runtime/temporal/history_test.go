package temporal_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// TestRecordedHistories: what workers decide today is what they decided when the histories of the examples were recorded. After a
// change of an example's shape its workflow type is another: then record anew.
func TestRecordedHistories(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			name := filepath.Join("testdata", "histories", e.name+".json")
			if *golden.Update {
				record(t, e, name)
			}
			o := temporal.Options{Blobs: temporal.Files(t.TempDir())}
			r, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DataConverter: o.DataConverter(e.program)})
			if err != nil {
				t.Fatal(err)
			}
			temporal.Client{Program: e.program, Options: o}.RegisterWorkflows(r)
			if err := r.ReplayWorkflowHistoryFromJSONFile(log.NewStructuredLogger(silent), name); err != nil {
				t.Errorf("%v\nrecord the histories anew if the example's shape has changed: AGENTC_TEMPORAL_SERVER=… go test -run RecordedHistories -update", err)
			}
		})
	}
}

// record runs an example on a server and keeps its history.
func record(t *testing.T, e example, name string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	s := serve(t)
	o := temporal.Options{Queue: "example", Blobs: temporal.Files(t.TempDir())}
	c := s.dial(t, e.program, o)
	go func() { _ = work(ctx, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Run: e.name, Input: e.input, Script: e.answers(t)})
	if err != nil {
		t.Fatal(err)
	}
	if e.answer != "" {
		answer(ctx, t, c, run.GetID(), e.answer)
	}
	if _, err := c.Result(ctx, run); err != nil {
		t.Fatal(err)
	}
	text, err := protojson.MarshalOptions{Multiline: true, Indent: " "}.Marshal(historyOf(ctx, t, c, run))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func historyOf(ctx context.Context, t *testing.T, c temporal.Client, run client.WorkflowRun) *historypb.History {
	t.Helper()
	h := &historypb.History{}
	events := c.GetWorkflowHistory(ctx, run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		h.Events = append(h.Events, e)
	}

	return h
}
