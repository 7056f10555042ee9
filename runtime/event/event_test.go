package event_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestEventLines compares a line of each kind.
func TestEventLines(t *testing.T) {
	at := time.Date(2000, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600))
	tokens := model.Usage{Input: 3, Output: 4}
	compared := map[event.Kind]bool{}
	for want, e := range map[string]event.Event{
		`"run",…,"agent":"a","program":"p","shape":"s","text":"t","input":"i"`: {
			Kind: event.Run, Agent: "a", Name: "p", Shape: "s", Text: "t", Value: "i",
		},
		`"enter",…,"machine":"m","state":"s","visit":2`: {Kind: event.Enter, Machine: "m", State: "s", Visit: 2},
		`"model",…,"role":"r","model":"p:m","tokens":{"input":3,"output":4},"finish_reason":"stop"`: {
			Kind: event.Model, Role: "r", Name: "p:m", Usage: tokens, Reason: "stop",
		},
		`"model",…,"role":"r","model":"p:m","tokens":{"input":3,"output":4,"cached":2,"stored":1},"cost":0.0045,"finish_reason":"length"`: {
			Kind: event.Model, Role: "r", Name: "p:m", Usage: model.Usage{Input: 3, Output: 4, Cached: 2, Stored: 1},
			Cost: 4500, Reason: model.ReasonLength,
		},
		`"model",…,"role":"","model":"p:m","tokens":{"input":0,"output":0},"cost":12,"finish_reason":"stop"`: {
			Kind: event.Model, Name: "p:m", Cost: 12_000_000, Reason: "stop",
		},
		`"model",…,"role":"","model":"p:m","tokens":{"input":0,"output":0},"cost":9223372036854.775807,"finish_reason":"stop"`: {
			Kind: event.Model, Name: "p:m", Cost: 1<<63 - 1, Reason: "stop",
		},
		`"delta",…,"text":"\u2028<"`: {Kind: event.Delta, Text: "\u2028<"},
		`"tool",…,"name":"n","args":{"a":"b c\" ","d":[1,2]},"result":"r"`: {
			Kind: event.Tool, Name: "n", Args: "{\"a\": \"b c\\\" \",\n \"d\": [1, 2]}", Text: "r",
		},
		`"tool",…,"name":"n","args":"{\"a\":","error":"e"`: {Kind: event.Tool, Name: "n", Args: `{"a":`, Problem: "e"},
		`"repair",…,"problem":"p"`:                         {Kind: event.Repair, Problem: "p"},
		`"retry",…,"attempt":2,"error":"e","wait":"1.5s"`: {
			Kind: event.Retry, Count: 2, Problem: "e", Wait: 1500 * time.Millisecond,
		},
		`"retry",…,"attempt":3,"error":"e","wait":"0s","model":"p:other"`: {
			Kind: event.Retry, Count: 3, Problem: "e", Name: "p:other",
		},
		`"transition",…,"machine":"m","from":"s","key":"k","to":"x","matched":"exact","visit":1`: {
			Kind: event.Transition, Machine: "m", State: "s", Key: "k", To: "x", Matched: "exact", Visit: 1,
		},
		`"transition",…,"machine":"m","from":"s","key":"k","to":null,"matched":"guard","visit":1,` +
			`"guards":[{"guard":"g","ok":false,"reason":"r"},{"guard":"h","ok":true}]`: {
			Kind: event.Transition, Machine: "m", State: "s", Key: "k", Matched: "guard", Visit: 1,
			Guards: []event.Guard{
				{Name: "g", Reason: "r"}, {Name: "h", OK: true},
			},
		},
		`"step",…,"name":"n","value":"v","json":true`: {Kind: event.Step, Name: "n", Value: "v", JSON: true},
		`"finish",…,"key":"k","value":"v","json":true,"synthetic":false`: {
			Kind: event.Finish, Key: "k", Value: "v", JSON: true,
		},
		`"budget",…,"limit":"l","spent":"s"`: {Kind: event.Budget, Name: "l", Text: "s"},
		`"pause",…,"question":"q","prompt":"p","choices":["a","b"]`: {
			Kind: event.Pause, Name: "q", Text: "p", Choices: []string{"a", "b"},
		},
		`"pause",…,"question":"q","prompt":"p","channel":"email"`: {Kind: event.Pause, Name: "q", Text: "p", Channel: "email"},
		`"pause",…,"question":"q","prompt":"p","due":"2000-01-02T03:04:05.0000006Z"`: {
			Kind: event.Pause, Name: "q", Text: "p", Due: at.Add(time.Hour),
		},
		`"answer",…,"question":"q","value":"v"`: {Kind: event.Answer, Name: "q", Value: "v"},
		`"answer",…,"question":"q","value":"0"`: {Kind: event.Answer, Name: "q", Value: "0"},
		`"resume",…`: {Kind: event.Resume},
		`"resume",…,"text":"t","shape":"s","problem":"p"`: {Kind: event.Resume, Text: "t", Shape: "s", Problem: "p"},
		`"error",…,"type":"StuckError","message":"m"`:     {Kind: event.Error, Type: "StuckError", Problem: "m"},
		`"end",…,"status":"done","key":"k","value":"v","json":false,"steps":5,"tokens":{"input":3,"output":4}`: {
			Kind: event.End, Status: "done", Key: "k", Value: "v", Count: 5, Usage: tokens,
		},
	} {
		compared[e.Kind] = true
		e.Run, e.Seq, e.Address, e.Time = "r1", 7, "7.0.1", at
		want = `{"event":` + strings.Replace(want, "…", `"run":"r1","seq":7,"address":"7.0.1","time":"2000-01-02T02:04:05.0000006Z"`, 1) + "}"
		got, err := e.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if !json.Valid(got) {
			t.Errorf("not JSON: %s", got)
		}
		if back := recorded(e); string(back.AppendJSON(nil)) != want {
			t.Errorf("as it was recorded:\n%s\nwant\n%s", back.AppendJSON(nil), want)
		}
		var back event.Event
		if err := json.Unmarshal(got, &back); err != nil || string(back.AppendJSON(nil)) != want {
			t.Errorf("as its line is read: %v\n%s\nwant\n%s", err, back.AppendJSON(nil), want)
		}
	}
	for _, k := range eventkind.All {
		if !compared[event.Kind(k.Name)] {
			t.Errorf("no line of the kind %s is compared", k.Name)
		}
	}
}

// TestEachKindHasARow: the constants of this package are the kinds that have rows.
func TestEachKindHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var constants, rows []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, isSpec := node.(*ast.ValueSpec)
		if !isSpec {
			return true
		}
		if kind, isName := spec.Type.(*ast.Ident); isName && kind.Name == "Kind" {
			constants = append(constants, strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`))
		}

		return true
	})
	for _, k := range eventkind.All {
		rows = append(rows, k.Name)
	}
	slices.Sort(constants)
	slices.Sort(rows)
	if !slices.Equal(constants, rows) {
		t.Errorf("the constants are\n%v\nand the rows\n%v", constants, rows)
	}
}

// TestEachFieldIsReadBack: a field has the value of the event, whatever its kind, and comes back from what is recorded.
func TestEachFieldIsReadBack(t *testing.T) {
	for _, k := range eventkind.All {
		for _, f := range k.Fields {
			e := fullEvent(event.Kind(k.Name))
			if f.Without == eventkind.MemberProblem {
				e.Problem = ""
			}
			has := func(e event.Event) bool {
				return slices.ContainsFunc(e.Fields(), func(recorded event.Field) bool { return recorded.Name == f.Name })
			}
			if !has(e) || !has(recorded(e)) {
				t.Errorf("%s: the field %s is lost", k.Name, f.Name)
			}
			if isWait := f.Of == eventkind.MemberWait; has(event.Event{Kind: e.Kind}) != isWait { // no wait is a wait of 0s
				t.Errorf("%s: the field %s of an event without values is wrong", k.Name, f.Name)
			}
		}
	}
	if fields := fullEvent("unheard of").Fields(); len(fields) != 1 || fields[0].Name != "agent" {
		t.Errorf("an event of no kind has the fields %v", fields)
	}
}

// fullEvent is an event with all fields.
func fullEvent(kind event.Kind) event.Event {
	return event.Event{
		Kind: kind, Agent: "agent", Machine: "machine", State: "state", To: "to", Key: "key", Matched: "matched", Visit: 1,
		Guards: []event.Guard{{Name: "guard", OK: true}}, Value: "value", JSON: true, Synthetic: true, Name: "name", Role: "role",
		Args: "{}", Text: "text", Usage: model.Usage{Input: 1}, Reason: "reason", Channel: "channel", Choices: []string{"choice"},
		Schema: "{}", Example: "example", Effect: &event.UnknownEffect{Kind: "tool", Name: "name"}, Due: time.Unix(1, 0), Cost: 1, Shape: "shape",
		Problem: "problem", Type: "type", Status: "status", Context: "{}", Count: 1, Wait: time.Second,
	}
}

// recorded is an event as it comes back from the fields that are recorded of it.
func recorded(e event.Event) event.Event {
	fields := map[string]string{}
	for _, f := range e.Fields() {
		fields[f.Name] = f.Value
	}
	back := e.Kind.Event(func(name string) string { return fields[name] })
	back.Run, back.Seq, back.Address, back.Time = e.Run, e.Seq, e.Address, e.Time

	return back
}

// FuzzEventLine: whatever a model, a tool or a source says, an event is one line of JSON in UTF-8 that reads back equal.
func FuzzEventLine(f *testing.F) {
	f.Add("text", `{"a": 1}`)
	f.Add("\x00\xff\u2028\"\\", "[\"\\\"\", \"\u2029\"]")
	f.Add("\x7f\r\n", "{\"a\": \"\xff\"}")
	f.Fuzz(func(t *testing.T, text, args string) {
		line := event.Event{Kind: event.Tool, Agent: text, Name: text, Args: args, Text: text}.AppendJSON(nil)
		if strings.ContainsAny(string(line), "\n\r\u2028\u2029") || !utf8.Valid(line) {
			t.Fatalf("not one line: %q", line)
		}
		var back struct {
			Name, Result string
			Args         json.RawMessage
		}
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		want := replaceEach(text)
		if back.Name != want || back.Result != want {
			t.Errorf("got %q, want %q", back.Name, want)
		}
		var compact bytes.Buffer
		if json.Compact(&compact, []byte(args)) != nil || !utf8.ValidString(args) {
			return
		}
		escaped := strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(compact.String())
		if escaped != string(back.Args) {
			t.Errorf("got %s, want %s", back.Args, escaped)
		}
	})
}

// replaceEach makes each byte that is not UTF-8 one U+FFFD, as encoding/json does.
func replaceEach(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}

	return b.String()
}

// A line of a later version, or one that is not as it should be, is read as far as it goes; what is no object is an error.
func TestLinesThatAreOdd(t *testing.T) {
	var e event.Event
	if err := json.Unmarshal([]byte(`{"event":"tool","seq":"x","time":7,"new":{"a":1},"name":null,"args":"{","result":"r"}`), &e); err != nil {
		t.Fatal(err)
	}
	if e.Kind != event.Tool || e.Text != "r" || e.Args != "{" || e.Seq != 0 || !e.Time.IsZero() {
		t.Errorf("it is read as %+v", e)
	}
	if err := json.Unmarshal([]byte(`[]`), &e); err == nil {
		t.Error("a list is read")
	}
}
