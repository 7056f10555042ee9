package temporal_test

import (
	"context"
	"errors"
	"github.com/agentc-dev/agentc/runtime/temporal"
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
func asked(ctx context.Context, t *testing.T, c temporal.Client, run string) []temporal.Question {
	t.Helper()
	for ctx.Err() == nil {
		all, err := c.Questions(ctx, run)
		if err == nil && len(all) > 0 {
			return all
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("run %s asks nothing", run)

	return nil
}

// answer answers the first question of a run.
func answer(ctx context.Context, t *testing.T, c temporal.Client, run, value string) {
	t.Helper()
	q := asked(ctx, t, c, run)[0]
	if err := c.Answer(ctx, run, q.ID, value, ""); err != nil {
		t.Fatal(err)
	}
}
