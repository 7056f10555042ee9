package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/purchase/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// path records the states that a run enters.
type path []string

// Observe records a state.
func (p *path) Observe(e event.Event) {
	if e.Kind == event.Enter {
		*p = append(*p, e.State)
	}
}

// The scripts answer for the clerk, the person and the shop.
func TestScripts(t *testing.T) {
	for _, test := range []struct {
		script, order, end string
		states             path
	}{
		{"shipped", "A-1", "shipped", path{"look-up", "reserve", "charge", "ship"}},
		{"cancelled", "A-3", "cancelled", path{"look-up", "reserve", "charge", "ship", "recall", "refund", "release", "apologize"}},
		{"refused", "A-4", "cancelled", path{"look-up", "decide", "apologize"}},
	} {
		t.Run(test.script, func(t *testing.T) {
			text, err := os.ReadFile("scripts/" + test.script + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var states path
			fin, err := agents.New(nil).RunPurchase(simulate.New(t, string(text), &states), test.order)
			var failure *runtime.EndStateError
			if fin.Key != test.end || errors.As(err, &failure) != (test.end == "cancelled") {
				t.Errorf("the run ends with %q, %v", fin.Key, err)
			}
			if !slices.Equal(states, test.states) {
				t.Errorf("the run enters %q", states)
			}
		})
	}
}

// buy runs the workflow with the functions of a shop and a script for the rest. It returns the state in which the
// run ends.
func buy(t *testing.T, shop agents.Funcs, script, order string) string {
	t.Helper()
	fin, err := agents.New(shop).RunPurchase(simulate.New(t, script), order)
	var failure *runtime.EndStateError
	if err != nil && !errors.As(err, &failure) {
		t.Fatal(err)
	}

	return fin.Key
}

const (
	clerk    = `{"purchase/clerk": [{"say": "{{input}}"}]}`
	accepted = `{"ask": {"approve": [{"accepted": true}]}}`
)

// The shop has undone what it has done for an order that is cancelled, the newest first.
func TestShop(t *testing.T) {
	for _, test := range []struct{ name, order, script, end, want string }{
		{"shipped", "A-1", `{}`, "shipped", "reserve charge ship"},
		{"accepted by a person", "A-4", accepted, "shipped", "reserve charge ship"},
		{"not reserved", "A-5", clerk, "cancelled", "send"},
		{"not charged", "A-2", clerk, "cancelled", "reserve release send"},
		{"not shipped", "A-3", clerk, "cancelled", "reserve charge refund release send"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &shop{path: filepath.Join(t.TempDir(), "shop.jsonl")}
			if end := buy(t, s, test.script, test.order); end != test.end {
				t.Errorf("the run ends in %q", end)
			}
			if got := deedsOf(t, s); got != test.want {
				t.Errorf("the shop did %s, want %s", got, test.want)
			}
		})
	}
}

// deedsOf returns what the shop has done, in order.
func deedsOf(t *testing.T, s *shop) string {
	t.Helper()
	all, err := s.deeds()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range all {
		names = append(names, d.Did)
	}

	return strings.Join(names, " ")
}

// The letter says which step has failed, and why.
func TestLetter(t *testing.T) {
	s := &shop{path: filepath.Join(t.TempDir(), "shop.jsonl")}
	buy(t, s, clerk, "A-2")
	all, err := s.deeds()
	if err != nil {
		t.Fatal(err)
	}
	const want = "Order A-2, 2 × desk lamp, is cancelled. We could not charge it: the card has expired"
	if letter := all[len(all)-1]; letter.Did != "send" || letter.Note != want {
		t.Errorf("the last deed is %+v", letter)
	}
}

// lateShop does what it is told to, but says that the charge has failed.
type lateShop struct{ *shop }

func (s lateShop) ShopCharge(ctx context.Context, in agents.ShopChargeArgs) (string, error) {
	_, err := s.shop.ShopCharge(ctx, in)

	return "", errors.Join(err, errors.New("the bank does not answer"))
}

// A charge that has failed may have happened: it is paid back.
func TestChargedAndFailed(t *testing.T) {
	s := lateShop{&shop{path: filepath.Join(t.TempDir(), "shop.jsonl")}}
	buy(t, s, clerk, "A-1")
	if got := deedsOf(t, s.shop); got != "reserve charge refund release send" {
		t.Errorf("the shop did %s", got)
	}
}

// A call that is made again after a crash does nothing twice.
func TestRepeatedCalls(t *testing.T) {
	s := &shop{path: filepath.Join(t.TempDir(), "shop.jsonl")}
	for range 2 {
		_, charge := s.ShopCharge(t.Context(), agents.ShopChargeArgs{Order: "A-1", Cents: 4900})
		_, refund := s.ShopRefund(t.Context(), agents.ShopRefundArgs{Order: "A-1"})
		if err := errors.Join(charge, refund); err != nil {
			t.Fatal(err)
		}
	}
	if got := deedsOf(t, s); got != "charge refund" {
		t.Errorf("the shop did %s", got)
	}
}

// A process may die at any moment, also while it undoes something: the next one continues, and the shop does nothing
// twice.
func TestResumedAnywhere(t *testing.T) {
	s := &shop{path: filepath.Join(t.TempDir(), "shop.jsonl")}
	counts, err := resumetest.Case{
		Program: agents.New(s).Program(), Input: "A-3",
		Options: func() engine.Options { return engine.Options{Script: clerk} },
	}.Check(t.Context())
	if err != nil || counts.Asked > 0 {
		t.Errorf("%v, %v", counts, err)
	}
	if got := deedsOf(t, s); got != "reserve charge refund release send" {
		t.Errorf("the shop did %s", got)
	}
}
