package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// troop are models that answer, or fail, by their names; asked are those that were asked.
type troop struct {
	fails map[string]error
	asked []string
	// opened are the models as they were opened.
	opened []model.Model
	reply  model.Reply
}

func (p *troop) open(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
	p.opened = append(p.opened, m)

	return model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
		p.asked = append(p.asked, r.Model.Name)
		if err := p.fails[r.Model.Name]; err != nil {
			return model.Reply{Usage: model.Usage{Input: 3, Output: 1}}, err
		}
		reply := p.reply
		reply.Text, reply.Usage = r.Model.Name+" says "+r.Input, model.Usage{Input: 10, Output: 2}

		return reply, nil
	}), nil
}

// engine has the models a:1, and b:2 and c:3 in its place. More may be changed.
func (p *troop) engine(store journal.Store, change func(*core.Config)) *core.Engine {
	return with(newWorld(), store, func(c *core.Config) {
		c.Model, c.Providers = nil, map[string]model.Opener{"a": p.open, "b": p.open, "c": p.open}
		c.Env = variables{"AGENTC_MODEL_DEFAULT": "a:1", "AGENTC_MODEL_DEFAULT_FALLBACK": "b:2,c:3"}.lookup
		c.Retry = model.Retry{Attempts: 2, First: 1, Most: 1}
		if change != nil {
			change(c)
		}
	})
}

func of(class model.Class) error { return &model.Error{Class: class, Message: "so"} }

// TestFallback: another model is asked when one has failed for good, whatever it failed with, but
// for a refusal, and for what no model can mend; the last failure of each is told.
func TestFallback(t *testing.T) {
	long := &model.Error{Class: model.RateLimit, RetryAfter: 24 * time.Hour}
	for name, c := range map[string]struct {
		a, b, c error
		asked   string
		// answers is who has answered; "" if nobody.
		answers string
	}{
		"nothing fails":         {asked: "a:1", answers: "a:1"},
		"what is tried again":   {a: of(model.Server), asked: "a:1 a:1 b:2", answers: "b:2"},
		"what is not":           {a: of(model.Auth), asked: "a:1 b:2", answers: "b:2"},
		"too long":              {a: of(model.TooLong), asked: "a:1 b:2", answers: "b:2"},
		"quota":                 {a: of(model.Quota), asked: "a:1 b:2", answers: "b:2"},
		"a bad request":         {a: of(model.BadRequest), asked: "a:1 b:2", answers: "b:2"},
		"a wait of a day":       {a: long, asked: "a:1 b:2", answers: "b:2"},
		"a refusal":             {a: of(model.Refused), asked: "a:1"},
		"a refusal on the way":  {a: of(model.Other), b: of(model.Refused), asked: "a:1 b:2"},
		"a panic":               {a: errPanic, asked: "a:1"},
		"an error of the user":  {a: errors.New("odd"), asked: "a:1"},
		"the last one answers":  {a: of(model.Auth), b: of(model.Network), asked: "a:1 b:2 b:2 c:3", answers: "c:3"},
		"all of them":           {a: of(model.Auth), b: of(model.Auth), c: of(model.Server), asked: "a:1 b:2 c:3 c:3"},
		"all of them, too long": {a: long, b: long, c: long, asked: "a:1 b:2 c:3"},
	} {
		models := &troop{fails: map[string]error{"a:1": c.a, "b:2": c.b, "c:3": c.c}}
		seen := &watcher{}
		fin, err := models.engine(nil, func(config *core.Config) { config.Observer = seen }).Run(t.Context(), asks("hello"), "", "")
		if asked := strings.Join(models.asked, " "); asked != c.asked {
			t.Errorf("%s: asked %s", name, asked)
		}
		want := ""
		if c.answers != "" {
			want = c.answers + " says hello"
		}
		if fin.Value != want || (err == nil) != (want != "") {
			t.Errorf("%s: %+v, %v", name, fin, err)
		}
		var all *core.FallbackError
		if tried := len(strings.Fields(c.asked)) > 1 && want == "" && name != "a refusal"; errors.As(err, &all) != tried {
			t.Errorf("%s: %v", name, err)
		}
		checkTold(t, name, seen.events, models, c.answers)
	}
}

// errPanic stands for a provider that panics: it is what the engine makes of that.
var errPanic = &runtime.PanicError{Where: "the model", Value: "bang"}

// checkTold looks at what the observer was told of one turn: a retry for each repetition and for
// each model that is asked next, by its name, and then one event of the turn, with who answered and
// all that was spent.
func checkTold(t *testing.T, name string, events []event.Event, models *troop, answers string) {
	t.Helper()
	var asked []string
	turns, retries := 0, 0
	asked = append(asked, "a:1")
	for _, e := range events {
		switch e.Kind {
		case event.Retry:
			retries++
			if e.Name != "" {
				asked = append(asked, e.Name)
			} else {
				asked = append(asked, asked[len(asked)-1])
			}
			if e.Problem == "" || e.Address != "1" {
				t.Errorf("%s: %+v", name, e)
			}
		case event.Model:
			turns++
			failed := len(models.asked)
			want := model.Usage{}
			if answers != "" {
				failed--
				want = model.Usage{Input: 10, Output: 2}
			}
			want.Input, want.Output = want.Input+3*failed, want.Output+failed
			if e.Usage != want || answers != "" && e.Name != answers || (e.Problem == "") != (answers != "") {
				t.Errorf("%s: %+v, want %+v", name, e, want)
			}
		case event.End:
			if got := e.Usage.Input + e.Usage.Output; got != spentBy(models, answers) {
				t.Errorf("%s: the run spent %d", name, got)
			}
		}
	}
	if strings.Join(asked, " ") != strings.Join(models.asked, " ") || turns != 1 {
		t.Errorf("%s: told of %q and %d turns", name, asked, turns)
	}
}

func spentBy(models *troop, answers string) int {
	if answers == "" {
		return 4 * len(models.asked)
	}

	return 4*(len(models.asked)-1) + 12
}

// TestFallbackIsOneEffect: a journal has one result, with who answered and what it took; a process
// that goes on asks nobody again, and one that has lost the result asks from the beginning.
func TestFallbackIsOneEffect(t *testing.T) {
	program := asks("first", "second")
	store := journal.Memory()
	models := &troop{fails: map[string]error{"a:1": of(model.Server)}}
	price := func(config *core.Config) {
		config.Price = func(model string) (pricing.Price, bool) {
			return pricing.Price{Input: 1e6, Output: 1e6}, model != "c:3"
		}
	}
	want, err := models.engine(store, price).Run(t.Context(), program, "", "")
	if err != nil || want.Value != "b:2 says first, b:2 says second" {
		t.Fatalf("%+v, %v", want, err)
	}
	all := recordsOf(t, store)
	for n := 1; n < len(all); n++ {
		cut := cutAt(t, all, n)
		again := &troop{fails: models.fails}
		seen := &watcher{}
		fin, err := again.engine(cut, func(c *core.Config) { price(c); c.Observer = seen }).Resume(t.Context(), program, "r1", core.ResumeOptions{})
		if err != nil || fin != want {
			t.Errorf("after %d records: %+v, %v", n, fin, err)
		}
		results := 0
		for _, r := range recordsOf(t, cut) {
			if r.Type != journal.Result {
				continue
			}
			results++
			got := map[string]string{}
			for _, f := range r.Fields {
				got[f.Name] = f.Value
			}
			for name, value := range map[string]string{
				"model": "b:2", "attempts": "3", "tokens_in": "10", "tokens_out": "2", "cost": "12",
				"failed_tokens_in": "6", "failed_tokens_out": "2", "failed_cost": "8",
			} {
				if got[name] != value {
					t.Errorf("after %d records: %s is %q in %v", n, name, got[name], r.Fields)
				}
			}
		}
		ends := 0
		for _, e := range seen.events {
			if e.Kind == event.End && e.Usage != (model.Usage{Input: 32, Output: 8}) {
				t.Errorf("after %d records: %+v", n, e)
			}
			ends++
		}
		if results != 2 || ends == 0 && n < len(all)-1 {
			t.Errorf("after %d records: %d results, %d events", n, results, ends)
		}
	}
}

// TestFallbackErrorComesBack: what all models have failed with is a result like another, and a
// program that goes on with it gets the same again.
func TestFallbackErrorComesBack(t *testing.T) {
	var got []error
	program := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		_, err := fx.Model(model.Request{Agent: "desk"})
		got = append(got, err)

		return runtime.Finish{Key: "done"}, fx.Sleep(time.Second)
	})
	models := &troop{fails: map[string]error{
		"a:1": &model.Error{Class: model.Quota, Status: 402, Message: "pay"}, "b:2": of(model.Auth),
		"c:3": &model.Error{Class: model.RateLimit, RetryAfter: time.Hour},
	}}
	store := journal.Memory()
	if _, err := models.engine(store, nil).Run(t.Context(), program, "", ""); err != nil {
		t.Fatal(err)
	}
	all := recordsOf(t, store)
	if _, err := models.engine(cutAt(t, all, len(all)-3), nil).Resume(t.Context(), program, "r1", core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	var first, second *core.FallbackError
	if len(got) != 2 || !errors.As(got[0], &first) || !errors.As(got[1], &second) || second.Error() != first.Error() || len(second.Tried) != len(first.Tried) {
		t.Fatalf("%v", got)
	}
	const text = `all models of agent "desk" have failed: a:1: status 402: pay; b:2: (auth): so; c:3: the model call failed (rate-limit); ` +
		`the provider asks to wait for 1h, and a run waits for 5m at most`
	if second.Error() != text || !errs.Has(got[1], "LongWaitError") || runtime.ErrorType(got[1]) != "FallbackError" || len(models.asked) != 3 {
		t.Errorf("%v after %q", second, models.asked)
	}
}

// TestFallbacksAreReadyBeforehand: all models are opened before anything is spent, and what each of
// them lacks is told, with who wants it. A fallback at another provider gets nothing of the role's
// own.
func TestFallbacksAreReadyBeforehand(t *testing.T) {
	models := &troop{}
	needsKey := func(m model.Model, _ func(string) (string, bool)) (model.Provider, error) {
		return nil, &model.CredentialError{Provider: m.Provider, Variables: []string{strings.ToUpper(m.Provider) + "_API_KEY"}}
	}
	_, err := models.engine(nil, func(c *core.Config) {
		c.Providers = map[string]model.Opener{"a": models.open, "b": needsKey}
	}).Run(t.Context(), asks("x"), "", "")
	var key *model.CredentialError
	var provider *core.MissingProviderError
	if !errors.As(err, &key) || key.Provider != "b" || fmt.Sprint(key.Agents) != "[desk]" ||
		!errors.As(err, &provider) || provider.Provider != "c" || fmt.Sprint(provider.Agents) != "[desk]" || models.asked != nil {
		t.Errorf("%v", err)
	}

	models = &troop{}
	if _, err := models.engine(nil, nil).Run(t.Context(), asks("x"), "", ""); err != nil {
		t.Fatal(err)
	}
	var opened []string
	for _, m := range models.opened {
		opened = append(opened, m.Name+" "+m.Role)
	}
	if got := strings.Join(opened, ","); got != "a:1 default,b:2 ,c:3 " {
		t.Errorf("opened %q", got)
	}
}

// TestFallbackAndBudgets: a turn is one call, whoever answers; what failed attempts took is spent;
// and where money is limited, the price of each model has to be known before the run.
func TestFallbackAndBudgets(t *testing.T) {
	models := &troop{fails: map[string]error{"a:1": of(model.Server)}}
	program := asks("one", "two", "three")
	program.Budget = &runtime.Budget{Calls: 2}
	_, err := models.engine(nil, nil).Run(t.Context(), program, "", "")
	var spent *runtime.BudgetError
	if !errors.As(err, &spent) || spent.Limit != wording.LimitCalls || len(models.asked) != 6 {
		t.Errorf("%v after %q", err, models.asked)
	}

	program.Budget = &runtime.Budget{Tokens: 25} // a turn takes 12, and 8 for the two attempts that fail
	_, err = models.engine(nil, nil).Run(t.Context(), program, "", "")
	if !errors.As(err, &spent) || spent.Limit != wording.LimitTokens || spent.Spent != 40 {
		t.Errorf("%v", err)
	}

	program.Budget = &runtime.Budget{USD: 1}
	models.asked = nil
	_, err = models.engine(nil, func(c *core.Config) {
		c.Price = func(model string) (pricing.Price, bool) { return pricing.Price{}, model != "b:2" }
	}).Run(t.Context(), program, "", "")
	var price *core.MissingPriceError
	if !errors.As(err, &price) || price.Model != "b:2" || fmt.Sprint(price.Agents) != "[desk]" || models.asked != nil {
		t.Errorf("%v after %q", err, models.asked)
	}
}

// TestFallbackOnTheWayKnowsPrices: a budget that nobody could know of before is not spent by a
// fallback of unknown price either.
func TestFallbackOnTheWayKnowsPrices(t *testing.T) {
	models := &troop{fails: map[string]error{"a:1": of(model.Server)}}
	fx, err := models.engine(nil, func(c *core.Config) {
		c.Price = func(model string) (pricing.Price, bool) { return pricing.Price{}, model == "a:1" }
	}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer fx.Limit("x", "", &runtime.Budget{USD: 1})()
	_, err = fx.Model(model.Request{Agent: "desk"})
	var price *core.MissingPriceError
	if !errors.As(err, &price) || price.Model != "b:2" || models.asked != nil {
		t.Errorf("%v after %q", err, models.asked)
	}
}

// TestNoFallbackAfterTheEnd: a run that is over asks nobody else, nor does a step whose time is up.
func TestNoFallbackAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	asked := make(chan struct{}, 9) // by goroutines that the run does not wait for, and that may not have begun when it is over
	open := func(model.Model, func(string) (string, bool)) (model.Provider, error) {
		return model.ProviderFunc(func(ctx context.Context, r model.Request) (model.Reply, error) {
			asked <- struct{}{}
			if r.Timeout == 0 {
				cancel(cause)
			}
			<-ctx.Done()

			return model.Reply{}, of(model.Network)
		}), nil
	}
	models := &troop{}
	fx, err := models.engine(nil, func(c *core.Config) {
		c.Providers = map[string]model.Opener{"a": open, "b": models.open, "c": models.open}
	}).Effects(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fx.Model(model.Request{Agent: "desk", Timeout: time.Millisecond})
	var late *runtime.TimeoutError
	if !errors.As(err, &late) {
		t.Errorf("%v", err)
	}
	if _, err := fx.Model(model.Request{Agent: "desk"}); err != cause {
		t.Errorf("%v", err)
	}
	<-asked
	<-asked
	if len(asked) > 0 || models.asked != nil {
		t.Errorf("asked %d times more, and %q", len(asked), models.asked)
	}
}

// TestCarry: what a provider wants back comes back to it, from a journal too, and to no other
// provider.
func TestCarry(t *testing.T) {
	var got []string
	models := &troop{fails: map[string]error{}}
	open := func(m model.Model, env func(string) (string, bool)) (model.Provider, error) {
		p, err := models.open(m, env)

		return model.ProviderFunc(func(ctx context.Context, r model.Request) (model.Reply, error) {
			for _, message := range r.Messages {
				got = append(got, m.Provider+" gets "+message.Carry)
			}
			reply, err := p.Chat(ctx, r)
			reply.Carry = "secret of " + m.Provider + "\x00\xff"

			return reply, err
		}), err
	}
	program := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var messages []model.Message
		for turn := range 3 {
			reply, err := fx.Model(model.Request{Agent: "desk", Turn: turn, Messages: messages})
			if err != nil {
				return runtime.Finish{}, err
			}
			messages = append(messages[:turn:turn], model.Message{Role: model.RoleAssistant, Text: reply.Text, Carry: reply.Carry})
			if turn == 1 {
				models.fails["a:1"] = of(model.Auth)
			}
		}

		return said("x")
	})
	store := journal.Memory()
	config := func(c *core.Config) { c.Providers = map[string]model.Opener{"a": open, "b": open, "c": open} }
	if _, err := models.engine(store, config).Run(t.Context(), program, "", ""); err != nil {
		t.Fatal(err)
	}
	const own, third = "a gets secret of a\x00\xff", "a gets secret of a\x00\xff|a gets secret of a\x00\xff|b gets |b gets "
	if all := strings.Join(got, "|"); all != own+"|"+third {
		t.Errorf("%q", all)
	}

	// The last turn again, in another process.
	records, last := recordsOf(t, store), 0
	for i, r := range records {
		if r.Type == journal.Intent {
			last = i
		}
	}
	got = nil
	if _, err := models.engine(cutAt(t, records, last), config).Resume(t.Context(), program, "r1", core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(got, "|"); all != third {
		t.Errorf("after a resume: %q", all)
	}
}

// TestRefusedRepliesFail: a reply that a provider took for one is none if it has not come to a good
// end; what it used is spent.
func TestRefusedRepliesFail(t *testing.T) {
	for reason, class := range map[string]model.Class{
		model.ReasonRefusal: model.Refused, model.ReasonFilter: model.Refused, "error": model.Server,
	} {
		models := &troop{reply: model.Reply{StopReason: reason}}
		seen := &watcher{}
		_, err := models.engine(nil, func(c *core.Config) { c.Observer = seen }).Run(t.Context(), asks("x"), "", "")
		var failed *model.Error
		if !errors.As(err, &failed) || failed.Class != class || failed.StopReason != reason || failed.Model != "a:1" {
			t.Errorf("%s: %v", reason, err)
		}
		if attempts := len(models.asked); attempts > 1 != (class == model.Server) {
			t.Errorf("%s: %d attempts", reason, attempts)
		}
		if last := seen.events[len(seen.events)-1]; last.Usage.Input != 10*len(models.asked) {
			t.Errorf("%s: %+v", reason, last)
		}
	}
}
