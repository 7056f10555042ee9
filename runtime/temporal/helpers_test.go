package temporal_test

import (
	"context"
	"errors"
	"github.com/agentc-dev/agentc/runtime/temporal"
	"go.temporal.io/sdk/client"
	"io"
	"log/slog"
	"testing"
	"time"

	"go.temporal.io/sdk/workflow"
)

// silent is a logger that says nothing.
var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

func asContinued(err error, next **workflow.ContinueAsNewError) bool { return errors.As(err, next) }

// asked waits until a run asks something.
func asked(ctx context.Context, t *testing.T, c client.Client, run string) []temporal.Question {
	t.Helper()
	for ctx.Err() == nil {
		all, err := temporal.Questions(ctx, c, run)
		if err == nil && len(all) > 0 {
			return all
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("run %s asks nothing", run)

	return nil
}

// answer answers the first question of a run.
func answer(ctx context.Context, t *testing.T, c client.Client, run, value string) {
	t.Helper()
	q := asked(ctx, t, c, run)[0]
	if err := temporal.Reply(ctx, c, run, temporal.Answer{Question: q.ID, Value: value}); err != nil {
		t.Fatal(err)
	}
}
