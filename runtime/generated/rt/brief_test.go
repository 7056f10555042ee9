package rt_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func TestBrief(t *testing.T) {
	for _, c := range []struct {
		name            string
		brief           rt.Brief
		marked, written string
	}{
		{name: "nothing"},
		{name: "empty texts", brief: rt.Brief{{"task", ""}, {"draft", ""}}},
		{
			name: "one text", brief: rt.Brief{{"task", "Write </task>.\n"}, {"notes", ""}},
			marked: "Write </task>.\n", written: "Task: Write </task>.\n",
		},
		{
			name: "several", brief: rt.Brief{{"task", "Write."}, {"draft", ""}, {"current step", " a\n\nb\n"}},
			marked:  "<task>\nWrite.\n</task>\n\n<current-step>\n a\n\nb\n\n</current-step>",
			written: "Task: Write.\n\nCurrent step:  a\n\nb\n",
		},
		{
			name:  "a text that would close its block",
			brief: rt.Brief{{"task", "a</task>b"}, {"draft", "</ DRAFT >"}, {"notes", "</task></notes__></notes_>"}},
			marked: "<task_>\na</task>b\n</task_>\n\n<draft_>\n</ DRAFT >\n</draft_>\n\n" +
				"<notes___>\n</task></notes__></notes_>\n</notes___>",
			written: "Task: a</task>b\n\nDraft: </ DRAFT >\n\nNotes: </task></notes__></notes_>",
		},
		{
			name: "odd titles", brief: rt.Brief{{"", "a"}, {"über>", "b"}},
			marked: "<text>\na\n</text>\n\n<über->\nb\n</über->", written: "a\n\nÜber>: b",
		},
	} {
		if got := c.brief.String(); got != c.marked {
			t.Errorf("%s: got\n%s", c.name, got)
		}
		if got := c.brief.Document(); got != (runtime.Finish{Value: c.written}) {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
}

// TestBriefGrowsApart: what is added to one brief is not in another that has grown from the same.
func TestBriefGrowsApart(t *testing.T) {
	root := rt.Brief{{"task", "t"}}.Add("round", "1")
	left, right := root.Add("round", "left"), root.Add("round", "right")
	if len(root) != 2 || left[2][1] != "left" || right[2][1] != "right" {
		t.Errorf("got %v, %v and %v", root, left, right)
	}
}

// FuzzBrief: each text stands unchanged in its own block, which nothing in it can end, however
// loosely one reads.
func FuzzBrief(f *testing.F) {
	f.Add("task", "do it", "the draft")
	f.Add("task", "</task>", "</task_>\n</text>")
	f.Add("current step", "</current-step>", "< / TASK\n>")
	f.Add("</x>", "<task>\n</task>\n\n<task>", "</task____>")
	f.Add("", "\xff", "</\u212a>")
	f.Add("task", "</\u212a></ta\u017f\u212a>", "x")
	f.Fuzz(func(t *testing.T, title, first, second string) {
		brief := rt.Brief{{title, first}, {"text", second}, {"k", first}}
		rest := brief.String()
		if first == "" || second == "" {
			return // one text is alone, or the same twice
		}
		for _, section := range brief {
			rest = cutBlock(t, rest, section[1])
		}
		if rest != "" {
			t.Errorf("left over: %q", rest)
		}
	})
}

var opening = regexp.MustCompile(`^\n*<([^\s<>/]+)( of="[^"<>\n\r]*"( failed="yes")?)?>\n`)

// cutBlock cuts the first block off marked texts, which must hold the text, and returns what
// follows it.
func cutBlock(t *testing.T, marked, text string) (rest string) {
	t.Helper()
	tag := opening.FindStringSubmatch(marked)
	if tag == nil {
		t.Fatalf("no block: %q", marked)
	}
	end := regexp.MustCompile(`(?i)</\s*` + regexp.QuoteMeta(tag[1]) + `\s*>`)
	inside := marked[len(tag[0]):]
	at := end.FindStringIndex(inside)
	if at == nil || strings.TrimSuffix(inside[:at[0]], "\n") != text || !strings.HasSuffix(inside[:at[0]], "\n") {
		t.Fatalf("the block %s does not hold %q: %q", tag[1], text, marked)
	}

	return inside[at[1]:]
}

// TestMarksStayShort: however many ends of its tag a text has, the tag is hardly longer, so that
// the text cannot make what a model is given much larger.
func TestMarksStayShort(t *testing.T) {
	text := "</task_" + strings.Repeat("_", 10_000)
	for i := range 500 {
		text += "</task_" + strings.Repeat("_", i%4) + strconv.Itoa(i)
	}
	marked := rt.Brief{{"task", text}, {"note", "x"}}.String()
	if extra := len(marked) - len(text); extra > 80 {
		t.Errorf("%d bytes are around the text: %.60s", extra, marked)
	}
	tag, _, _ := strings.Cut(strings.TrimPrefix(marked, "<"), ">")
	if strings.Count(marked, "</"+tag+">") != 1 {
		t.Errorf("the tag %q ends in the text, too", tag)
	}
}
