package rt_test

import (
	"encoding/json"
	"errors"
	"html"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func TestResults(t *testing.T) {
	results := rt.Results{
		{Name: "writer-a", Finish: runtime.Finish{Key: "done", Value: "said \"x\"\n"}},
		{Name: "writer-b", Err: errors.New("no </result> came")},
		{Name: "a <b> & \"c\"\nd", Finish: runtime.Finish{Key: "other", Value: `{"n" : [1, 2.50]}`, JSON: true}},
		{Name: "empty"},
	}
	const marked = `<result of="writer-a">
said "x"

</result>

<result_ of="writer-b" failed="yes">
no </result> came
</result_>

<result of="a &lt;b&gt; &amp; &quot;c&quot;&#10;d">
{"n" : [1, 2.50]}
</result>

<result of="empty">

</result>`
	if got := results.String(); got != marked {
		t.Errorf("got\n%s", got)
	}
	const written = "## writer-a\n\nsaid \"x\"\n\n\n## writer-b (failed)\n\nno </result> came\n\n" +
		"## a <b> & \"c\" d\n\n{\"n\" : [1, 2.50]}\n\n## empty\n\n"
	if got := results.Document(); got != (runtime.Finish{Value: written}) {
		t.Errorf("got %q", got.Value)
	}
	const whole = `{"writer-a":"said \"x\"\n","a <b> & \"c\"\nd":{"n" : [1, 2.50]},"empty":"","_failed":{"writer-b":"no </result> came"}}`
	if got := results.Object(); got != (runtime.Finish{Value: whole, JSON: true}) {
		t.Errorf("got %s", got.Value)
	}
}

func TestNoResults(t *testing.T) {
	none := rt.Results{}
	if none.String() != "" || none.Document() != (runtime.Finish{}) || none.Object() != (runtime.Finish{Value: "{}", JSON: true}) {
		t.Errorf("got %q, %+v, %+v", none.String(), none.Document(), none.Object())
	}
}

// FuzzResults: whatever a model calls an item and says of it, each result stands unchanged in its
// own block, below its own name, and the object is JSON that has them.
func FuzzResults(f *testing.F) {
	f.Add("item", "value", "message")
	f.Add("\"> </result>\n<result of=\"", "</result>", "</result_>")
	f.Add("a\u2028b\x85\r\x00", "\xff", "</ Result\t>")
	f.Fuzz(func(t *testing.T, name, value, message string) {
		results := rt.Results{
			{Name: name, Finish: runtime.Finish{Value: value}},
			{Name: "b" + name, Err: errors.New(message)},
			{Name: "c", Finish: runtime.Finish{Value: "[1]", JSON: true}},
		}
		marked := results.String()
		head, _, _ := strings.Cut(marked, "\n")
		of := strings.TrimSuffix(head[strings.IndexByte(head, '"')+1:], `">`)
		// HTML reads some numbers as another character.
		if got := html.UnescapeString(of); got != string([]rune(name)) && !strings.Contains(of, "&#") {
			t.Errorf("the name %q is written %q", name, of)
		}
		for _, text := range []string{value, message, "[1]"} {
			marked = cutBlock(t, marked, text)
		}
		if marked != "" {
			t.Errorf("left over: %q", marked)
		}

		var members map[string]json.RawMessage
		object := results.Object().Value
		if err := json.Unmarshal([]byte(object), &members); err != nil {
			t.Fatalf("%v: %s", err, object)
		}
		var got string
		if json.Unmarshal(members[string([]rune(name))], &got) == nil && name != "c" && name != "_failed" && got != string([]rune(value)) {
			t.Errorf("%q: got %q in %s", name, got, object)
		}
	})
}
