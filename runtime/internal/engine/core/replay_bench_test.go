package core_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// chatty answers with a text of its own for each input.
func chatty(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{
		Text: r.Input + strings.Repeat(" is what the model says", 40), Usage: model.Usage{Input: 10, Output: 20}, Model: "acme:small",
	}, nil
}

// BenchmarkDecode reads the records of 10,000 effects, and BenchmarkResume goes on behind them.
func BenchmarkDecode(b *testing.B) {
	_, _, store := recordedEffects(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := journal.Read(b.Context(), store, "r1"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResume(b *testing.B) {
	p, records, _ := recordedEffects(b)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		store := journal.Memory()
		w, err := journal.Create(b.Context(), store, "r1", records[0])
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range records[1 : len(records)-1] {
			w.Append(r)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := with(nil, store, nil).Resume(b.Context(), p, "r1", core.ResumeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// recordedEffects is a run of 10,000 turns of a model.
func recordedEffects(b *testing.B) (*compiled.Program, []journal.Record, journal.Store) {
	b.Helper()
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for turn := range 10_000 {
			if _, err := fx.Model(model.Request{Agent: "desk", Turn: turn, Input: strconv.Itoa(turn)}); err != nil {
				return runtime.Finish{}, err
			}
		}

		return said("all")
	})
	store := journal.Memory()
	engine := with(nil, store, func(c *core.Config) { c.Model = model.ProviderFunc(chatty) })
	if _, err := engine.Run(b.Context(), p, "", ""); err != nil {
		b.Fatal(err)
	}
	j, err := journal.Read(b.Context(), store, "r1")
	if err != nil {
		b.Fatal(err)
	}

	return p, j.Records, store
}
