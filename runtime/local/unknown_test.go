package local_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/local"
)

// TestUnknownOutcomes: what had begun and has no result is repeated, asked about or the end of the run, as it allows.
func TestUnknownOutcomes(t *testing.T) {
	for _, c := range []struct {
		onUnknown, answer string
		value             string
		done              int
		fails             bool
	}{
		{"retry", "", "paid", 1, false},
		{"ask", "again", "paid", 1, false},
		{"", "skip", "", 0, false},
		{"ask", "fail", "", 0, true},
		{"fail", "", "", 0, true},
	} {
		t.Run(c.onUnknown+" "+c.answer, func(t *testing.T) {
			w, store := newWorld(), journal.Memory()
			p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
				paid, err := fx.Tool(once(w, "pay", c.onUnknown))
				if err != nil {
					return runtime.Finish{}, err
				}

				return runtime.Finish{Value: paid.Text}, nil
			})
			ctx := t.Context()
			if _, err := with(w, store, nil).Run(ctx, p, "", ""); err != nil {
				t.Fatal(err)
			}
			all := recordsOf(t, store)
			at := slices.IndexFunc(all, func(r journal.Record) bool { return r.Type == journal.Intent })
			w.done = map[string]int{}
			store = cutAt(t, all, at+1)
			engine := with(w, store, nil)
			fin, err := engine.Resume(ctx, p, "r1", local.ResumeOptions{})
			if c.answer != "" {
				open, problem := engine.Questions(ctx, p, "r1")
				if len(local.Questions(err)) != 1 || problem != nil || len(open) != 1 || open[0].ID != "unknown:pay" || open[0].Address != "1" {
					t.Fatalf("%v %v %+v", err, problem, open)
				}
				if err := engine.Answer(ctx, p, "r1", "unknown:pay", c.answer, "ada"); err != nil {
					t.Fatal(err)
				}
				fin, err = engine.Resume(ctx, p, "r1", local.ResumeOptions{})
			}
			var unknown *runtime.UnknownOutcomeError
			if errors.As(err, &unknown) != c.fails || !c.fails && err != nil || fin.Value != c.value || w.done["1"] != c.done {
				t.Fatalf("%v %+v %v", err, fin, w.done)
			}
			if !c.fails {
				return
			}
			// Somebody has looked, and says what becomes of it.
			if err := engine.Answer(ctx, p, "r1", "unknown:pay", "again", "ada"); err != nil {
				t.Fatal(err)
			}
			if fin, err = engine.Resume(ctx, p, "r1", local.ResumeOptions{}); err != nil || fin.Value != "paid" || w.done["1"] != 1 {
				t.Errorf("%v %+v %v", err, fin, w.done)
			}
		})
	}
}
