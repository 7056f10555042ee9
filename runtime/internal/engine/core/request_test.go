package core_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestRequest: what models were asked can be seen of a run that is done and of one that was killed
// while a model was asked, without secrets, and by its address only.
func TestRequest(t *testing.T) {
	t.Setenv("BANK_API_KEY", "hunter2hunter2")
	p := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
			_, err := fx.Model(model.Request{
				Agent: "desk", System: "Be kind to hunter2hunter2.", Schema: `{"type":"string"}`,
				Messages: []model.Message{
					{Role: model.RoleUser, Text: []string{"first", "second"}[i]},
					{Role: model.RoleAssistant, Calls: []model.ToolCall{{ID: "c", Name: "look", Args: `{"for":"hunter2hunter2"}`}}},
					{Role: model.RoleTool, CallID: "c", Name: "look", Text: "found hunter2hunter2"},
				},
				Tools: []model.Tool{{Name: "look", Schema: "{}"}},
			})

			return err
		})

		return runtime.Finish{Key: "done"}, err
	})
	whole := journal.Memory()
	engine := func(store journal.Store) *core.Engine {
		return core.New(core.Config{
			Store: store, RunID: func() string { return "r1" },
			Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				return model.Reply{Text: "yes"}, nil
			}),
		})
	}
	if _, err := engine(whole).Run(t.Context(), p, "", "x"); err != nil {
		t.Fatal(err)
	}
	all := recordsOf(t, whole)
	checkRequests(t, engine(whole), p, map[string]string{"1.0.1": "first", "1.1.1": "second"})

	for n, r := range all {
		if r.Type != journal.Intent || r.Name != "model" {
			continue
		}
		want := map[string]string{r.Address: "first"}
		if strings.HasPrefix(r.Address, "1.1") {
			want[r.Address] = "second"
		}
		checkRequests(t, engine(cutAt(t, all, n+1)), p, want)
	}

	for _, address := range []string{"1", "7", "", "1.0", "x"} {
		if request, err := engine(whole).Request(t.Context(), p, "r1", address); request != nil || !isCoded(err, "UnknownAddressError", "") {
			t.Errorf("at %q: %v %v", address, request, err)
		}
	}
	other := desk(func(runtime.Effects, string) (runtime.Finish, error) { return runtime.Finish{Key: "done"}, nil })
	if _, err := engine(whole).Request(t.Context(), other, "r1", "1.0.1"); err == nil {
		t.Error("a program that asks no model there has a request")
	}
	if _, err := engine(whole).Request(t.Context(), p, "r2", "1"); !errors.Is(err, journal.ErrUnknownRun) {
		t.Error(err)
	}
	if after := recordsOf(t, whole); len(after) != len(all) {
		t.Errorf("the journal has %d records, and had %d", len(after), len(all))
	}
}

// checkRequests wants requests at addresses, by the text of their first message.
func checkRequests(t *testing.T, engine *core.Engine, p *compiled.Program, want map[string]string) {
	t.Helper()
	const hidden = "[redacted BANK_API_KEY]"
	for address, first := range want {
		got, err := engine.Request(t.Context(), p, "r1", address)
		if err != nil {
			t.Errorf("at %s: %v", address, err)
			continue
		}
		m := got.Messages
		if len(m) != 3 || m[0].Text != first || m[2].Text != "found "+hidden || m[1].Calls[0].Args != `{"for":"`+hidden+`"}` {
			t.Errorf("at %s the messages are %+v", address, m)
		}
		if got.System != "Be kind to "+hidden+"." || len(got.Tools) != 1 || got.Schema == "" {
			t.Errorf("at %s the request is %+v", address, got)
		}
	}
}
