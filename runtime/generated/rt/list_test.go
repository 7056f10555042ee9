package rt_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
)

const fence = "```"

func TestReadLists(t *testing.T) {
	for _, c := range []struct {
		text                string
		items, plan, claims []string
	}{
		{`["a","a"," b\n"]`, []string{"a", "a", " b\n"}, []string{"a", "a", " b\n"}, []string{"a", "a", " b\n"}},
		{
			` [ {"n" : [1, 2.50]}, 7, null, ["x"], "" ] `, []string{`{"n":[1,2.50]}`, "7", "null", `["x"]`, ""},
			[]string{`{"n":[1,2.50]}`, "7", "null", `["x"]`, ""}, []string{`{"n":[1,2.50]}`, "7", "null", `["x"]`, ""},
		},
		{fence + "json\n[\"a\"]\n" + fence, []string{"a"}, []string{"a"}, []string{"a"}},
		{"[]", []string{}, []string{}, []string{}},
		{"", nil, nil, nil},
		{" \n", nil, nil, nil},
		{
			"Here it is:\n" + fence + "json\n[\"a\", {\"step\": 2}]\n" + fence + "\nGood luck!", nil, []string{"a", `{"step":2}`},
			[]string{"Here it is:", `["a", {"step": 2}]`, "Good luck!"},
		},
		{`{"steps": ["a", "b"]}`, nil, []string{"a", "b"}, []string{`{"steps": ["a", "b"]}`}},
		{"Look at [1].\n", nil, []string{"Look at [1]."}, []string{"Look at [1]."}},
		{"See [1] and [2].", nil, []string{"See [1] and [2]."}, []string{"See [1] and [2]."}},
		{"] then [", nil, []string{"] then ["}, []string{"] then ["}},
		{"Nothing to do: []", nil, []string{}, []string{"Nothing to do: []"}},
		{
			"# Claims\n\n1. One.\n  - Two.\r\n\t\n## More", nil, []string{"# Claims\n\n1. One.\n  - Two.\r\n\t\n## More"},
			[]string{"1. One.", "- Two."},
		},
		{fence + "\none\ntwo\n" + fence, nil, []string{"one\ntwo"}, []string{"one", "two"}},
		{fence + "\n" + fence, nil, nil, nil},
		{fence + `["a"]` + fence, nil, []string{"a"}, []string{fence + `["a"]` + fence}},
		{
			fence + "x y" + fence + " is code\n" + fence + "\nb\n" + fence, nil, []string{fence + "x y" + fence + " is code\nb"},
			[]string{fence + "x y" + fence + " is code", "b"},
		},
		{fence + "[1,\n2]\n" + fence, nil, []string{fence + "[1,\n2]"}, []string{fence + "[1,", "2]"}},
		{`"a"`, nil, []string{`"a"`}, []string{`"a"`}},
		{`["a",]`, nil, []string{`["a",]`}, []string{`["a",]`}},
		{`[{"a":1,"a":2}]`, nil, []string{`[{"a":1,"a":2}]`}, []string{`[{"a":1,"a":2}]`}},
		{"[\"\xff\"]", nil, []string{"[\"\xff\"]"}, []string{"[\"\xff\"]"}},
	} {
		for kind, want := range map[rt.ListKind][]string{
			"items": c.items, "plan": c.plan, "claims": c.claims,
		} {
			got := kind.Items(runtime.Finish{Value: c.text, JSON: json.Valid([]byte(c.text))})
			if !slices.Equal(got, want) {
				t.Errorf("%q as list of kind %s: got %q", c.text, kind, got)
			}
		}
	}
}

// TestOneshotLists: an answer is judged as a list while the model can still be asked again.
func TestOneshotLists(t *testing.T) {
	for _, c := range []struct {
		name, turns string
		kind        rt.ListKind
		err         string
		want        []string
	}{
		{name: "items", kind: "items", turns: `[{"say":"[\"a\"]"}]`, want: []string{"a"}},
		{name: "items, asked again", kind: "items", turns: `[{"say":"a"},{"say":"[1]"}]`, want: []string{"1"}},
		{
			name: "no items", kind: "items", turns: `[{"say":"{}"},{"say":"[]"}]`,
			err: `agent "one": the output does not fit: the list is empty`,
		},
		{
			name: "no list", kind: "items", turns: `[{"say":""},{"say":"{}"}]`,
			err: `agent "one": the output does not fit: found an object, expected a list`,
		},
		{
			name: "no JSON", kind: "items", turns: `[{"say":"[]"},{"say":"a, b"}]`,
			err: `agent "one": the output does not fit: the value is not JSON at byte 0: found "a", expected a value`,
		},
		{
			name: "too many", kind: "items", turns: `[{"say":"[1,2,3,4]"},{"say":"[1,2,3,4,5]"}]`,
			err: `agent "one": the list has 5 items, more than max_items = 3`,
		},
		{name: "a plan in text", kind: "plan", turns: `[{"say":"Do it."}]`, want: []string{"Do it."}},
		{
			name: "no steps", kind: "plan", turns: `[{"say":"[]"},{"say":"None: []"}]`,
			err: `agent "one": the output does not fit: the list is empty`,
		},
		{name: "fences alone", kind: "plan", turns: `[{"say":"` + fence + `\n` + fence + `"},{"say":"x"}]`, want: []string{"x"}},
		{name: "claims in lines", kind: "claims", turns: `[{"say":"# Claims\na\n\nb"}]`, want: []string{"a", "b"}},
		{name: "no claims", kind: "claims", turns: `[{"say":"[]"}]`},
		{
			name: "too many claims", kind: "claims", turns: `[{"say":"a\nb\nc\nd"},{"say":"[1,2,3,4]"}]`,
			err: `agent "one": the list has 4 items, more than max_items = 3`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := &rt.OneshotSpec{Agent: "one", Prompt: "List.", Repair: 1, List: &rt.ListSpec{Kind: c.kind, Max: 3}}
			fin, err := play(t, `{"one":`+c.turns+`}`, spec)
			if got := message(err); got != c.err {
				t.Errorf("got error %s", got)
			}
			if got := c.kind.Items(fin); !slices.Equal(got, c.want) {
				t.Errorf("got %q of %+v", got, fin)
			}
			var limit *runtime.ItemLimitError
			if strings.HasPrefix(c.name, "too many") && (!errors.As(err, &limit) || limit.Agent != "one" || limit.Limit != 3) {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// TestOneshotIsToldHowToList: the system prompt says how the list is written, and so does what
// follows a faulty answer.
func TestOneshotIsToldHowToList(t *testing.T) {
	for kind, want := range map[rt.ListKind]string{
		"items": "Give your result as a JSON array of at most 3 items and nothing else: " +
			`a string for each item, such as ["first item", "second item"].`,
		"plan": "Give your plan as a JSON array of at most 3 items and nothing else: " +
			`a string for each step, in order, such as ["first step", "second step"].`,
		"claims": "Give your claims as a JSON array of at most 3 items and nothing else: " +
			`a string for each claim, such as ["first claim", "second claim"]. A line for each claim will do too.`,
	} {
		var requests []model.Request
		fx := answering(func(r model.Request) (model.Reply, error) {
			requests = append(requests, r)

			return model.Reply{Text: "[1,2,3,4]"}, nil
		})
		spec := &rt.OneshotSpec{
			Agent: "one", Prompt: "List.\n", Repair: 1, List: &rt.ListSpec{Kind: kind, Max: 3},
			Output: &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber},
		}
		_, err := spec.Run(fx, "the task")
		if len(requests) != 2 || runtime.ErrorType(err) != "ItemLimitError" {
			t.Fatalf("%d requests, %v", len(requests), err)
		}
		for _, r := range requests {
			if r.System != "List.\n\n"+want || r.Schema != "" {
				t.Errorf("system %q, schema %q", r.System, r.Schema)
			}
		}
		told := requests[1].Messages[2].Text
		if told != "Your answer cannot be used: the list has 4 items, more than max_items = 3. Answer again. "+want {
			t.Errorf("told %q", told)
		}
	}
}

// TestReactIsToldHowToList: what a model that may hand out work is told before it begins, and what
// finish takes.
func TestReactIsToldHowToList(t *testing.T) {
	number := &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}
	for _, c := range []struct {
		list         rt.ListSpec
		output       *rt.OutputSpec
		howTo, value string
	}{
		{
			list: rt.ListSpec{Kind: "items", Key: "parallel", Max: 3},
			howTo: `To hand out work, call finish with key "parallel" and, as value, a JSON array of at most 3 items: ` +
				`a string for each part of the work, such as ["first part", "second part"]. ` +
				"If nothing has to be handed out, call finish with another key (done, if nothing else is asked for) and the result itself as value.",
			value: `{"anyOf":[{"type":"array","items":{"type":"string"},"description":"With key \"parallel\": the list."},` +
				`{"type":"string","description":"The result, whole."}]}`,
		},
		{
			list: rt.ListSpec{Kind: "claims"}, output: number,
			howTo: "Give your claims as a JSON array and nothing else: " +
				`a string for each claim, such as ["first claim", "second claim"]. A line for each claim will do too.`,
			value: `{"anyOf":[{"type":"array","items":{"type":"string"},"description":"The list."},{"type":"number"}]}`,
		},
	} {
		spec := testAgent()
		spec.List, spec.Output = &c.list, c.output
		work := rt.Closed("a", "map", "parallel")
		for _, at := range []rt.Place{work.Or(), work.Or(rt.Closed("m", "s", "x"))} {
			r := firstRequest(spec, at)
			if !strings.Contains(r.System, "\n- memory: Remembers.\n\n## The list\n\n"+c.howTo+"\n\n## How to begin and end\n\n") {
				t.Errorf("system prompt: %s", r.System)
			}
			if schema := r.Tools[1].Schema; !json.Valid([]byte(schema)) || !strings.Contains(schema, `,"value":`+c.value+`},"required":["key","value"]`) {
				t.Errorf("finish takes %s", schema)
			}
		}
	}
}

// TestLargeLists: as many items as are allowed, and one more.
func TestLargeLists(t *testing.T) {
	list := func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strconv.Itoa(i)
		}
		text, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}

		return string(text)
	}
	for n, want := range map[int]string{1000: "", 1001: "ItemLimitError", 10000: "ItemLimitError"} {
		fx := answering(func(model.Request) (model.Reply, error) { return model.Reply{Text: list(n)}, nil })
		spec := &rt.OneshotSpec{Agent: "one", List: &rt.ListSpec{Kind: "items", Max: 1000}}
		fin, err := spec.Run(fx, "the task")
		if want == "" && (err != nil || len(rt.ListKind("items").Items(fin)) != n) || want != "" && runtime.ErrorType(err) != want {
			t.Errorf("%d items: %v", n, err)
		}
	}
}

// FuzzList: reading a list does not fail whatever a model writes, arrays mean what encoding/json
// reads, and what a plan or claims leave out is only what they may.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		`["a", {"b": [1]}, 2, null]`, "[]", "", fence + "json\n[\"a\"]\n" + fence, "Plan: [\"a\", \"b\"]. Good luck [1]!", `{"steps":["a"]}`,
		"# Claims\n- one\n\n2. two", "[\"\\ud800\"]", "[[[", "]][[", "[\"\xff\"]", fence, "\u2028[1]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fin := runtime.Finish{Value: text}
		items, plan, claims := rt.ListKind("items").Items(fin), rt.ListKind("plan").Items(fin), rt.ListKind("claims").Items(fin)
		if strings.TrimSpace(text) == "" && len(items)+len(plan)+len(claims) > 0 {
			t.Errorf("%q is a list: %q, %q, %q", text, items, plan, claims)
		}
		if items == nil {
			return
		}
		if inside := strings.TrimSpace(text); strings.HasPrefix(inside, "[") {
			var want []json.RawMessage
			if err := json.Unmarshal([]byte(inside), &want); err != nil || len(want) != len(items) {
				t.Fatalf("%q: got %q, want %q, %v", text, items, want, err)
			}
			for i, raw := range want {
				var said string
				if raw[0] == '"' && (json.Unmarshal(raw, &said) != nil || said != items[i]) || raw[0] != '"' && !json.Valid([]byte(items[i])) {
					t.Errorf("%q: item %d is %q", text, i, items[i])
				}
			}
			if !strings.Contains(text, fence) && (!slices.Equal(plan, items) || !slices.Equal(claims, items)) {
				t.Errorf("%q: an array is a plan of %q and the claims %q", text, plan, claims)
			}
		}
	})
}
