package remote_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
)

// inParts is a text that came in parts of size bytes.
func inParts(t *remote.Thoughts, text string, size int) string {
	var got strings.Builder
	for from := 0; from < len(text); from += size {
		got.WriteString(t.Part(text[from:min(from+size, len(text))]))
	}
	got.WriteString(t.Rest())

	return got.String()
}

var thoughtful = map[string]struct {
	answer   string
	some     bool
	headless bool
	// space was shown before it was known that nothing but a mark follows.
	space string
}{
	"":                                       {},
	" \n":                                    {answer: " \n"},
	"the answer":                             {answer: "the answer"},
	"  the answer ":                          {answer: "  the answer "},
	"<think>abc</think>the answer":           {answer: "the answer", some: true},
	"\n<think>\nabc\n</think>\n\nthe answer": {answer: "the answer", some: true},
	"<thinking>a</think>b</thinking> c":      {answer: "c", some: true},
	"<think></think><think>b</think>c":       {answer: "c", some: true},
	"<think>without an end":                  {some: true},
	"<think>":                                {some: true},
	"<think>a</think>":                       {some: true},
	"<think>a</thin":                         {some: true},
	"<think>a<think>b</think>c</think>d":     {answer: "d", some: true, headless: true},
	"<thi":                                   {answer: "<thi"},
	"<thinker>is a tag":                      {answer: "<thinker>is a tag"},
	"a <think>b</think> c":                   {answer: "a c", some: true},
	"Sure. <think>hm</think>final":           {answer: "Sure. final", some: true},
	"Sure.<think>hm</think> final":           {answer: "Sure. final", some: true},
	"Sure.\n\n<thinking>hm\n</thinking>\n\nend": {answer: "Sure.\n\nend", some: true},
	"Sure. <think>hm": {answer: "Sure. <think>hm"},
	"Answer. <think> is a tag that models use.":                   {answer: "Answer. <think> is a tag that models use."},
	"Sure.\n<think>hm":                                            {answer: "Sure.", some: true, space: " \n"},
	"<report><reasoning>r</reasoning><result>x</result></report>": {answer: "<report><reasoning>r</reasoning><result>x</result></report>"},
	"<report>\n  <reasoning>r</reasoning>\n  <thought>t</thought>\n</report>": {
		answer: "<report>\n  <reasoning>r</reasoning>\n  <thought>t</thought>\n</report>",
	},
	"<report id=\"1\">\n<reasoning>r</reasoning>\n</report>\n<reasoning>s</reasoning>\nend": {
		answer: "<report id=\"1\">\n<reasoning>r</reasoning>\n</report>\nend", some: true,
	},
	"A <reasoning>why</reasoning> element in my XML schema":                                      {answer: "A <reasoning>why</reasoning> element in my XML schema"},
	"A <reasoning> element in my XML schema":                                                     {answer: "A <reasoning> element in my XML schema"},
	"It ends with </reasoning> in my XML schema":                                                 {answer: "It ends with </reasoning> in my XML schema"},
	"A <reasoning>why\n</reasoning> element":                                                     {answer: "A <reasoning>why\n</reasoning> element"},
	"Sure.\n<reasoning>hm</reasoning>\nend":                                                      {answer: "Sure.\nend", some: true},
	"<think>r</think><reasoning>s</reasoning>final":                                              {answer: "final", some: true},
	"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Answer": {answer: "Answer", some: true},
	"<|start|>assistant<|channel|>final<|message|>Answer<|return|>":                              {answer: "Answer", some: true},
	"<|channel|>final<|message|>Answer":                                                          {answer: "Answer", some: true},
	"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.t<|message|>{}<|call|>": {
		answer: "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.t<|message|>{}<|call|>",
	},
	"<|channel|>commentary to=functions.t<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Answer": {
		answer: "<|channel|>commentary to=functions.t<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Answer",
	},
	"The mark <|channel|>final<|message|> is one": {answer: "The mark <|channel|>final<|message|> is one"},
	"The answer.\n<think>hm </thin":               {answer: "The answer.", some: true, space: " \n"},
	"The answer.\n<think>hm</think>\n":            {answer: "The answer.", some: true, space: " \n"},
	"The mark <think> is one":                     {answer: "The mark <think> is one"},
	"The mark is <think>":                         {answer: "The mark is <think>"},
	"The mark is <think> and no more":             {answer: "The mark is <think> and no more"},
	"<reasoning>r</reasoning>\nfinal":             {answer: "final", some: true},
	"<seed:think>r</seed:think>final":             {answer: "final", some: true},
	"<antThinking>r</antThinking>final":           {answer: "final", some: true},
	"<reflection>r</reflection>final":             {answer: "final", some: true},
	"<thought>r</thought>final":                   {answer: "final", some: true},
	"[THINK]r[/THINK]final":                       {answer: "final", some: true},
	"◁think▷r◁/think▷final":                       {answer: "final", some: true},
	"<|think|>r<|/think|>final":                   {answer: "final", some: true},
	"<|begin_of_thought|>\nr\n<|end_of_thought|>\n\n<|begin_of_solution|>\nfinal\n<|end_of_solution|>": {answer: "final", some: true, space: " \n"},
	"r◁/think▷final":                                   {answer: "final", some: true, headless: true},
	"r\n</reasoning>\nfinal":                           {answer: "final", some: true, headless: true},
	"<think>r</think>{\"a\":1}":                        {answer: `{"a":1}`, some: true},
	"{\"a\":1}\n<think>r</think>":                      {answer: `{"a":1}`, some: true, space: "\n"},
	"final<|im_end|>":                                  {answer: "final"},
	"final</s>":                                        {answer: "final"},
	"final\n<|im_end|>\n<|endoftext|>\n":               {answer: "final", space: " \n"},
	"<think>r</think>final<|eot_id|>":                  {answer: "final", some: true},
	"<｜end▁of▁sentence｜>":                              {answer: ""},
	"a <|im_end|> b":                                   {answer: "a <|im_end|> b"},
	"It is <s>old</s>":                                 {answer: "It is <s>old</s>"},
	"It ends with `<|im_end|>`":                        {answer: "It ends with `<|im_end|>`"},
	"It ends with \"</s>\"":                            {answer: "It ends with \"</s>\""},
	"Use `a <think>b</think>` so.":                     {answer: "Use `a <think>b</think>` so."},
	"So:\n```xml\n<think>b</think>\n</s>\n```":         {answer: "So:\n```xml\n<think>b</think>\n</s>\n```"},
	"So:\n```\nx\n```\n<think>b</think>end":            {answer: "So:\n```\nx\n```\nend", some: true},
	"````\n```\n<think>b</think>\n```\n````":           {answer: "````\n```\n<think>b</think>\n```\n````"},
	`{"a":"b <think>c</think>","d":["</s>"]}`:          {answer: `{"a":"b <think>c</think>","d":["</s>"]}`},
	"a < b, c > d, x[0], <b>bold</b>, [A](b), <A, [TH": {answer: "a < b, c > d, x[0], <b>bold</b>, [A](b), <A, [TH"},
	"a</think><think>b</think> c":                      {answer: "c", some: true, headless: true},
	"abc\n</think>\n\nthe answer":                      {answer: "the answer", some: true, headless: true},
	"</think>the answer":                               {answer: "the answer", some: true, headless: true},
	"abc</think>":                                      {some: true, headless: true},
	`{"mark":"</think>"}`:                              {answer: `{"mark":"</think>"}`},
	"Models end them with `</think>`.":                 {answer: "Models end them with `</think>`."},
	"```\n</think>\n```":                               {answer: "```\n</think>\n```"},
}

// TestThoughts: thoughts are not in the text, however it comes.
func TestThoughts(t *testing.T) {
	for text, want := range thoughtful {
		answer, some, headless := remote.WithoutThoughts(text)
		if answer != want.answer || some != want.some || headless != want.headless {
			t.Errorf("%q: %q, %v, %v", text, answer, some, headless)
		}
		for size := 1; size <= len(text); size++ {
			inside := remote.Thoughts{Inside: true}
			if got := strings.TrimRight(inParts(&inside, text, size), want.space); got != want.answer || inside.Some != want.some {
				t.Errorf("%q in parts of %d, from within: %q, %v", text, size, got, inside.Some)
			}
			if plain := (remote.Thoughts{}); !want.headless {
				if got := strings.TrimRight(inParts(&plain, text, size), want.space); got != want.answer {
					t.Errorf("%q in parts of %d: %q", text, size, got)
				}
			}
		}
	}
}

// FuzzThoughts: a text is the same in parts and whole, and what is left of it is an end of it.
func FuzzThoughts(f *testing.F) {
	for text := range thoughtful {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 {
			return
		}
		var whole, parts remote.Thoughts
		want := whole.Part(text) + whole.Rest()
		if got := inParts(&parts, text, size); got != want || parts.Some != whole.Some {
			t.Errorf("%q in parts of %d: %q, not %q", text, size, got, want)
		}
		if !isWithin(want, text) {
			t.Errorf("%q is no part of %q", want, text)
		}
		if !strings.ContainsAny(text, "<[◁") && want != text {
			t.Errorf("%q without marks: %q", text, want)
		}
		answer, some, _ := remote.WithoutThoughts(text)
		if !isWithin(answer, text) || !some && !strings.HasPrefix(text, answer) {
			t.Errorf("%q of %q", answer, text)
		}
	})
}

// isWithin reports whether a text is another one without some of its bytes.
func isWithin(part, text string) bool {
	for i := 0; i < len(text) && part != ""; i++ {
		if text[i] == part[0] {
			part = part[1:]
		}
	}

	return part == ""
}
