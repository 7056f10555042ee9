package temporal_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// lines are those of a file that tools have left.
func lines(t *testing.T, dir, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}

	return strings.Fields(string(text))
}

// TestTwoHundredRuns: of two workers one is killed in the midst of the runs, all end, and nothing is paid twice.
func TestTwoHundredRuns(t *testing.T) {
	s := serve(t)
	const runs = 200
	dir := t.TempDir()
	blobs := temporal.Files(t.TempDir())
	p, o := payer(), quick(blobs)
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	folder := folderVariable + "=" + dir
	doomed := s.spawn(t, "payer", blobs, folder)
	s.spawn(t, "payer", blobs, folder)

	started := make([]client.WorkflowRun, runs)
	for i := range started {
		var err error
		started[i], err = c.Start(ctx, temporal.StartOptions{Run: fmt.Sprintf("payer-%d", i), Input: strconv.Itoa(i)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for len(lines(t, dir, "paid")) < 50 && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
	_ = doomed.Process.Kill()
	var wait sync.WaitGroup
	for i, run := range started {
		wait.Go(func() {
			fin, err := c.Result(ctx, run)
			if err != nil || fin.Value != strconv.Itoa(i) {
				t.Errorf("run %d: %+v, %v", i, fin, err)
			}
		})
	}
	wait.Wait()

	seen := map[string]bool{}
	paid := lines(t, dir, "paid")
	for _, key := range paid {
		if seen[key] {
			t.Errorf("%s was paid twice", key)
		}
		seen[key] = true
	}
	if len(paid) != 3*runs {
		t.Errorf("%d payments, want %d", len(paid), 3*runs)
	}
	fmt.Printf("temporal: %d runs on two workers, one of them killed: %d payments, each once, asked for %d times\n",
		runs, len(paid), len(lines(t, dir, "asked")))
}

// TestHistoryGrowsWithTurns: a conversation of twice as many turns has a history of twice the size.
func TestHistoryGrowsWithTurns(t *testing.T) {
	s := serve(t)
	p, o := talker(), quick(temporal.Files(t.TempDir()))
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	go func() { _ = work(ctx, c) }()

	sizes := map[int]int64{}
	turns := []int{10, 20, 40, 80}
	for _, n := range turns {
		run, err := c.Start(ctx, temporal.StartOptions{Input: strconv.Itoa(n)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Result(ctx, run); err != nil {
			t.Fatal(err)
		}
		described, err := c.DescribeWorkflowExecution(ctx, run.GetID(), run.GetRunID())
		if err != nil {
			t.Fatal(err)
		}
		info := described.WorkflowExecutionInfo
		sizes[n] = info.HistorySizeBytes
		fmt.Printf("temporal: %3d turns: %4d events, %7d bytes of history\n", n, info.HistoryLength, info.HistorySizeBytes)
	}
	first, last := sizes[20]-sizes[10], sizes[80]-sizes[40]
	if last > 5*first {
		t.Errorf("40 turns more cost %d bytes, 10 turns more %d: that is no straight line", last, first)
	}
}

// TestFiveHundredBranches: a group of so many branches ends as it does in one process.
func TestFiveHundredBranches(t *testing.T) {
	s := serve(t)
	p, o := branches(), quick(temporal.Files(t.TempDir()))
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	go func() { _ = work(ctx, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Input: "500"})
	if err != nil {
		t.Fatal(err)
	}
	if fin, err := c.Result(ctx, run); err != nil || fin.Value != "500" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
}

// TestTooLarge: a result beyond the bound is a failure of its own type, once.
func TestTooLarge(t *testing.T) {
	s := serve(t)
	p, o := echo(), quick(temporal.Files(t.TempDir()))
	o.Queue, o.MaxResult = t.Name(), 1000
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	go func() { _ = work(ctx, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Input: strings.Repeat("x", 1001)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Result(ctx, run)
	if !errs.Has(err, "SizeError") || !strings.Contains(err.Error(), "1001 bytes, more than the 1000 ") {
		t.Errorf("ended with %v", err)
	}
}

// TestCodecs: with a codec neither history nor blobs have what was said, and the run goes as without.
func TestCodecs(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	p, o := talker(), quick(temporal.Files(dir))
	o.Queue, o.Codecs = t.Name(), []converter.PayloadCodec{turning{}}
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	go func() { _ = work(ctx, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Input: "2"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Result(ctx, run); err != nil {
		t.Fatal(err)
	}
	kept, err := protojson.Marshal(historyOf(ctx, t, c, run))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		kept = append(kept, data...)

		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const said = "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
	for _, text := range []string{said, base64.StdEncoding.EncodeToString([]byte(said))} {
		if bytes.Contains(kept, []byte(text)) {
			t.Errorf("what a model said is kept as %s", text)
		}
	}
}

// turning is a codec that turns every bit: no encryption, but nothing is as it was.
type turning struct{}

func (turning) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		data, err := proto.Marshal(p)
		if err != nil {
			return nil, err
		}
		out[i] = &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("test/turned")}, Data: turned(data)}
	}

	return out, nil
}

func (turning) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		out[i] = p
		if string(p.Metadata["encoding"]) != "test/turned" {
			continue
		}
		out[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(turned(p.Data), out[i]); err != nil {
			return nil, err
		}
	}

	return out, nil
}

func turned(data []byte) []byte {
	out := make([]byte, len(data))
	for i, b := range data {
		out[i] = ^b
	}

	return out
}

// TestAttributes: runs are found by their program, agent and state.
func TestAttributes(t *testing.T) {
	s := serve(t)
	e := examples()[0]
	o := temporal.Options{Queue: t.Name(), Blobs: temporal.Files(t.TempDir())}
	c := s.dial(t, e.program, o)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := errors.Join(c.RegisterAttributes(ctx, "default"), c.RegisterAttributes(ctx, "default")); err != nil {
		t.Fatal(err)
	}
	go func() { _ = work(ctx, c) }()
	var run client.WorkflowRun
	for ctx.Err() == nil { // the server needs a moment to know them everywhere
		var err error
		if run, err = c.Start(ctx, temporal.StartOptions{Input: e.input, Attributes: true}); err == nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if _, err := c.Result(ctx, run); err != nil {
		t.Fatal(err)
	}
	query := "AgentcProgram = 'release' AND AgentcAgent = 'release' AND AgentcState = 'release/approval'"
	for ctx.Err() == nil {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: "default", Query: query})
		if err == nil && len(found.Executions) == 1 && found.Executions[0].Execution.WorkflowId == run.GetID() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("no run is found by %s", query)
}

// TestThreeMegabytes: what is too large for a history goes through the blobs, in and out.
func TestThreeMegabytes(t *testing.T) {
	s := serve(t)
	p, o := echo(), quick(temporal.Files(t.TempDir()))
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	go func() { _ = work(ctx, c) }()
	input := strings.Repeat("three megabytes ", 3<<20/16)
	run, err := c.Start(ctx, temporal.StartOptions{Input: input})
	if err != nil {
		t.Fatal(err)
	}
	fin, err := c.Result(ctx, run)
	if err != nil || fin.Value != input {
		t.Errorf("finished with %d bytes, %v", len(fin.Value), err)
	}
	described, err := c.DescribeWorkflowExecution(ctx, run.GetID(), "")
	if err != nil {
		t.Fatal(err)
	}
	if size := described.WorkflowExecutionInfo.HistorySizeBytes; size > 64<<10 {
		t.Errorf("the history has %d bytes", size)
	}
}
