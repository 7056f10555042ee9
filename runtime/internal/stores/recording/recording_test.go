package recording_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// made is an exchange as an engine has it.
type made struct {
	at      string
	request model.Request
	reply   model.Reply
	err     error
}

func user(text string) model.Message { return model.Message{Role: model.RoleUser, Text: text} }

// asking is a request of an agent with messages.
func asking(agent string, messages ...model.Message) model.Request {
	return model.Request{Agent: agent, System: "You are " + agent + ".", Messages: messages}
}

func of(name string, r model.Request) model.Request {
	r.Model = &model.Choice{Name: name}

	return r
}

// record records runs into a file, one after the other.
func record(t *testing.T, path string, runs ...[]made) {
	t.Helper()
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		s, err := r.Begin("desk", "s1", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range run {
			s.Record(m.at, &m.request, m.reply, m.err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

func recorded(t *testing.T, runs ...[]made) *recording.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	record(t, path, runs...)
	r, err := recording.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Path = "r.jsonl"

	return r
}

func text(s string) model.Reply { return model.Reply{Text: s, StopReason: "stop"} }

// play asks a player and returns what was said, or the error.
func play(p *recording.Player, at string, r model.Request) string {
	reply, err := p.Model(&r, at)
	if err != nil {
		return err.Error()
	}

	return reply.Text
}

// TestEqualRequests: they get their replies in the order in which they were recorded, and then an error.
func TestEqualRequests(t *testing.T) {
	r := recorded(t, []made{
		{at: "1", request: asking("a", user("x")), reply: text("first")},
		{at: "2", request: asking("a", user("x")), reply: model.Reply{Usage: model.Usage{Input: 5, Cached: 1}, Cost: 9}, err: &model.Error{
			Class: model.RateLimit, Status: 429, Message: "slow", RetryAfter: time.Second, Model: "acme:m",
		}},
		{at: "2", request: asking("a", user("x")), reply: text("third")},
		{at: "3", request: asking("a", user("y")), reply: text("other")},
		{at: "4", request: asking("a", user("z")), err: &runtime.TimeoutError{What: "the model", After: time.Minute}},
	})
	p := r.Play(nil)
	ask := asking("a", user("x"))
	if got := play(p, "1", ask); got != "first" {
		t.Error(got)
	}
	var failed *model.Error
	if used, err := p.Model(&ask, "2"); used.Usage.Input != 5 || used.Usage.Cached != 1 || used.Cost != 9 || used.Model != "acme:m" || !errors.As(err, &failed) || failed.Status != 429 || failed.RetryAfter != time.Second || failed.Message != "slow" ||
		!failed.Retryable() {
		t.Errorf("%#v", failed)
	}
	if got := play(p, "2", ask); got != "third" {
		t.Error(got)
	}
	var spent *recording.SpentError
	if _, err := p.Model(&ask, "9"); !errors.As(err, &spent) || spent.Times != 3 || spent.Line != 4 || spent.Agent != "a" || spent.At != "9" {
		t.Errorf("%v", err)
	}
	if !runtime.EndsRun(spent) {
		t.Error("a group may make up for a recording that is spent")
	}
	if got := play(p, "3", asking("a", user("y"))); got != "other" {
		t.Error(got)
	}
	var late *runtime.TimeoutError
	late4 := asking("a", user("z"))
	if _, err := p.Model(&late4, "4"); !errors.As(err, &late) || late.After != time.Minute || late.What != "the model" {
		t.Errorf("%v", err)
	}
	if again := r.Play(nil); play(again, "1", ask) != "first" {
		t.Error("another run does not begin at the beginning")
	}
}

// TestWhatCounts: what a model is told and what is set of it make a request another; ids, providers and what only an engine knows do not.
func TestWhatCounts(t *testing.T) {
	half, one, ten := 0.5, 1.0, 10
	base := func() model.Request {
		return model.Request{
			Agent: "a", Turn: 1, Input: "in", System: "s", Schema: `{"type":"string"}`,
			Model: &model.Choice{Role: "worker", Name: "openai:m", Settings: model.Settings{Temperature: &half, MaxTokens: &ten}},
			Tools: []model.Tool{{Name: "t", Description: "d", Schema: `{"type":"object"}`}},
			Messages: []model.Message{
				user("x"),
				{Role: model.RoleAssistant, Text: "y", Calls: []model.ToolCall{{ID: "i", Name: "t", Args: "{}"}, {ID: "i", Name: "t", Args: "{}"}}, Carry: "c"},
				{Role: model.RoleTool, CallID: "i", Name: "t", Text: "r"},
				{Role: model.RoleTool, CallID: "i", Name: "t", Text: "r", Failed: true},
			},
		}
	}
	r := recorded(t, []made{{at: "1", request: base(), reply: text("yes")}})
	same := map[string]func(*model.Request){
		"agent":       func(r *model.Request) { r.Agent = "b" },
		"turn":        func(r *model.Request) { r.Turn = 7 },
		"input":       func(r *model.Request) { r.Input = "else" },
		"provider":    func(r *model.Request) { r.Model.Name = "azure:m" },
		"no model":    func(r *model.Request) { r.Model.Name = "" },
		"a recording": func(r *model.Request) { r.Model.Name = "replay:r.jsonl" },
		"role":        func(r *model.Request) { r.Model.Role = "thinker" },
		"carry":       func(r *model.Request) { r.Messages[1].Carry = "" },
		"timeout":     func(r *model.Request) { r.Timeout = time.Second },
		"ids": func(r *model.Request) {
			r.Messages[1].Calls[0].ID, r.Messages[2].CallID = "one", "one"
			r.Messages[1].Calls[1].ID, r.Messages[3].CallID = "two", "two"
		},
	}
	other := map[string]func(*model.Request){
		"model":       func(r *model.Request) { r.Model.Name = "openai:n" },
		"temperature": func(r *model.Request) { r.Model.Temperature = &one },
		"length":      func(r *model.Request) { r.Model.MaxTokens = nil },
		"system":      func(r *model.Request) { r.System = "S" },
		"schema":      func(r *model.Request) { r.Schema = "" },
		"tool":        func(r *model.Request) { r.Tools[0].Name = "u" },
		"description": func(r *model.Request) { r.Tools[0].Description = "" },
		"tool schema": func(r *model.Request) { r.Tools[0].Schema = "{}" },
		"no tools":    func(r *model.Request) { r.Tools = nil },
		"text":        func(r *model.Request) { r.Messages[0].Text = "X" },
		"role":        func(r *model.Request) { r.Messages[0].Role = model.RoleAssistant },
		"fewer":       func(r *model.Request) { r.Messages = r.Messages[:3] },
		"more":        func(r *model.Request) { r.Messages = append(r.Messages, user("z")) },
		"order":       func(r *model.Request) { r.Messages[2], r.Messages[3] = r.Messages[3], r.Messages[2] },
		"name":        func(r *model.Request) { r.Messages[2].Name = "u" },
		"failed":      func(r *model.Request) { r.Messages[2].Failed = true },
		"args":        func(r *model.Request) { r.Messages[1].Calls[1].Args = "{ }" },
		"call":        func(r *model.Request) { r.Messages[1].Calls[1].Name = "u" },
		"which call":  func(r *model.Request) { r.Messages[1].Calls[1].ID = "j"; r.Messages[2].CallID = "j" },
	}
	for name, change := range same {
		q := base()
		change(&q)
		if got := play(r.Play(nil), "1", q); got != "yes" {
			t.Errorf("%s makes another request of it: %s", name, got)
		}
	}
	for name, change := range other {
		q := base()
		change(&q)
		var miss *recording.MissError
		if _, err := r.Play(nil).Model(&q, "1"); !errors.As(err, &miss) || miss.Diff == "" || miss.Line != 2 || !runtime.EndsRun(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBranches: each branch hears what it heard then, however fast the others are; what no branch of its number has asked is taken from all.
func TestBranches(t *testing.T) {
	q := asking("a", user("x"))
	r := recorded(t, []made{
		{at: "2.1.1", request: q, reply: text("one")}, {at: "2.0.1", request: q, reply: text("zero")},
		{at: "2.1.2", request: q, reply: text("one again")}, {at: "5.0.1", request: q, reply: text("zero again")},
	})
	for _, order := range [][]string{{"2.0.1", "2.1.1", "2.1.2", "5.0.1"}, {"2.1.1", "2.0.1", "5.0.1", "2.1.2"}} {
		p, got := r.Play(nil), map[string]string{}
		for _, at := range order {
			got[at] = play(p, at, q)
		}
		for at, want := range map[string]string{"2.0.1": "zero", "2.1.1": "one", "2.1.2": "one again", "5.0.1": "zero again"} {
			if got[at] != want {
				t.Errorf("%v: %s hears %q", order, at, got[at])
			}
		}
		var spent *recording.SpentError
		if _, err := p.Model(&q, "7.0.1"); !errors.As(err, &spent) || spent.Times != 2 {
			t.Error(err)
		}
		for _, want := range []string{"zero", "one", "one again", "zero again"} {
			if got := play(p, "8.4.1", q); got != want {
				t.Errorf("branch 4 hears %q, not %q", got, want)
			}
		}
	}
}

// TestModelsApart: equal requests to several models keep apart; a model that nobody knows is any.
func TestModelsApart(t *testing.T) {
	q := asking("a", user("x"))
	r := recorded(t, []made{
		{at: "1", request: of("acme:one", q), reply: text("1")}, {at: "2", request: of("acme:two", q), reply: text("2")},
		{at: "3", request: q, reply: text("any")},
	})
	p := r.Play(nil)
	for _, c := range []struct{ model, want string }{{"acme:two", "2"}, {"other:one", "1"}, {"acme:two", "any"}, {"replay:f", "1"}, {"", "2"}} {
		if got := play(p, "9", of(c.model, q)); got != c.want {
			t.Errorf("%s says %q, not %q", c.model, got, c.want)
		}
	}
}

// TestReplies: what a model said comes back as it was, but for the ids of calls.
func TestReplies(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	calls := []model.ToolCall{
		{ID: "abc", Name: "search", Args: `{"q":"a < b & c","n":1.50}`}, {ID: "abc", Name: "search", Args: `{"half`}, {Name: "none"},
		{ID: "x", Name: "spaced", Args: "{ \"a\": 1 }\n"}, {ID: "x", Name: "text", Args: `"q"`}, {ID: "x", Name: "null", Args: "null"},
		{ID: "x", Name: "deep", Args: deep}, {ID: "x", Name: "list", Args: "[1,\"\u2028\"]"},
	}
	reply := model.Reply{
		Text: "line\nline\u2028 <b> \x00", Calls: calls, StopReason: "tool_calls", Model: "acme:m-1", Cost: 12, Carry: "secret thoughts",
		Usage: model.Usage{Input: 1, Output: 2, Cached: 3, Stored: 4},
	}
	first := asking("a", user("x"))
	second := asking("a", user("x"), model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: calls},
		model.Message{Role: model.RoleTool, CallID: "abc", Name: "search", Text: "hit"})
	r := recorded(t, []made{{at: "1", request: first, reply: reply}, {at: "2", request: second, reply: model.Reply{Calls: calls[:1]}}})
	p := r.Play(nil)
	got, err := p.Model(&first, "1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Calls {
		if want := string(rune('1' + i)); got.Calls[i].ID != want || got.Calls[i].Name != calls[i].Name || got.Calls[i].Args != calls[i].Args {
			t.Errorf("call %d is %+v", i, got.Calls[i])
		}
	}
	second.Messages[1].Calls, second.Messages[2].CallID = got.Calls, "1"
	next, err := p.Model(&second, "2")
	if err != nil || len(next.Calls) != 1 || next.Calls[0].ID != "9" {
		t.Errorf("%+v %v", next.Calls, err)
	}
	got.Calls, reply.Calls, reply.Carry = nil, nil, ""
	if !bytes.Equal([]byte(got.Text), []byte(reply.Text)) || got.Usage != reply.Usage || got.Cost != 12 || got.Model != reply.Model || got.Carry != "" ||
		got.StopReason != reply.StopReason {
		t.Errorf("%+v", got)
	}
}

// TestNoUTF8: bytes that are no text become the same ones in requests and replies, so that what follows a reply is found.
func TestNoUTF8(t *testing.T) {
	first := asking("a", user("x\xff"))
	said := "y\xfe\xff"
	second := asking("a", user("x\xff"), model.Message{Role: model.RoleAssistant, Text: said})
	p := recorded(t, []made{{at: "1", request: first, reply: text(said)}, {at: "2", request: second, reply: text("end")}}).Play(nil)
	heard := play(p, "1", first)
	if got := play(p, "2", asking("a", user("x\xff"), model.Message{Role: model.RoleAssistant, Text: heard})); got != "end" {
		t.Error(got)
	}
}

// TestSecrets: no spelling of a secret gets into the file, and who has the secret is answered.
func TestSecrets(t *testing.T) {
	const key = "sk-0123456789/abc"
	redactor := redact.New(redact.Secret{Name: "ACME_API_KEY", Value: key}, redact.Secret{Name: "SHORT", Value: "abc"})
	secrets := func() *redact.Redactor { return redactor }
	q := model.Request{
		Agent: "a", System: "never say " + key, Tools: []model.Tool{{Name: "t", Description: key, Schema: `{"const":"` + key + `"}`}},
		Schema:   `{"const":"` + key + `"}`,
		Messages: []model.Message{user("the key is " + key), {Role: model.RoleTool, Text: "sk-0123456789%2Fabc", Name: key}},
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Begin("desk", "", secrets)
	if err != nil {
		t.Fatal(err)
	}
	s.Record("1", &q, model.Reply{Text: "it is " + key, Model: key, StopReason: key, Calls: []model.ToolCall{{ID: key, Name: key, Args: `{"k":"` + key + `"}`}}}, nil)
	s.Record("2", &q, model.Reply{}, &model.Error{Message: "bad key " + key, Model: key, Agent: key, RequestID: key})
	s.Record("3", &q, model.Reply{}, &model.Error{Err: errors.New("bad key " + key)})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil || bytes.Contains(file, []byte("0123456789")) || !bytes.Contains(file, []byte("${ACME_API_KEY}")) {
		t.Errorf("%v\n%s", err, file)
	}
	back, err := recording.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := back.Play(secrets)
	if got := play(p, "1", q); got != "it is ${ACME_API_KEY}" {
		t.Error(got)
	}
	if got := play(p, "2", q); !strings.Contains(got, "bad key ${ACME_API_KEY}") {
		t.Error(got)
	}
	q.Messages[0].Text += "!"
	if got := play(p, "2", q); strings.Contains(got, "0123456789") || !strings.Contains(got, "+the key is ${ACME_API_KEY}!") {
		t.Error(got)
	}
}
