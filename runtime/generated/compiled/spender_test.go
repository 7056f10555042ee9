package compiled_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestLimitedConversations: a budget limits the conversations of the agent that has it, and those of all that the agent reaches.
func TestLimitedConversations(t *testing.T) {
	spenders := func(change func(a, b, c *compiled.Spender)) []compiled.Spender {
		a := compiled.Spender{Name: "a", Conversations: []string{"a/one", "a/two"}, Contains: []string{"b"}}
		b := compiled.Spender{Name: "b", Conversations: []string{"b"}, Contains: []string{"c", "a", "gone"}}
		c := compiled.Spender{Name: "c", Conversations: []string{"c"}}
		change(&a, &b, &c)

		return []compiled.Spender{a, b, c}
	}
	for _, c := range []struct {
		what   string
		run    bool
		change func(a, b, c *compiled.Spender)
		want   string
	}{
		{what: "nothing is limited", change: func(a, b, c *compiled.Spender) {}},
		{what: "the run", run: true, change: func(a, b, c *compiled.Spender) {}, want: "a/one a/two b c"},
		{what: "the last agent", change: func(a, b, c *compiled.Spender) { c.IsLimited = true }, want: "c"},
		{what: "agents that run each other", change: func(a, b, c *compiled.Spender) { b.IsLimited = true }, want: "a/one a/two b c"},
		{what: "one conversation", change: func(a, b, c *compiled.Spender) { a.Priced = []string{"a/two"} }, want: "a/two"},
		{what: "the agent of a step", change: func(a, b, c *compiled.Spender) {
			b.Contains, a.Priced = []string{"c"}, []string{"b"}
		}, want: "b c"},
	} {
		got := slices.Sorted(maps.Keys(compiled.LimitedConversations(c.run, spenders(c.change))))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
	}
}

func TestSpender(t *testing.T) {
	a := compiled.Agent{
		Name: "a", Model: &model.Choice{}, Contains: []string{"b"}, Priced: []string{"c"}, Budget: &runtime.Budget{USD: 1},
	}
	got := a.Spender()
	if got.Name != "a" || !slices.Equal(got.Conversations, []string{"a"}) || !slices.Equal(got.Contains, a.Contains) {
		t.Errorf("got %+v", got)
	}
	if !slices.Equal(got.Priced, a.Priced) || !got.IsLimited {
		t.Errorf("got %+v", got)
	}
	if a.Budget.USD = 0; a.Spender().IsLimited {
		t.Error("tokens are no money")
	}
}
