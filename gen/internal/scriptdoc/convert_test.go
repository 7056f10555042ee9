package scriptdoc_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// everything is a script with each form of the grammar.
const everything = `# answers
draft:
  - finish: {key: needs-work, value: "A first draft."}
  - finish: {key: good-enough, value: {text: "</script>", n: 1.0}}
blog/critique:
  - say: "Plain text."
  - say: ""
researcher@2:
  - call: [{name: search_web, args: {query: "go switch"}}]
  - call: {repeat: 1000.0, name: start}
  - error: {status: 429, message: slow down}
  - error: {class: network, retry_after: 1.5}
  - error: timeout
    signal: [stop, {kind: user-message, value: 3}]
  - {say: "", signal: {kind: wind}}
"*":
  - say: 42
    call: [{name: x, args: "{half"}]
    finish: "{half"
tools: {search_web: [{result: "three hits"}, {error: "timeout"}, {result: [1, ~, 0x1F, +1.5, .inf, yes, True]}]}
ask:   {approve: [yes, {a: 1}]}
guards: {plan-is-good: [false, true, {ok: False, reason: 7}]}
`

const everythingJSON = `{"draft":[{"finish":{"key":"needs-work","value":"A first draft."}},` +
	`{"finish":{"key":"good-enough","value":{"text":"</script>","n":1.0}}}],` +
	`"blog/critique":[{"say":"Plain text."},{"say":""}],` +
	`"researcher@2":[{"call":[{"name":"search_web","args":{"query":"go switch"}}]},` +
	`{"call":{"repeat":1000,"name":"start"}},{"error":{"status":429,"message":"slow down"}},{"error":{"class":"network","retry_after":1.5}},{"error":"timeout","signal":["stop",{"kind":"user-message","value":"3"}]},` +
	`{"say":"","signal":{"kind":"wind"}}],` +
	`"*":[{"say":"42","call":[{"name":"x","args":"{half"}],"finish":"{half"}],` +
	`"tools":{"search_web":[{"result":"three hits"},{"error":"timeout"},{"result":[1,null,31,1.5,".inf","yes",true]}]},` +
	`"ask":{"approve":["yes",{"a":1}]},"guards":{"plan-is-good":[false,true,{"ok":false,"reason":"7"}]}}`

func TestEveryForm(t *testing.T) {
	got, findings := scriptdoc.Convert(source.NewFile("script.yaml", []byte(everything)), nil)
	for _, d := range findings {
		t.Errorf("%v: %s", d.Span.Pos(), d.Message)
	}
	if got != everythingJSON {
		t.Errorf("got  %s\nwant %s", got, everythingJSON)
	}
}

// TestJSONIsAScript: what was converted converts to itself.
func TestJSONIsAScript(t *testing.T) {
	got, findings := scriptdoc.Convert(source.NewFile("script.json", []byte(everythingJSON)), nil)
	if len(findings) > 0 || got != everythingJSON {
		t.Errorf("got %s, %d findings", got, len(findings))
	}
}

// TestNames: with a program, what it does not have is a finding at the name.
func TestNames(t *testing.T) {
	draft, critique := &ir.Step{Name: ir.Text{Value: "draft"}}, &ir.Step{Name: ir.Text{Value: "critique"}}
	p := &ir.Program{
		Agents: []*ir.Agent{
			{Name: ir.Text{Value: "draft"}},
			{Name: ir.Text{Value: "one"}, Node: &ir.Oneshot{}},
			{Name: ir.Text{Value: "desk"}, Node: &ir.Machine{}},
			{Name: ir.Text{Value: "blog"}, Node: &ir.Flow{Kind: "critic", Conversations: []*ir.Step{draft, critique}}},
			{Name: ir.Text{Value: "part"}, Node: &ir.Flow{Kind: "critic", Partial: true}},
			{Name: ir.Text{Value: "approve"}, Node: &ir.Flow{Kind: "human", Conversations: []*ir.Step{{}, {Name: ir.Text{Value: "resume"}}}}},
		},
		Tools:  []*ir.Tool{{Name: ir.Text{Value: "lend"}, Confirm: true}, {Name: ir.Text{Value: "look"}}},
		Skills: []*ir.Skill{{Tools: []ir.ToolRef{{Text: ir.Text{Value: "tama_mem_get"}, Builtin: "mem_get"}}}},
	}
	for script, want := range map[string]string{
		"draft: []":                      "",
		"draft@3: []":                    "",
		"draft/step: []":                 "",
		"'*': []":                        "",
		"one: []":                        "",
		"one/step: []":                   "1:1 undefined-step ",
		"blog/draft@1: []":               "",
		"blog/drafts: []":                "1:1 undefined-step blog/draft",
		"blog: []":                       `1:1 bad-value its steps have: write "blog/draft" or "blog/critique"`,
		"desk: []":                       "1:1 bad-value ",
		"part/any: []":                   "",
		"approve: []":                    "",
		"approve/resume: []":             "",
		"drafts: []":                     "1:1 undefined-agent draft",
		"drafts@0: []":                   "1:1 undefined-agent draft",
		"tool: {}":                       "1:1 undefined-agent tools",
		"draft@one: []":                  "1:1 bad-value ",
		"draft@01: []":                   "1:1 bad-value ",
		"'*@1': []":                      "1:1 undefined-agent ",
		"draft@: []":                     "1:1 bad-value ",
		"tools: {lend: [], mem_get: []}": "",
		"tools: {tama_mem_get: []}":      "",
		"tools: {lend@1: [], bash: []}":  "",
		"tools: {mem_sett: []}":          "1:9 undefined-tool mem_set",
		"tools: {tama_lend: []}":         "1:9 undefined-tool ",
		"ask: {draft: [], lend@2: []}":   "",
		"ask: {approve@1: []}":           "",
		"ask: {nobody: []}":              "1:7 undefined-agent ",
		"ask: {look: []}":                "1:7 undefined-agent ",
		"ask: {blog: []}":                "1:7 undefined-agent ",
		"ask: {aprove: []}":              "1:7 undefined-agent approve",
	} {
		_, findings := scriptdoc.Convert(source.NewFile("s.yaml", []byte(script)), p)
		if got := short(findings); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}

// TestTurnsForAFunction: turns for a function, or for a workflow that calls no model, are answers in the wrong section.
func TestTurnsForAFunction(t *testing.T) {
	p := &ir.Program{
		Agents: []*ir.Agent{{Name: ir.Text{Value: "pay"}, Node: &ir.Flow{Kind: ir.Workflow}}},
		Funcs:  []*ir.Func{{Name: ir.Text{Value: "t:pay"}}},
	}
	const under = "functions are answered under funcs, with {result: VALUE}"
	for script, want := range map[string]string{
		"'t:pay': [{say: 3}]": `"t:pay" is a function, not an agent`,
		"pay: [{say: 3}]":     `agent "pay" calls no model itself, so that it has no turns`,
	} {
		_, findings := scriptdoc.Convert(source.NewFile("script.yaml", []byte(script)), p)
		if len(findings) != 1 || findings[0].Message != want || findings[0].Hint != under {
			t.Errorf("%s: got %v", script, findings)
		}
	}
}

// TestFaultySignals: a signal has a kind, and comes with a reply.
func TestFaultySignals(t *testing.T) {
	for signal, want := range map[string]string{
		"{signal: stop}":                             "1:6 bad-value ",
		"{say: x, signal: }":                         "1:14 wrong-type ",
		"{say: x, signal: []}":                       "1:22 bad-value ",
		"{say: x, signal: ''}":                       "1:22 bad-value ",
		"{say: x, signal: [a, [b]]}":                 "1:26 wrong-type ",
		"{say: x, signal: {value: y}}":               "1:14 missing-field ",
		"{say: x, signal: {kind: a, vlaue: y}}":      "1:32 unknown-field value",
		"{error: x, say: y, signal: stop}":           "1:16 unknown-field a turn that fails has nothing but error, and signal if need be",
		"{error: x, signal: {kind: a, value: [b]}}":  "1:34 wrong-type ",
		"{finish: {key: k}, signal: {kind: {a: b}}}": "1:33 wrong-type ",
	} {
		_, findings := scriptdoc.Convert(source.NewFile("s.yaml", []byte("a: ["+signal+"]")), nil)
		if got := short(findings); got != want {
			t.Errorf("%s: got %q, want %q", signal, got, want)
		}
	}
}

// short tells place, name and proposal of the first finding.
func short(findings []*diag.Diagnostic) string {
	if len(findings) == 0 {
		return ""
	}
	d := findings[0]
	hint, _ := strings.CutPrefix(d.Hint, `did you mean "`)

	return strings.Join([]string{position(d), d.Check.Name, strings.TrimSuffix(hint, `"?`)}, " ")
}

func position(d *diag.Diagnostic) string {
	p := d.Span.Pos()
	text, _ := json.Marshal([]int{p.Line, p.Column})

	return strings.ReplaceAll(strings.Trim(string(text), "[]"), ",", ":")
}

// FuzzConvert: any bytes give either findings or JSON, never a panic.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(everythingJSON))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("? [a]\n: b\n"))
	f.Fuzz(func(t *testing.T, script []byte) {
		got, findings := scriptdoc.Convert(source.NewFile("s.yaml", script), &ir.Program{})
		if len(findings) == 0 && !json.Valid([]byte(got)) {
			t.Fatalf("no JSON and no finding: %q", got)
		}
		if len(findings) > 0 && got != "" {
			t.Fatalf("JSON beside findings: %q", got)
		}
	})
}
