package temporal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// TestCancelled: a run that is cancelled ends as cancelled, whatever it is about.
func TestCancelled(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	t.Setenv(folderVariable, dir)
	for name, p := range map[string]*compiled.Program{"a tool": doer(), "a question": asker(), "a wait": sleeper()} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			c, run := begin(ctx, t, s, p, "x")
			for name == "a tool" && len(lines(t, dir, "deeds")) == 0 && ctx.Err() == nil {
				time.Sleep(5 * time.Millisecond)
			}
			time.Sleep(500 * time.Millisecond)
			if err := c.CancelWorkflow(ctx, run.GetID(), ""); err != nil {
				t.Fatal(err)
			}
			_, err := c.Result(ctx, run)
			var cancelled *runtime.CancelledError
			if !errors.As(err, &cancelled) {
				t.Errorf("ended with %v", err)
			}
			described, err := c.DescribeWorkflowExecution(ctx, run.GetID(), "")
			if err != nil || described.WorkflowExecutionInfo.Status != enumspb.WORKFLOW_EXECUTION_STATUS_CANCELED {
				t.Errorf("the server says %v, %v", described.GetWorkflowExecutionInfo().GetStatus(), err)
			}
			for name == "a tool" && len(lines(t, dir, "stopped")) == 0 {
				if ctx.Err() != nil {
					t.Fatal("the tool is not told")
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
}

// TestCancelledAtAnyTime: runs that are cancelled at whatever moment end, also when what they wait for comes at the same time.
func TestCancelledAtAnyTime(t *testing.T) {
	const runs = 100
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	p, o := busy(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	ended := make(chan error, runs)
	for i := range runs {
		run, err := c.Start(ctx, temporal.StartOptions{Input: "x"})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Duration(i) * 60 * time.Millisecond)
			ended <- cancelled(ctx, c, run)
		}()
	}
	for range runs {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// cancelled cancels a run and waits for its end; a run may have finished before.
func cancelled(ctx context.Context, c temporal.Client, run client.WorkflowRun) error {
	if err := c.CancelWorkflow(ctx, run.GetID(), ""); err != nil {
		return err
	}
	fin, err := c.Result(ctx, run)
	var cancelled *runtime.CancelledError
	if err == nil && fin.Key == "done" || errors.As(err, &cancelled) {
		return nil
	}

	return fmt.Errorf("%s ended with %+v, %w", run.GetID(), fin, err)
}
