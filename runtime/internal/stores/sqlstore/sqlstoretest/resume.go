package sqlstoretest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
)

// resumed: a run can be resumed wherever it is interrupted.
func (k Kind) resumed(t *testing.T) {
	store := k.open(t, k.Empty(t))
	removed := func() (journal.Store, error) {
		runs, err := store.List(t.Context(), journal.Query{})
		if err != nil || len(runs) == 0 {
			return store, err
		}

		return store, store.Remove(t.Context(), runs[0])
	}
	says := func(_ context.Context, r model.Request) (model.Reply, error) {
		return model.Reply{Text: "about " + r.Input}, nil
	}
	counts, err := resumetest.Case{
		Program: letters(), Input: "the task", Store: removed,
		Options: func() engine.Options { return engine.Options{Model: model.ProviderFunc(says)} },
	}.Check(t.Context())
	isEnough := counts.Resumed >= 15 && counts.Kept >= 20 && counts.Done >= 20
	if err != nil || !isEnough || counts.Asked != 1 {
		t.Errorf("%v, %+v", err, counts)
	}
}

// letters is a program that asks a model in branches, and then does what must not happen twice.
func letters() *compiled.Program {
	send := func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"sent"`), nil }
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		err := fx.Parallel(3, 0, func(i int, fx runtime.Effects) error {
			_, err := fx.Model(model.Request{Agent: "writer", Input: fmt.Sprint(input, i)})

			return err
		})
		if err != nil {
			return runtime.Finish{}, err
		}
		sent, err := fx.Call(runtime.FuncCall{Name: "send", Run: send})

		return runtime.Finish{Key: "done", Value: string(sent.Value)}, err
	}

	return &compiled.Program{Name: "letters", Entry: "main", Shape: "s", Text: "t", Agents: []compiled.Agent{{Name: "main", Run: run}}}
}
