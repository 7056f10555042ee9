package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// The goals of runs that have a journal.
const (
	replayAsDecode = 3   // times reading the same records
	longAsShort    = 1.1 // bytes a turn of a long conversation, times those of a short one
)

const replayed = "replayed"

// talk is a program that has a conversation of so many turns. The model answers at once.
func talk(turns int) *compiled.Program {
	choice := &model.Choice{Role: "worker"}

	return &compiled.Program{Name: "talk", Entry: "talk", Agents: []compiled.Agent{{
		Name: "talk", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			messages := make([]model.Message, 1, 2*turns+1)
			messages[0] = model.Message{Role: model.RoleUser, Text: input}
			for turn := range turns {
				reply, err := fx.Model(model.Request{
					Agent: "talk", Turn: turn, Input: input, Model: choice, System: said, Messages: messages,
				})
				if err != nil {
					return runtime.Finish{}, err
				}
				messages = append(messages,
					model.Message{Role: model.RoleAssistant, Text: reply.Text}, model.Message{Role: model.RoleUser, Text: "Go on."})
			}

			return runtime.Finish{Key: "done"}, nil
		},
	}}}
}

// talker is an engine whose model says what it has not said before.
func talker(store journal.Store) *engine.Engine {
	says := func(_ context.Context, r model.Request) (model.Reply, error) {
		return model.Reply{Text: strconv.Itoa(r.Turn) + said, StopReason: "stop"}, nil
	}

	return engine.New(engine.Options{
		Store: store,
		RunID: func() string { return replayed },
		Model: model.ProviderFunc(says),
	})
}

// recorded is a store with the journal of a conversation.
func (b *journalBench) recorded(turns int) journal.Store {
	store := journal.Memory()
	must(talker(store).Run(b.ctx, talk(turns), "talk", "the task"))

	return store
}

// interrupted is a store with a journal that lacks its end, so that the run has to be replayed.
func (b *journalBench) interrupted(whole journal.Store) journal.Store {
	j := must(journal.Read(b.ctx, whole, replayed))
	store := journal.Memory()
	w := must(journal.Create(b.ctx, store, replayed, j.Records[0]))
	for _, r := range j.Records[1:] {
		if r.Type != journal.End {
			w.Append(r)
		}
	}
	check(w.Close())

	return store
}

// measureReplay measures how long a run takes that was interrupted at its end, beside reading its records.
func (b *journalBench) measureReplay() {
	b.progress.say("journal, replay")
	turns, rounds := b.size(10_000, 20), b.size(5, 1)
	whole := b.recorded(turns)
	var stores []journal.Store
	for range rounds + 2 { // those that count allocations, too
		stores = append(stores, b.interrupted(whole))
	}
	program, next := talk(turns), 0
	scores := must(contest.Hold(rounds,
		contest.Repeat("decode", 1, turns, func() error {
			_, err := journal.Read(b.ctx, stores[len(stores)-1], replayed)
			return err
		}),
		contest.Repeat("replay", 1, turns, func() error {
			_, err := talker(stores[next]).Resume(b.ctx, program, replayed)
			next++
			return err
		})))
	what := "journal, replaying " + count(turns) + " effects / decoding their records"
	b.compare(what, scores, "replay", "decode", goal{atMost, replayAsDecode})
}

// measureTurns measures whether a turn of a long conversation takes more bytes than one of a short one.
func (b *journalBench) measureTurns() {
	b.progress.say("journal, turns")
	perTurn := map[int]float64{}
	for _, turns := range []int{10, 100, 1000} {
		perTurn[turns] = float64(len(b.contentOf(b.recorded(turns), replayed))) / float64(turns)
	}
	for _, turns := range []int{100, 1000} {
		what := fmt.Sprintf("journal, bytes a turn: conversation of %s turns / of 10", count(turns))
		b.add(what, perTurn[turns]/perTurn[10], "x", goal{atMost, longAsShort})
	}
}

// measureOff measures what a turn of a model allocates in a run without a journal.
func (b *journalBench) measureOff() {
	b.progress.say("journal, off")
	const turns = 10_000
	choice := &model.Choice{Role: "worker"}
	program := &compiled.Program{Name: "plain", Entry: "plain", Agents: []compiled.Agent{{
		Name: "plain", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			for range turns {
				if _, err := fx.Model(model.Request{Agent: "plain", Input: input, Model: choice}); err != nil {
					return runtime.Finish{}, err
				}
			}

			return runtime.Finish{Key: "done"}, nil
		},
	}}}
	say := func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: "said"}, nil
	}
	eng := engine.New(engine.Options{Model: model.ProviderFunc(say)})
	scores := must(contest.Hold(1, contest.Repeat("off", 1, turns, func() error {
		// Where a run can be cancelled, a call of a provider takes a goroutine.
		_, err := eng.Run(context.Background(), program, "plain", "the task")
		return err
	})))
	b.add("journal off: allocations of a model's turn", allocsStep(scores, "off"), "", goal{atMost, 0})
}
