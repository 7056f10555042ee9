package remote_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
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
	"a <think>b</think> c":                   {answer: "a <think>b</think> c"},
	"a</think><think>b</think> c":            {answer: "c", some: true, headless: true},
	"abc\n</think>\n\nthe answer":            {answer: "the answer", some: true, headless: true},
	"</think>the answer":                     {answer: "the answer", some: true, headless: true},
	"abc</think>":                            {some: true, headless: true},
	`{"mark":"</think>"}`:                    {answer: `{"mark":"</think>"}`},
	"Models end them with `</think>`.":       {answer: "Models end them with `</think>`."},
	"```\n</think>\n```":                     {answer: "```\n</think>\n```"},
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
			if got := inParts(&inside, text, size); got != want.answer || inside.Some != want.some {
				t.Errorf("%q in parts of %d, from within: %q, %v", text, size, got, inside.Some)
			}
			if plain := (remote.Thoughts{}); !want.headless {
				if got := inParts(&plain, text, size); got != want.answer {
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
		if !strings.HasSuffix(text, want) {
			t.Errorf("%q is not the end of %q", want, text)
		}
		if answer, some, _ := remote.WithoutThoughts(text); !strings.HasSuffix(text, answer) || !some && answer != text {
			t.Errorf("%q of %q", answer, text)
		}
	})
}
