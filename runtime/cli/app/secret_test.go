package app

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/files"
	"github.com/agentc-dev/agentc/runtime/tools/shell"
	"github.com/agentc-dev/agentc/runtime/tools/web"
)

// secretVars are what a careful program has to keep to itself: the key of its models, a variable that a skill declares, one that an agent
// does, and a key that only lies in the environment.
var secretVars = map[string]string{
	"OPENAI_API_KEY":  "sk-proj-0123456789/abc+def==",
	"SEARCH_TOKEN":    `token "quoted" & spaced/é\ 42`,
	"PAGER_PASSWORD":  "pager-9876543210-password",
	"UNUSED_API_KEY":  "key-that-lies-about-0a1b2c3d",
	"SECOND_LINE_KEY": "first line of a key\nsecond line of a key",
}

// shownAs is a text in every way that is looked for.
func shownAs(text string) map[string]string {
	ways := map[string]string{}
	add := func(name, s string) { ways[name] = s }
	asJSON := func(s string) string {
		quoted, _ := json.Marshal(s)

		return string(quoted[1 : len(quoted)-1])
	}
	add("plain", text)
	add("JSON", asJSON(text))
	add("JSON in JSON", asJSON(asJSON(text)))
	add("Go", strings.Trim(fmt.Sprintf("%q", text), `"`))
	add("query", url.QueryEscape(text))
	add("path", url.PathEscape(text))
	add("hex", hex.EncodeToString([]byte(text)))
	for before := range 3 { // what only the text decides, wherever it stands in what was encoded
		all := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + text + strings.Repeat("x", 3)))
		first, last := (before*8+5)/6, (before+len(text))*8/6
		add(fmt.Sprint("base64 ", before), all[first:last])
	}

	return ways
}

// echo answers with all that it was sent, and with all secrets, written in every way.
func echo(status int) wiretest.Answer {
	return func(w http.ResponseWriter, r *wiretest.Request) {
		var out strings.Builder
		fmt.Fprintf(&out, "%s %s?%s\n%s\n", r.Method, r.Path, r.Query, r.Body)
		for name, values := range r.Header {
			fmt.Fprintf(&out, "%s: %s\n", name, values)
			for _, value := range values {
				for way, text := range shownAs(value) {
					fmt.Fprintf(&out, "%s: %s\n", way, text)
				}
			}
		}
		out.WriteString(allSecrets())
		wiretest.Body(status, "text/plain", out.String())(w, r)
	}
}

// allSecrets is a text with every secret in every way.
func allSecrets() string {
	var out strings.Builder
	for name, value := range secretVars {
		for way, text := range shownAs(value) {
			fmt.Fprintf(&out, "%s as %s: %s\n", name, way, text)
		}
	}

	return out.String()
}

// ownKey is all that a server of models knows, as often as there is room.
func ownKey() string { return strings.Repeat(secretVars["OPENAI_API_KEY"]+" or ", 50) }

// spilling is a program that cannot keep anything to itself.
type spilling struct {
	// web is what its http tools may reach.
	web string
}

func (s spilling) Program() *compiled.Program {
	choice := &model.Choice{Role: "default"}
	spill := &runtime.ToolSpec{Name: "spill", Input: `{"type":"object"}`, Effect: runtime.EffectRead, OnUnknown: "retry"}
	skill := &rt.SkillSpec{
		Name: "everything", Description: "Everything.", Body: "Call what you like.", Vars: []string{"SEARCH_TOKEN", "SECOND_LINE_KEY"},
		Tools: []*runtime.ToolSpec{spill},
	}
	for _, name := range []string{"bash", "files_read", "files_write", "http_get", "http_post"} {
		skill.Tools = append(skill.Tools, rt.Builtin(name))
	}
	clerk := &rt.ReactSpec{Agent: "clerk", Model: choice, Prompt: "Work.", MaxIter: 9, Skills: []*rt.SkillSpec{skill}}

	return &compiled.Program{
		Name: "spilling", Entry: "clerk", Shape: "s1", Text: "t1", HasModels: true, Funcs: []string{"spill"},
		Models:    []compiled.Role{{Role: "default", Name: "openai:m"}},
		Providers: []compiled.Provider{{Name: "openai"}},
		Vars:      []string{"PAGER_PASSWORD", "SEARCH_TOKEN", "SECOND_LINE_KEY"},
		Openers:   map[string]model.Opener{"openai": openai.Open},
		Builtins: tools.On(files.Tools{Root: "workspace"}, web.Tools{Allow: []string{s.web}, Timeout: time.Second},
			shell.Tools{Dir: "workspace"}),
		Agents: []compiled.Agent{
			{Name: "clerk", Pattern: "react", Model: choice, Env: []string{"PAGER_PASSWORD"},
				Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
					return clerk.Run(fx, spillTool, input, rt.Place{})
				}},
			{Name: "function", Pattern: "workflow", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				_, err := fx.Call(runtime.FuncCall{Name: "spill", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
					return nil, spillsError(input)
				}})

				return runtime.Finish{}, err
			}},
			{Name: "group", Pattern: "parallel", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return runtime.Finish{}, fx.Parallel(2, 0, func(int, runtime.Effects) error { return spillsError(input) })
			}},
			{Name: "guard", Pattern: "fsm", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				verdict, err := fx.Guard(runtime.GuardCall{Name: "g", Run: func(context.Context) (runtime.Verdict, error) {
					return runtime.Verdict{}, spillsError(input)
				}})

				return runtime.Finish{Value: verdict.Reason}, err
			}},
			{Name: "orchestrator", Pattern: "workflow", Run: func(_ runtime.Effects, input string) (runtime.Finish, error) {
				return runtime.Finish{}, spillsError(input)
			}},
		},
	}
}

// spillsError fails or panics with all secrets.
func spillsError(how string) error {
	switch how {
	case "panic":
		panic(allSecrets())
	case "panic with an error":
		panic(fmt.Errorf("wrapped: %w", errors.New(allSecrets())))
	}

	return errors.New(allSecrets())
}

func spillTool(_ context.Context, _ string, args json.RawMessage) (runtime.ToolResult, error) {
	var in struct{ How string }
	if err := json.Unmarshal(args, &in); err != nil {
		return runtime.ToolResult{}, err
	}
	if in.How == "result" {
		return runtime.ToolResult{Text: allSecrets()}, nil
	}
	if in.How == "JSON" {
		text, err := json.Marshal(secretVars)

		return runtime.ToolResult{Text: string(text), JSON: true}, err
	}

	return runtime.ToolResult{}, spillsError(in.How)
}

// calls is a model that calls a tool and then never ends well, so that the run fails.
func calls(tool, args string) []wiretest.Answer {
	return []wiretest.Answer{
		chatwire.Reply(model.Reply{Calls: []model.ToolCall{{ID: "c1", Name: "read_skill", Args: `{"name":"everything"}`}}}),
		chatwire.Reply(model.Reply{Text: "marked text", Calls: []model.ToolCall{{ID: "c2", Name: tool, Args: args}}}),
		chatwire.Refuse(400, "invalid_request_error", "", "no more of this, "+ownKey()),
	}
}

// TestNothingThatAFailingRunWritesHasAKey: whatever fails, and however a secret is written, neither what the run prints nor what it leaves
// on the disk has it, nor does a model hear of it.
func TestNothingThatAFailingRunWritesHasAKey(t *testing.T) {
	const get = `{"url":"URL/a?b=${SEARCH_TOKEN}","headers":{"X-Token":"${SEARCH_TOKEN}"}}`
	for name, c := range map[string]struct {
		model []wiretest.Answer
		web   wiretest.Answer
		agent string
		task  string
		env   map[string]string
		// sent is what the journal has of a call: what the model wrote. spoilt says that the run does not begin, quiet that nobody
		// but a model's server, whose client hides its key itself, says anything secret.
		sent          string
		spoilt, quiet bool
	}{
		"a page":                         {model: calls("http_get", get), web: echo(200), sent: "b=${SEARCH_TOKEN}"},
		"a page that says no":            {model: calls("http_get", get), web: echo(500), sent: "b=${SEARCH_TOKEN}"},
		"a redirect":                     {quiet: true, model: calls("http_get", get), web: wiretest.Redirect(302, "http://10.0.0.1/"+url.PathEscape(allSecrets()[:600]))},
		"no HTTP":                        {quiet: true, model: calls("http_get", get), web: wiretest.Raw("HTTP/1.1 " + strings.ReplaceAll(allSecrets(), "\n", " "))},
		"a page that is cut":             {quiet: true, model: calls("http_get", get), web: wiretest.Cut(echo(200), 700)},
		"a page that is not text":        {quiet: true, model: calls("http_get", get), web: wiretest.Body(200, "image/"+url.PathEscape(secretVars["OPENAI_API_KEY"]), "x")},
		"an answer to a body":            {model: calls("http_post", `{"url":"URL/","body":"{\"t\":\"${SEARCH_TOKEN}\"}"}`), web: echo(200), sent: `${SEARCH_TOKEN}`},
		"a variable that is not allowed": {quiet: true, model: calls("http_get", `{"url":"URL/${PAGER_PASSWORD}"}`), web: echo(200), sent: `${PAGER_PASSWORD}`},
		"a header that is injected":      {quiet: true, model: calls("http_get", `{"url":"URL/","headers":{"X-Token":"${SECOND_LINE_KEY}"}}`), web: echo(200)},
		"a tool's result":                {model: calls("spill", `{"how":"result"}`)},
		"a tool's JSON":                  {model: calls("spill", `{"how":"JSON"}`)},
		"a tool's error":                 {model: calls("spill", `{"how":"error"}`)},
		"a tool's panic":                 {model: calls("spill", `{"how":"panic"}`)},
		"a tool's panic with an error":   {model: calls("spill", `{"how":"panic with an error"}`)},
		"a file":                         {model: calls("files_read", `{"path":"keys.txt"}`)},
		"a command":                      {model: calls("bash", `{"command":"cat keys.txt; env; exit 3"}`)},
		"a key that is refused":          {quiet: true, model: []wiretest.Answer{chatwire.Refuse(401, "auth", "bad", "no such key: "+ownKey())}},
		"a server that repeats":          {quiet: true, model: []wiretest.Answer{chatwire.Refuse(500, "", "", ownKey(), "Retry-After", "0"), echo(200)}},
		"a page instead of a model":      {quiet: true, model: []wiretest.Answer{wiretest.Page(404, ownKey())}},
		"a function's error":             {agent: "function"},
		"a function's panic":             {agent: "function", task: "panic"},
		"a guard's error":                {agent: "guard"},
		"a guard's panic":                {agent: "guard", task: "panic with an error"},
		"a branch's error":               {agent: "group"},
		"a branch's panic":               {agent: "group", task: "panic"},
		"an agent's error":               {agent: "orchestrator"},
		"an agent's panic":               {agent: "orchestrator", task: "panic with an error"},
		"a key in the wrong variable": {
			spoilt: true, env: map[string]string{"AGENTC_MODEL_DEFAULT_TEMPERATURE": secretVars["OPENAI_API_KEY"]},
		},
		"a key as a model": {spoilt: true, env: map[string]string{"AGENTC_MODEL_DEFAULT_NAME": secretVars["OPENAI_API_KEY"]}},
		"a key as an address": {
			spoilt: true, env: map[string]string{"AGENTC_PROVIDER_OPENAI_BASE_URL": secretVars["PAGER_PASSWORD"]},
		},
		"a key in an address": {
			quiet:  true,
			spoilt: true, env: map[string]string{"AGENTC_PROVIDER_OPENAI_BASE_URL": "http://u:" + secretVars["PAGER_PASSWORD"] + "@127.0.0.1:1/v1"},
		},
		"a key that is none":    {quiet: true, spoilt: true, env: map[string]string{"OPENAI_API_KEY": secretVars["SECOND_LINE_KEY"]}},
		"a key as a time limit": {spoilt: true, env: map[string]string{"AGENTC_PROVIDER_OPENAI_TIMEOUT": secretVars["UNUSED_API_KEY"]}},
	} {
		for _, form := range []string{"", "--json"} {
			t.Run(name+form, func(t *testing.T) {
				k := newSpill(t, c.model, c.web, c.env)
				k.run(c.agent, form, strings.ReplaceAll(c.task, "URL", k.web.URL))
				if !c.spoilt {
					k.goOn()
				}
				k.search()
				k.mustHave(c.sent)
				if len(c.model) > 2 {
					k.mustHave("marked text")
				}
				if !c.quiet {
					k.mustHave("[redacted ")
				}
			})
		}
	}
}

// spill is one failing run, and all that came of it.
type spill struct {
	t *testing.T
	// model and web are the servers.
	model, web *wiretest.Server
	said       strings.Builder
}

func newSpill(t *testing.T, model []wiretest.Answer, page wiretest.Answer, env map[string]string) *spill {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("workspace", 0o700); err != nil {
		t.Fatal(err)
	}
	// It is what the run is given, not what it writes.
	if err := os.WriteFile("workspace/keys.txt", []byte(allSecrets()), 0o600); err != nil {
		t.Fatal(err)
	}
	if model == nil {
		model = []wiretest.Answer{wiretest.Page(500, "nobody asks")}
	}
	if page == nil {
		page = wiretest.Page(500, "nobody asks")
	}
	k := &spill{t: t, web: wiretest.Serve(t, page)}
	k.model = wiretest.Serve(t, addressed(model, k.web.URL)...)
	for name, value := range secretVars {
		t.Setenv(name, value)
	}
	t.Setenv("AGENTC_PROVIDER_OPENAI_BASE_URL", k.model.URL)
	for name, value := range env {
		t.Setenv(name, value)
	}

	return k
}

// addressed are answers that have an address for URL.
func addressed(answers []wiretest.Answer, address string) []wiretest.Answer {
	var all []wiretest.Answer
	for _, answer := range answers {
		all = append(all, func(w http.ResponseWriter, r *wiretest.Request) {
			answer(replacing{w, address}, r)
		})
	}

	return all
}

type replacing struct {
	http.ResponseWriter
	address string
}

func (r replacing) Write(p []byte) (int, error) {
	_, err := r.ResponseWriter.Write([]byte(strings.ReplaceAll(string(p), "URL/", r.address+"/")))

	return len(p), err
}

// command runs the program.
func (k *spill) command(args ...string) int {
	k.t.Helper()
	at, err := url.Parse(k.web.URL)
	if err != nil {
		k.t.Fatal(err)
	}
	code := Options{}.Run(spilling{web: "http://" + at.Host}, args, strings.NewReader(""), &k.said, &k.said)
	fmt.Fprintf(&k.said, "\n%q exits with %d\n", args[0], code)

	return code
}

func (k *spill) run(agent, form, task string) {
	k.t.Helper()
	args := []string{"run", task + " ", "--record", "calls.jsonl"}
	if form != "" {
		args = append(args, form)
	}
	if agent != "" {
		args[1] = task
		args = append(args, "--agent", agent)
	}
	if code := k.command(args...); code == 0 {
		k.t.Errorf("the run did not fail:\n%s", k.said.String())
	}
}

// goOn looks at the run and resumes it, which fails again.
func (k *spill) goOn() {
	k.t.Helper()
	journals, err := filepath.Glob(".agentc/runs/*.journal")
	if err != nil || len(journals) != 1 {
		k.t.Fatalf("the journals are %q, %v", journals, err)
	}
	run := strings.TrimSuffix(filepath.Base(journals[0]), ".journal")
	for _, args := range [][]string{{"runs"}, {"runs", "show", run}, {"runs", "show", run, "--json"}, {"resume", run}, {"runs", "show", run, "--records"}} {
		if code := k.command(args...); code != 0 && args[0] == "runs" {
			k.t.Errorf("%q exits with %d:\n%s", args, code, k.said.String())
		}
	}
}

// all is what was printed, what lies on the disk but for what lay there before, and what models were asked.
func (k *spill) all() string {
	k.t.Helper()
	all := k.said.String()
	if err := fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path == "workspace/keys.txt" {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && goruntime.GOOS != "windows" {
			k.t.Errorf("others of this machine may read %s: %v", path, info.Mode())
		}
		content, err := os.ReadFile(filepath.FromSlash(path))
		all += path + ":\n" + string(content)

		return err
	}); err != nil {
		k.t.Fatal(err)
	}
	for _, r := range k.model.Requests() {
		all += string(r.Body)
	}

	return all
}

// search looks for the secrets.
func (k *spill) search() {
	k.t.Helper()
	all := k.all()
	for name, value := range secretVars {
		for way, text := range shownAs(value) {
			if at := strings.Index(all, text); at >= 0 {
				k.t.Errorf("%s stands there as %s: %.300q", name, way, all[max(0, at-150):])
			}
		}
	}
}

func (k *spill) mustHave(text string) {
	k.t.Helper()
	if all := k.all(); !strings.Contains(all, text) {
		k.t.Errorf("%q was not kept:\n%s", text, all)
	}
}
