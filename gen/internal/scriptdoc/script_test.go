package scriptdoc_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// written is a script with each kind of answer, and with texts that YAML would take for something else.
func written() *scriptdoc.Script {
	s := &scriptdoc.Script{Comment: []string{"Takes\na row → fin."}}
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	s.Add(scriptdoc.Guards, "ready", scriptdoc.Verdict{OK: true}, scriptdoc.Verdict{Reason: "not: yet"})
	s.Add(scriptdoc.Agents, "blog/draft",
		scriptdoc.Turn{Calls: []scriptdoc.Call{{Name: "look", Args: raw(`{"q": "a"}`)}, {Name: "odd", Args: raw(`"{half"`)}}},
		scriptdoc.Turn{Finish: &scriptdoc.Finish{Key: "yes", Value: raw("{\n\t\"n\": 1.0}")}, Signal: "stop"},
	)
	s.Add(scriptdoc.Agents, "no", scriptdoc.Turn{}, scriptdoc.Turn{Say: "# \"x\"\u2028\n<b>"})
	s.Add(scriptdoc.Agents, "blog/draft",
		scriptdoc.Turn{Error: &scriptdoc.ModelError{Status: 400, Message: "it fails"}},
		scriptdoc.Turn{Error: &scriptdoc.ModelError{Class: "other", Message: "null"}},
		scriptdoc.Turn{Finish: &scriptdoc.Finish{Args: raw(`{"key":"a"}`)}},
	)
	s.Add(scriptdoc.Questions, "approve", scriptdoc.TextReply("yes"), scriptdoc.Reply{Value: raw(`{"a": 1}`)})
	s.Add(scriptdoc.Funcs, "t:pay")
	s.Add(scriptdoc.Tools, "look", scriptdoc.Result{Value: raw("[1]")}, scriptdoc.Failure{Message: "it fails"})

	return s
}

const writtenYAML = `# Takes a row → fin.
blog/draft:
  - call: [{"name": "look", "args": {"q": "a"}}, {"name": "odd", "args": "{half"}]
  - finish: {key: "yes", value: {"n":1.0}}
    signal: "stop"
  - error: {status: 400, message: it fails}
  - error: {class: other, message: "null"}
  - finish: {"key":"a"}
"no":
  - say: ""
  - say: "# \"x\"\u2028\n<b>"
ask:
  approve:
    - "yes"
    - {"a": 1}
funcs: # none is called
  "t:pay": []
tools:
  look:
    - result: [1]
    - error: it fails
guards:
  ready:
    - true
    - ok: false
      reason: "not: yet"
`

// TestWrittenScripts: both encodings of a script are the same script, and have what was added in its order.
func TestWrittenScripts(t *testing.T) {
	yaml := written().YAML()
	if string(yaml) != writtenYAML {
		t.Errorf("got\n%s", yaml)
	}
	encoded, err := written().JSON()
	if err != nil {
		t.Fatal(err)
	}
	fromYAML, findings := scriptdoc.Convert(source.NewFile("s.yaml", yaml), nil)
	for _, d := range findings {
		t.Errorf("%v: %s", d.Span.Pos(), d.Message)
	}
	s := written()
	s.Comment = nil
	plain, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, plain); err != nil || compact.String() != fromYAML {
		t.Errorf("%v: the JSON is %s\nthe YAML is %s", err, compact.String(), fromYAML)
	}
	if !bytes.Contains(encoded, []byte(`"//": [`)) {
		t.Errorf("the comment is missing: %s", encoded)
	}
	if _, findings = scriptdoc.Convert(source.NewFile("s.json", encoded), nil); len(findings) > 0 {
		t.Errorf("the JSON is no script: %s", findings[0].Message)
	}
}

// TestScriptOfNothing: a script is never an empty file, which would be none.
func TestScriptOfNothing(t *testing.T) {
	empty := &scriptdoc.Script{}
	if got := string(empty.YAML()); got != "tools: {} # nothing is asked\n" {
		t.Errorf("got %q", got)
	}
	got, err := empty.JSON()
	if _, findings := scriptdoc.Convert(source.NewFile("s.json", got), nil); err != nil || len(findings) > 0 {
		t.Errorf("got %q, %v, %v", got, err, findings)
	}
	bad := &scriptdoc.Script{}
	bad.Add(scriptdoc.Tools, "look", scriptdoc.Result{Value: json.RawMessage("{half")})
	if _, err := bad.JSON(); err == nil {
		t.Error("a value that is no JSON was written")
	}
	if bad.Has(scriptdoc.Funcs, "look") || !bad.Has(scriptdoc.Tools, "look") || !scriptdoc.IsSection("ask") || scriptdoc.IsSection("") {
		t.Error("names are found in the wrong section")
	}
}
