package anthropic_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// sse answers with the bytes of a stream.
func sse(text string) wiretest.Answer { return wiretest.Body(200, "text/event-stream", text) }

// between are events of a block between the beginning and the end of a message.
func between(events ...string) wiretest.Answer {
	return anthropicwire.Events(append(append(hi[:1:1], events...), hi[len(hi)-2:]...)...)
}

func start(index, block string) string {
	return `{"type":"content_block_start","index":` + index + `,"content_block":` + block + `}`
}

// begun is the event of a message that begins with a member.
func begun(member string) string { return `{"type":"message_start","message":{` + member + `}}` }

func more(index, delta string) string {
	return `{"type":"content_block_delta","index":` + index + `,"delta":` + delta + `}`
}

// TestOddReplies: what servers do that is not the format, and yet can be understood, is understood.
func TestOddReplies(t *testing.T) {
	stream := anthropicwire.Stream(hi...)
	text := func(s string) string { return `{"type":"text_delta","text":"` + s + `"}` }
	for _, c := range []struct {
		name   string
		answer wiretest.Answer
		text   string
	}{
		{"in one piece", whole(plain), "Hello to you."},
		{"in one piece, as a stream", sse(anthropicwire.Whole(plain)), "Hello to you."},
		{"as JSON", wiretest.JSON(200, stream), "Hello to you."},
		{"no name of a type", wiretest.Body(200, "", stream), "Hello to you."},
		{"line breaks of other systems", sse("\ufeff" + strings.ReplaceAll(stream, "\n", "\r\n")), "Hello to you."},
		{"returns alone", sse(strings.ReplaceAll(stream, "\n", "\r")), "Hello to you."},
		{"no names of events", sse("data: " + strings.Join(hi, "\n\ndata: ") + "\n\n"), "Hello to you."},
		{"no last event", anthropicwire.Events(hi[:len(hi)-1]...), "Hello to you."},
		{"breaks after the reason", wiretest.Cut(sayHello, until(len(hi)-1)), "Hello to you."},
		{"no line break at the end", sse(strings.TrimRight(stream, "\n")), "Hello to you."},
		{"silence after the end", wiretest.Stall(sayHello, len(stream)), "Hello to you."},
		{"more after the end", wiretest.Tail(sayHello, "data: "+anthropicwire.Failure("api_error", "late")+"\n\n"), "Hello to you."},
		{"drips", wiretest.Drip(sayHello, 100, time.Millisecond), "Hello to you."},
		{
			"unknown events and fields",
			between(`{"type":"weather","index":0,"delta":"rain"}`, start("0", `{"type":"text","text":"h","x":{"y":[1]}}`), more("0", `{"type":"text_delta","text":"i","z":1}`), `{"type":"content_block_fold","index":0}`),
			"hi",
		},
		{"unknown blocks", between(start("0", `{"type":"song","notes":[1]}`), more("0", `{"type":"note_delta","note":2}`), start("1", `{"type":"text","text":"hi"}`)), "hi"},
		{"an unknown delta of a text", between(start("0", `{"type":"text","text":"hi"}`), more("0", `{"type":"citations_delta","citation":{}}`)), "hi"},
		{"two texts", between(start("0", `{"type":"text","text":""}`), start("1", `{"type":"text","text":""}`), more("1", text("b")), more("0", text("a"))), "ab"},
		{"no beginning", between(more("0", text("hi"))), "hi"},
		{"a beginning without its block", between(`{"type":"content_block_start","index":0}`, more("0", text("hi"))), "hi"},
		{"a block without a type", between(start("0", "{}"), more("0", text("h")), start("1", "null"), more("1", text("i"))), "hi"},
		{"blocks in the beginning", anthropicwire.Events(append([]string{begun(`"content":[{"type":"text","text":"h"}]`), more("0", text("i"))}, hi[len(hi)-2:]...)...), "hi"},
		{"no index where it is zero", between(start("0", `{"type":"text","text":""}`), `{"type":"content_block_delta","delta":`+text("hi")+`}`), "hi"},
		{"thoughts and arguments for a text", between(start("0", `{"type":"text","text":"h"}`), more("0", `{"type":"thinking_delta","thinking":"?"}`), more("0", `{"type":"input_json_delta","partial_json":"{"}`), more("0", text("i"))), "hi"},
		{"events without data", sse("event: ping\ndata:\n\n" + strings.ReplaceAll(stream, "\n\n", "\n\nevent: ping\ndata\ndata: \n\n")), "Hello to you."},
		{"the last word of others", sse(anthropicwire.Stream(hi[:len(hi)-1]...) + "data: [DONE]\n\n"), "Hello to you."},
		{"usage of another form", sse(strings.ReplaceAll(stream, `"usage":{`, `"usage":[1],"used":{`)), "Hello to you."},
		{"details of another form", sse(strings.ReplaceAll(stream, `"stop_reason":`, `"stop_details":"none","stop_reason":`)), "Hello to you."},
		{"an index again", between(start("0", `{"type":"text","text":"h"}`), start("0", `{"type":"text","text":""}`), more("0", text("i"))), "hi"},
		{"odd indexes", between(start("-7", `{"type":"text","text":""}`), more("-7", text("h")), start(`"x"`, `{"type":"text","text":""}`), more(`"x"`, text("i"))), "hi"},
		{"not UTF-8", between(more("0", "{\"type\":\"text_delta\",\"text\":\"caf\xe9\"}")), "caf\ufffd"},
		{"half a surrogate", between(more("0", text(`a\ud83d b`))), "a\ufffd b"},
		{"padding", between(strings.Replace(more("0", text("hi")), "}}", "}       }   ", 1)), "hi"},
		{"odd usage", sse(strings.ReplaceAll(stream, `"output_tokens":`, `"x":1,"output_tokens":-`)), "Hello to you."},
	} {
		got := ask(t, hello(), anthropic.Options{}, c.answer)
		if got.err != nil || got.reply.Text != c.text || len(got.reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v", c.name, got.reply, got.err)
		}
		// Texts that come in turns are told in the turns in which they come.
		if got.deltas != c.text && c.name != "two texts" {
			t.Errorf("%s: told %q", c.name, got.deltas)
		}
		if u := got.reply.Usage; u.Input < 0 || u.Output < 0 {
			t.Errorf("%s: %+v", c.name, u)
		}
	}
}

// TestOddCalls: calls are the ones that the model meant, with ids that differ in the conversation, however they are divided. Each is
// written id name args.
func TestOddCalls(t *testing.T) {
	use := func(id, input string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"look","input":` + input + `}`
	}
	args := func(text string) string { return `{"type":"input_json_delta","partial_json":"` + text + `"}` }
	for _, c := range []struct {
		name   string
		answer wiretest.Answer
		want   []string
	}{
		{"split", between(start("0", use("a", "{}")), more("0", args(`{\"x\":`)), more("0", args("")), more("0", args("1}"))), []string{`a look {"x":1}`}},
		{"in turns", between(start("0", use("a", "{}")), start("1", use("b", "{}")), more("1", args("{}")), more("0", args("[")), more("1", args(" ")), more("0", args("]"))), []string{"a look []", "b look {} "}},
		{"none", between(start("0", use("a", "{}"))), []string{"a look {}"}},
		{"empty in its own way", between(start("0", use("a", "{ }")), more("0", args("[]"))), []string{"a look []"}},
		{"a text for a call", between(start("0", use("a", "{}")), more("0", `{"type":"text_delta","text":"x"}`), more("0", args("[]"))), []string{"a look []"}},
		{"at once", between(start("0", use("a", `{"x": [1, 2]}`))), []string{`a look {"x": [1, 2]}`}},
		{"no JSON", between(start("0", use("a", "{}")), more("0", args("{half"))), []string{"a look {half"}},
		{"one id for all", between(start("0", use("a", "{}")), start("1", use("a", "{}")), start("2", use("a_2", "{}"))), []string{"a look {}", "a_2 look {}", "a_2_2 look {}"}},
		{"ids of before", between(start("0", use("old", "{}")), start("1", use("new2", "{}"))), []string{"old_2 look {}", "new2_2 look {}"}},
		{"no ids", between(start("0", use("", "{}")), start("1", `{"type":"tool_use"}`)), []string{"call_3_0 look {}", "call_3_1  {}"}},
		{"an id without end", between(start("0", use(strings.Repeat("x", 9999), "{}"))), []string{"call_3_0 look {}"}},
		{"no beginning", between(more("0", args("{}"))), []string{"call_3_0  {}"}},
	} {
		got := ask(t, called(), anthropic.Options{}, c.answer)
		var written []string
		for _, call := range got.reply.Calls {
			written = append(written, call.ID+" "+call.Name+" "+call.Args)
		}
		if got.err != nil || strings.Join(written, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.name, got.err, written, c.want)
		}
	}
}

// TestThoughts: thoughts come to what is carried with their signatures, and blocks that nobody knows as they came; thoughts without a
// signature and blocks that are not known whole do not.
func TestThoughts(t *testing.T) {
	for name, c := range map[string]struct {
		answer wiretest.Answer
		want   string
	}{
		"in pieces": {
			between(start("0", `{"type":"thinking","thinking":"","signature":"","new": 1}`), more("0", `{"type":"thinking_delta","thinking":"Hm, "}`),
				more("0", `{"type":"thinking_delta","thinking":"<so>."}`), more("0", `{"type":"signature_delta","signature":"a+/="}`), start("1", `{"type":"text","text":"x"}`)),
			`{"anthropic":[{"type":"thinking","thinking":"Hm, <so>.","signature":"a+/=","new":1},"x"]}`,
		},
		"hidden": {
			between(start("0", `{"type":"redacted_thinking","data":"abc="}`), start("1", `{"type":"tool_use","id":"a","name":"b","input":{}}`), start("2", `{"type":"song","notes":[1, 2]}`)),
			`{"anthropic":[{"type":"redacted_thinking","data":"abc="},0,{"type":"song","notes":[1, 2]}]}`,
		},
		"not signed": {between(start("0", `{"type":"thinking","thinking":"hm"}`), start("1", `{"type":"text","text":"x"}`)), ""},
		"not whole":  {between(start("0", `{"type":"song"}`), more("0", `{"type":"note_delta"}`)), ""},
		"a block without a type": {
			between(start("0", `{"signature":"a+/="}`), more("0", `{"type":"thinking_delta","thinking":"Hm."}`), start("1", `{"type":"text","text":"x"}`)),
			`{"anthropic":[{"signature":"a+/=","type":"thinking","thinking":"Hm."},"x"]}`,
		},
		"none": {sayHello, ""},
		"in one piece": {
			wiretest.JSON(200, `{"content":[`+thought+`,{"type":"text","text":"x"}],"stop_reason":"end_turn"}`),
			`{"anthropic":[` + thought + `,"x"]}`,
		},
	} {
		if got := ask(t, hello(), anthropic.Options{}, c.answer); got.err != nil || got.reply.Carry != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, got.err, got.reply.Carry, c.want)
		}
		// What is kept of thoughts is what those see who look at the run later.
		shown := trace.Of([]journal.Record{{Type: journal.Result, Address: "1", Name: "model", Fields: []journal.Field{{Name: "carry", Value: "anthropic:" + c.want}}}})
		if thoughts := shown.Root.Children[0].Thoughts; (thoughts == "") != (!strings.Contains(c.want, "thinking")) {
			t.Errorf("%s: the thoughts are %q", name, thoughts)
		}
	}
}
