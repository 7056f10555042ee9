package core_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/model"
)

// priced is a program with prices of its own.
func priced() *compiled.Program {
	p := asks("x")
	p.Prices = &model.Prices{AsOf: "2026-11-22", Models: []model.Price{
		{Name: "acme:*", Input: 1e6, Output: 1e6, Cached: 1e6, Stored: 1e6},
		{Name: "acme:big", Input: 5e6, Output: 5e6, Cached: 5e6, Stored: 5e6},
		{Name: "acme:big-*", Input: 2e6, Output: 4e6, Cached: 5e5, Stored: 3e6},
		{Name: "acme:free*"},
		{Name: "acme:hits-free", Input: 1e6, Output: 1e6, Stored: 1e6},
	}}

	return p
}

// file writes a file of prices.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}

	return name
}

// costOf runs a program with a model and returns what its turn has cost, by its event.
func costOf(t *testing.T, p *compiled.Program, name string, u model.Usage, change func(*core.Config)) (int64, error) {
	t.Helper()
	seen := &watcher{}
	_, err := with(newWorld(), nil, func(c *core.Config) {
		c.Model, c.Observer = nil, seen
		c.Providers = map[string]model.Opener{"acme": func(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
			return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
				return model.Reply{Text: "x", Usage: u, Model: m.Name + "-2026"}, nil
			}), nil
		}}
		c.Env = variables{"AGENTC_MODEL_DEFAULT": name}.lookup
		if change != nil {
			change(c)
		}
	}).Run(t.Context(), p, "", "")
	for _, e := range seen.events {
		if e.Kind == event.Model {
			return e.Cost, err
		}
	}

	return -1, err
}

// TestProgramPrices: what a model costs is what its own entry says, else the longest that its name
// begins with; tokens of caches cost what they cost; what nobody knows costs nothing that could be
// told.
func TestProgramPrices(t *testing.T) {
	all := model.Usage{Input: 1000, Output: 100, Cached: 400, Stored: 200}
	for _, c := range []struct {
		model string
		usage model.Usage
		cost  int64
	}{
		{"acme:small", all, 1100},
		{"acme:big", all, 5500},
		{"acme:big-one", all, 400*2 + 400/2 + 200*3 + 100*4},
		{"acme:bigger", all, 1100},
		{"acme:freely", all, 0},
		{"acme:hits-free", all, 700},
		{"acme:small", model.Usage{}, 1}, // the reply has one byte, and the request none
		{"acme:small", model.Usage{Input: 10, Output: 1, Cached: 99, Stored: 99}, 11},
		{"acme:small", model.Usage{Input: 10, Output: 1, Cached: -5, Stored: -5}, 11},
	} {
		if cost, err := costOf(t, priced(), c.model, c.usage, nil); err != nil || cost != c.cost {
			t.Errorf("%s %+v: %d, want %d, %v", c.model, c.usage, cost, c.cost, err)
		}
	}
	without := priced()
	without.Prices = nil
	if cost, err := costOf(t, without, "acme:small", all, nil); err != nil || cost != 0 {
		t.Errorf("without prices: %d, %v", cost, err)
	}
	without.Prices = &model.Prices{Models: []model.Price{{Name: "acme:small-20*", Input: 1e6}}}
	if cost, err := costOf(t, without, "acme:small", all, nil); err != nil || cost != 400 { // by the name under which it has answered
		t.Errorf("by another name: %d, %v", cost, err)
	}
}

// TestWhosePricesCount: those of Go code, else of the file, else of the program; money can be
// limited with any of them.
func TestWhosePricesCount(t *testing.T) {
	all := model.Usage{Input: 1000, Output: 100, Cached: 400, Stored: 200}
	variable := func(name string) func(*core.Config) {
		return func(c *core.Config) {
			c.Env = variables{"AGENTC_MODEL_DEFAULT": "acme:m", "AGENTC_PRICES": name}.lookup
		}
	}
	name := file(t, `{"as_of": "2026-11-22", "acme:m": {"input": 0.25, "output": 1.5, "cached_input": 0.025}}`)
	for _, c := range []struct {
		want   int64
		p      *compiled.Program
		change func(*core.Config)
	}{
		{1100, priced(), nil},
		{1100, priced(), variable("")},
		{100 + 10 + 50 + 150, priced(), variable(name)},
		{100 + 10 + 50 + 150, asks("x"), variable(name)},
		{7 * 1100, priced(), func(c *core.Config) { variable(name)(c); c.Price = seven }},
	} {
		for _, budget := range []*runtime.Budget{nil, {USD: 1e6}} {
			c.p.Budget = budget
			if cost, err := costOf(t, c.p, "acme:m", all, c.change); err != nil || cost != c.want {
				t.Errorf("%d, want %d, %v", cost, c.want, err)
			}
		}
	}
	p := priced()
	p.Budget = &runtime.Budget{USD: 1e6}
	_, err := costOf(t, p, "acme:other", all, func(c *core.Config) {
		c.Env = variables{"AGENTC_MODEL_DEFAULT": "acme:other", "AGENTC_PRICES": name}.lookup
	})
	var missing *core.MissingPriceError
	if !errors.As(err, &missing) || missing.Model != "acme:other" {
		t.Errorf("the file stands in the place of the program's prices: %v", err)
	}
}

func seven(string) (pricing.Price, bool) { return pricing.Price{Input: 7e6, Output: 7e6}, true }

// TestFilesOfPrices: what cannot be is said, at its place, before anything is spent; a script asks
// for no prices.
func TestFilesOfPrices(t *testing.T) {
	for content, want := range map[string]string{
		``:                                  "it is not a JSON object",
		`[]`:                                "it is not a JSON object",
		`{"a:b": {"input": 1`:               "it is not JSON: unexpected EOF",
		`{} {}`:                             "there is more behind its JSON object",
		`{"as_of": "yesterday"}`:            `as_of: "yesterday" is not a day such as "2026-11-22"`,
		`{"as_of": 2026}`:                   `as_of: 2026 is not a day`,
		`{"gpt": {}}`:                       `"gpt" is not a model: write provider:model, or the beginning of one and *`,
		`{"*": {}}`:                         `"*" is not a model`,
		`{"a:*-mini": {}}`:                  `"a:*-mini" is not a model`,
		`{"a:b": 3}`:                        `a:b: it is not a JSON object`,
		`{"a:b": {}}`:                       `a:b: input and output are both needed`,
		`{"a:b": {"input": 1}}`:             `a:b: input and output are both needed`,
		`{"a:b": {"input": "1"}}`:           `a:b: "1" is not a number of dollars for a million tokens`,
		`{"a:b": {"input": -1}}`:            `a:b: -1 is not a number of dollars`,
		`{"a:b": {"input": 1e9}}`:           `a:b: 1e9 is not a number of dollars`,
		`{"a:b": {"ouput": 1}}`:             `a:b: "ouput" is not one of input, output, cached_input and cache_write, once each`,
		`{"a:b": {"input": 1, "input": 2}}`: `a:b: "input" is not one of`,
		`{"a:b": {"input": 1, "output": 2}, "a:b": {"input": 1, "output": 2}}`: `"a:b" is there twice`,
		strings.Repeat(" ", 1<<20+1): "it is larger than 1048576 bytes",
	} {
		name := file(t, content)
		refused(t, name, `AGENTC_PRICES: "`+name+`" cannot be used: `+want)
	}
	refused(t, t.TempDir(), "it cannot be read")
	refused(t, filepath.Join(t.TempDir(), "none"), "no such file or directory")

	env := variables{"AGENTC_PRICES": "none"}.lookup
	for name, c := range map[string]core.Config{
		"a script":             {Script: `{"desk":[{"say":"x"}]}`, Env: env},
		"a compiled-in script": {Env: variables{"AGENTC_PRICES": "none", "AGENTC_MODEL_DEFAULT": "script:s.json"}.lookup},
	} {
		p := asks("x")
		p.Scripts = map[string]string{"s.json": `{"desk":[{"say":"x"}]}`}
		if _, err := core.New(c).Run(t.Context(), p, "", ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func refused(t *testing.T, name, want string) {
	t.Helper()
	change := func(c *core.Config) {
		c.Env = variables{"AGENTC_MODEL_DEFAULT": "acme:m", "AGENTC_PRICES": name}.lookup
	}
	cost, err := costOf(t, priced(), "acme:m", model.Usage{Input: 1}, change)
	var bad *runtime.BadSettingError
	if !errors.As(err, &bad) || bad.Name != "AGENTC_PRICES" || !strings.Contains(err.Error(), want) || cost != -1 {
		t.Errorf("%v\nwant %s", err, want)
	}
	config := core.Config{Model: newWorld()}
	change(&config)
	if _, err := core.New(config).Effects(t.Context(), nil); !errors.As(err, &bad) {
		t.Errorf("a door of its own: %v", err)
	}
}
