package temporal_test

import (
	"context"
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

	"go.temporal.io/sdk/client"

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
		started[i], err = temporal.Start(ctx, c, p, o, temporal.StartOptions{Run: fmt.Sprintf("payer-%d", i), Input: strconv.Itoa(i)})
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
			fin, err := temporal.Result(ctx, run)
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
	go func() { _ = work(ctx, c, p, o) }()

	sizes := map[int]int64{}
	turns := []int{10, 20, 40, 80}
	for _, n := range turns {
		run, err := temporal.Start(ctx, c, p, o, temporal.StartOptions{Input: strconv.Itoa(n)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := temporal.Result(ctx, run); err != nil {
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
	go func() { _ = work(ctx, c, p, o) }()
	run, err := temporal.Start(ctx, c, p, o, temporal.StartOptions{Input: "500"})
	if err != nil {
		t.Fatal(err)
	}
	if fin, err := temporal.Result(ctx, run); err != nil || fin.Value != "500" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
}

// TestThreeMegabytes: what is too large for a history goes through the blobs, in and out.
func TestThreeMegabytes(t *testing.T) {
	s := serve(t)
	p, o := echo(), quick(temporal.Files(t.TempDir()))
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	go func() { _ = work(ctx, c, p, o) }()
	input := strings.Repeat("three megabytes ", 3<<20/16)
	run, err := temporal.Start(ctx, c, p, o, temporal.StartOptions{Input: input})
	if err != nil {
		t.Fatal(err)
	}
	fin, err := temporal.Result(ctx, run)
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
