package openai_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// otherSecret is the key of the second server.
const otherSecret = "sk-other-fedcba9876543210"

// clerk is a program as the compiler makes it of one react agent, whose role has a model and one that stands in for it.
func clerk() *compiled.Program {
	spec := &rt.ReactSpec{Agent: "clerk", Prompt: "You are a clerk.", MaxIter: 5, Repair: 1, Model: &model.Choice{Role: "default"}}

	return &compiled.Program{
		Name: "clerk", Entry: "clerk", Shape: "s", Text: "t", HasModels: true,
		Models: []compiled.Role{{Role: "default", Name: "openai:m", Fallback: []string{"other:n"}}},
		Prices: &model.Prices{Models: []model.Price{
			{Name: "openai:*", Input: 2e6, Output: 1e6, Cached: 1e6, Stored: 2e6}, {Name: "other:n", Input: 1e6, Output: 1e6},
		}},
		Openers: map[string]model.Opener{"openai": openai.Open, "other": openai.Open},
		Agents: []compiled.Agent{{
			Name: "clerk", Pattern: "react", Model: spec.Model,
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return spec.Run(fx, nil, input, rt.Place{})
			},
		}},
	}
}

// office is an engine for it, with two servers and a folder for journals.
type office struct {
	first, second *wiretest.Server
	folder        string
	seen          told
}

func (o *office) engine(t *testing.T, change func(*core.Config)) *core.Engine {
	t.Helper()
	config := core.Config{
		Env: env("AGENTC_PROVIDER_OPENAI_BASE_URL", o.first.URL, "AGENTC_PROVIDER_OTHER_BASE_URL", o.second.URL,
			"AGENTC_MODEL_DEFAULT_API_KEY", secret, "OTHER_API_KEY", otherSecret),
		Store: journal.Files(o.folder), Observer: &o.seen, Clock: clock.NewSkip(time.Unix(1e9, 0)), Retry: model.Retry{Attempts: 4},
		RunID: func() string { return "r1" },
	}
	if change != nil {
		change(&config)
	}

	return core.New(config)
}

// told is an observer that remembers: events, and all that stands in them.
type told struct {
	events []event.Event
	lines  strings.Builder
}

func (o *told) Observe(e event.Event) {
	o.events = append(o.events, e)
	fmt.Fprintf(&o.lines, "%s %+v\n", e.AppendJSON(nil), e)
}

// noKeys looks for keys in what a run has told, in its journal and in its error, all that it wraps included.
func (o *office) noKeys(t *testing.T, err error) {
	t.Helper()
	var all strings.Builder
	all.WriteString(o.seen.lines.String())
	fmt.Fprintf(&all, "%v %+v %#v", err, err, err)
	walked := filepath.WalkDir(o.folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)

		return err
	})
	if walked != nil || !strings.Contains(all.String(), "agentc journal") {
		t.Fatalf("no journal: %v", walked)
	}
	for _, key := range []string{secret, otherSecret} {
		if at := strings.Index(all.String(), key[:14]); at >= 0 {
			t.Errorf("a key stands in …%q…", all.String()[max(at-200, 0):at+20])
		}
	}
}

const signature = `{"google":{"thought_signature":"abc=="}}`

// starts are the parts of a reply that calls start, with a signature.
var starts = []string{
	`{"model":"m-1","choices":[{"delta":{"content":"Let me "}}]}`, `{"choices":[{"delta":{"content":"see."}}]}`,
	`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"start","arguments":"{}"},"extra_content":` + signature + `}]}}]}`,
	`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`,
	`{"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":10}}}`, "[DONE]",
}

// TestARunOverTheNetwork: a program asks a server that is overloaded, breaks off and then answers; the next turn it refuses for good, and
// another server answers in its place. What was written was told while it was written, what it took is known, and keys are nowhere.
func TestARunOverTheNetwork(t *testing.T) {
	finish := model.ToolCall{ID: "call_9", Name: "finish", Args: `{"key":"done","value":"Filed."}`}
	o := &office{folder: t.TempDir()}
	o.first = wiretest.Serve(t,
		chatwire.Refuse(429, "rate_limit", "", "slow down, "+secret, "Retry-After", "7"),
		chatwire.Refuse(529, "overloaded_error", "", "too many of you"),
		wiretest.Cut(wiretest.Events(starts...), 90),
		wiretest.Events(starts...),
		chatwire.Refuse(401, "auth", "", "no more, "+secret),
	)
	o.second = wiretest.Serve(t, chatwire.Reply(model.Reply{
		Text: "Done.", Calls: []model.ToolCall{finish}, Usage: model.Usage{Input: 30, Output: 6},
	}))
	fin, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	if err != nil || fin.Value != "Filed." {
		t.Fatalf("%+v, %v", fin, err)
	}

	var path []string
	for _, e := range o.seen.events {
		switch e.Kind {
		case event.Delta:
			path = append(path, "delta "+e.Address+" "+e.Text)
		case event.Retry:
			path = append(path, fmt.Sprintf("retry %s %d %s", e.Address, e.Count, e.Name))
			if strings.Contains(e.Problem, "429") && e.Wait < 7*time.Second {
				t.Errorf("asked again after %v", e.Wait)
			}
		case event.Model:
			path = append(path, fmt.Sprintf("model %s %s %+v $%d %s", e.Address, e.Name, e.Usage, e.Cost, e.Reason))
		}
	}
	want := []string{
		"retry 1 1 ", "retry 1 2 ", "delta 1 Let me ", "retry 1 3 ", "delta 1 Let me ", "delta 1 see.",
		"model 1 openai:m-1 {Input:20 Output:4 Cached:10 Stored:0 Estimated:false} $34 tool_calls",
		"retry 2 1 other:n", "delta 2 Done.", "model 2 other:n {Input:30 Output:6 Cached:0 Stored:0 Estimated:false} $36 tool_calls",
	}
	if strings.Join(path, "\n") != strings.Join(want, "\n") {
		t.Errorf("the run went\n%s\nwant\n%s", strings.Join(path, "\n"), strings.Join(want, "\n"))
	}
	o.noKeys(t, err)
	o.checkRequests(t)
	o.checkResume(t)
}

// checkRequests: each server has got its own key, and the signature only the one that has made it.
func (o *office) checkRequests(t *testing.T) {
	t.Helper()
	for key, server := range map[string]*wiretest.Server{secret: o.first, otherSecret: o.second} {
		for i, r := range server.Requests() {
			if got := r.Header.Get("Authorization"); got != "Bearer "+key {
				t.Errorf("request %d has the key %q", i, got)
			}
		}
		conversation := lastRequest(t, server)
		extra := ""
		if key == secret {
			extra = signature
		}
		if !conversation.Stream || len(conversation.Messages) != 4 || string(conversation.Messages[2].Calls[0].Extra) != extra {
			t.Errorf("%+v", conversation)
		}
	}
	if n, m := len(o.first.Requests()), len(o.second.Requests()); n != 5 || m != 1 {
		t.Errorf("%d and %d requests", n, m)
	}
}

// checkResume: a copy of the run that has lost its end asks nobody for what is recorded; one that has lost the second turn asks again
// for that alone, and the signature is there for it.
func (o *office) checkResume(t *testing.T) {
	t.Helper()
	written, err := journal.Read(t.Context(), journal.Files(o.folder), "r1")
	if err != nil {
		t.Fatal(err)
	}
	lastIntent := 0
	for i, r := range written.Records {
		if r.Type == journal.Intent {
			lastIntent = i
		}
	}
	for _, n := range []int{len(written.Records) - 1, lastIntent} {
		copied := journal.Memory()
		w, err := journal.Create(t.Context(), copied, "r1", written.Records[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range written.Records[1:n] {
			w.Append(r)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		before := len(o.first.Requests())
		fin, err := o.engine(t, func(c *core.Config) { c.Store = copied }).Resume(t.Context(), clerk(), "r1", core.ResumeOptions{})
		if err != nil || fin.Value != "Filed." {
			t.Errorf("after %d records: %+v, %v", n, fin, err)
		}
		if asked := len(o.first.Requests()) - before; asked > 1 || (asked == 1) != (n == lastIntent) {
			t.Errorf("after %d records: %d requests", n, asked)
		}
	}
	if extra := string(lastRequest(t, o.first).Messages[2].Calls[0].Extra); extra != signature {
		t.Errorf("after a resume the signature is %q", extra)
	}
}

// TestAFailingRunTellsNoKeys: whatever the servers write back, keys are in nothing that a run leaves behind, its error included.
func TestAFailingRunTellsNoKeys(t *testing.T) {
	failed := 0
	for _, answer := range echoes() {
		o := &office{folder: t.TempDir()}
		o.first = wiretest.Serve(t, answer)
		o.second = wiretest.Serve(t, chatwire.Refuse(403, "auth", "code", "who is "+otherSecret+"?", "X-Request-Id", otherSecret))
		_, err := o.engine(t, func(c *core.Config) { c.Retry.Attempts = 2 }).Run(t.Context(), clerk(), "", "File this.")
		var all *core.FallbackError
		if errors.As(err, &all) {
			failed++
		}
		o.noKeys(t, err)
	}
	if failed < 15 { // the others refuse, or answer what the loop cannot use
		t.Errorf("only %d runs failed with both models", failed)
	}
}

// TestTextThatIsCutOff: text that ends where the length of a reply ends is no result, however it comes.
func TestTextThatIsCutOff(t *testing.T) {
	cut := chatwire.Reply(model.Reply{Text: "The result is", StopReason: "length"})
	o := &office{folder: t.TempDir(), first: wiretest.Serve(t, cut), second: wiretest.Serve(t, cut)}
	_, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	var unfit *runtime.OutputError
	if !errors.As(err, &unfit) || !strings.Contains(err.Error(), "not complete") || len(o.first.Requests()) != 2 {
		t.Errorf("%v after %d requests", err, len(o.first.Requests()))
	}
}
