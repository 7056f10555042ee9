package core_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestPrices: what a turn costs is what the provider says, else its tokens at the price of the
// model that was asked, or of the one that answered, rounded up.
func TestPrices(t *testing.T) {
	prices := map[string]pricing.Price{"a:known": {Input: 3_000_000, Output: 15_000_000}, "a:tiny": {Input: 1}}
	for _, c := range []struct {
		asked string
		reply model.Reply
		cost  int64
	}{
		{"a:known", model.Reply{Usage: model.Usage{Input: 1000, Output: 100}}, 4500},
		{"a:known", model.Reply{Cost: 7, Usage: model.Usage{Input: 1000}}, 7},
		{"a:known", model.Reply{}, 0},
		{"a:tiny", model.Reply{Usage: model.Usage{Input: 1}}, 1},
		{"a:other", model.Reply{Model: "a:known", Usage: model.Usage{Output: 2}}, 30},
		{"a:other", model.Reply{Model: "a:another", Usage: model.Usage{Output: 2}}, 0},
		{"a:known", model.Reply{Usage: model.Usage{Input: 1 << 62, Output: 1 << 62}}, 1<<63 - 1},
		{"a:known", model.Reply{Usage: model.Usage{Input: -5}}, 0},
	} {
		fx, err := core.New(core.Config{
			Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				return c.reply, nil
			}),
			Price: func(llm string) (pricing.Price, bool) { p, known := prices[llm]; return p, known },
		}).Effects(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := fx.Model(model.Request{Model: &model.Choice{Name: c.asked}})
		if err != nil || reply.Cost != c.cost {
			t.Errorf("%s %+v costs %d, want %d (%v)", c.asked, c.reply.Usage, reply.Cost, c.cost, err)
		}
	}
}

// TestListPrices: a model without a price of its own has its list price, by the name that it was
// asked by or that it answers by; that is recorded with the date of the list.
func TestListPrices(t *testing.T) {
	own := []model.Price{{Name: "openai:gpt-4o-2024-08-06", Input: 1_000_000, Output: 1_000_000, Cached: 1_000_000, Stored: 1_000_000}}
	list, known := model.ListPrice("openai:gpt-4o")
	if !known {
		t.Fatal("the list has no openai:gpt-4o")
	}
	for _, c := range []struct {
		asked, answers string
		cost           int64
		listed         string
	}{
		{"openai:gpt-4o", "", list.Input + list.Output, model.ListPricesDay},
		{"acme:gateway", "openai:gpt-4o", list.Input + list.Output, model.ListPricesDay},
		{"openai:gpt-4o", "openai:gpt-4o-2024-08-06", 2_000_000, ""},
		{"acme:gateway", "acme:other", 0, ""},
	} {
		store := journal.Memory()
		answer := func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: "x", Model: c.answers, StopReason: model.ReasonStop, Usage: model.Usage{Input: 1_000_000, Output: 1_000_000}}, nil
		}
		ask := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			reply, err := fx.Model(model.Request{Agent: "a", Model: &model.Choice{Name: c.asked}})
			if err != nil || reply.Cost != c.cost {
				t.Errorf("%s: costs %d, want %d (%v)", c.asked, reply.Cost, c.cost, err)
			}
			return runtime.Finish{Key: "done"}, err
		}
		engine := core.New(core.Config{Model: model.ProviderFunc(answer), Price: pricing.Lookup(own), Store: store, RunID: func() string { return "r" }})
		program := &compiled.Program{Name: "p", Agents: []compiled.Agent{{Name: "a", Run: ask}}}
		if _, err := engine.Run(t.Context(), program, "a", ""); err != nil {
			t.Fatal(err)
		}
		recorded := ""
		j, err := journal.Read(t.Context(), store, "r")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range j.Records {
			recorded = max(recorded, r.Value("list_prices"))
		}
		if recorded != c.listed {
			t.Errorf("%s: recorded %q, want %q", c.asked, recorded, c.listed)
		}
	}
}

// TestMissingPrices: where money is limited, each model whose price nobody knows is named before
// anything is spent; others, and scripts, are not.
func TestMissingPrices(t *testing.T) {
	money := &runtime.Budget{USD: 1}
	conversation := func(name, llm string) compiled.Agent {
		run := func(runtime.Effects, string) (runtime.Finish, error) { return said("x") }

		return compiled.Agent{Name: name, Model: &model.Choice{Name: llm}, Run: run}
	}
	outer := conversation("outer", "acme:free")
	outer.Contains = []string{"inner", "other"}
	for _, c := range []struct {
		what         string
		outer, inner *runtime.Budget
		run          *runtime.Budget
		priced       []string
		model        string
		want         []string
	}{
		{what: "nothing is limited", model: "acme:big"},
		{what: "tokens are limited", run: &runtime.Budget{Tokens: 5}, model: "acme:big"},
		{what: "the run", run: money, model: "acme:big", want: []string{
			`"acme:big" is not known (wanted by agent "inner")`, `"acme:free" is not known (wanted by agents "other", "outer")`}},
		{what: "the inner one", inner: money, model: "acme:big", want: []string{
			`"acme:big" is not known (wanted by agent "inner")`}},
		{what: "a step", priced: []string{"inner"}, model: "acme:big", want: []string{
			`"acme:big" is not known (wanted by agent "inner")`}},
		{what: "a known price", inner: money, model: "acme:known"},
		{what: "a script", inner: money, model: "script:s.json"},
	} {
		t.Run(c.what, func(t *testing.T) {
			top, inner := outer, conversation("inner", c.model)
			top.Budget, inner.Budget, top.Priced = c.outer, c.inner, c.priced
			p := &compiled.Program{
				Name: "p", Entry: "outer", Budget: c.run, Scripts: map[string]string{"s.json": "{}"},
				Agents: []compiled.Agent{
					inner, conversation("other", "acme:free"), top, conversation("unreached", "acme:dear"),
				},
			}
			_, err := core.New(core.Config{
				Providers: map[string]model.Opener{"acme": func(model.Model, func(string) (string, bool)) (model.Provider, error) {
					return model.ProviderFunc(says), nil
				}},
				Price: func(llm string) (pricing.Price, bool) { return pricing.Price{}, llm == "acme:known" },
			}).Run(t.Context(), p, "", "go")
			var missing *core.MissingPriceError
			found := errors.As(err, &missing)
			if found != (c.want != nil) || found && strings.Count(err.Error(), "the price of") != len(c.want) || !found && err != nil {
				t.Fatalf("%v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not say %s", err, want)
				}
			}
		})
	}
}

// TestMissingPriceOnTheWay: a budget that nobody could know of before is not spent from either.
func TestMissingPriceOnTheWay(t *testing.T) {
	turns := 0
	counts := func(context.Context, model.Request) (model.Reply, error) {
		turns++

		return model.Reply{}, nil
	}
	fx, err := core.New(core.Config{Model: model.ProviderFunc(counts)}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer fx.Limit("x", "", &runtime.Budget{USD: 1})()
	defer fx.Limit("y", "", &runtime.Budget{Calls: 1})()
	_, err = fx.Model(model.Request{Agent: "a", Model: &model.Choice{Name: "acme:big"}})
	var missing *core.MissingPriceError
	if !errors.As(err, &missing) || missing.Model != "acme:big" || turns != 0 || !runtime.EndsRun(err) {
		t.Errorf("%d turns, %v", turns, err)
	}
}
