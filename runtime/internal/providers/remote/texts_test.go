package remote_test

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// written are texts in a list, by memory and without one.
func written(known *remote.Texts, texts []string) (got, want []byte) {
	w := known.Begin()
	for _, text := range texts {
		got = append(w.Append(got, text), ',')
		want = append(jsontext.Append(want, text), ',')
	}
	known.End(w, got)

	return got, want
}

// TestTextsAreWhatTheyAreAlone: whatever was written before, by whom, a text is written as it is.
func TestTextsAreWhatTheyAreAlone(t *testing.T) {
	long := func(s string) string { return strings.Repeat(s+"\"\n", 40) }
	conversations := [][]string{
		{long("a")},
		{long("a"), "short", long("b")},
		{long("a"), "another", long("b"), long("c")},
		{long("b"), long("c"), long("a")}, // what was first is forgotten
		{"short"},
		nil,
		{long("b"), long("c"), long("a"), strings.Repeat("x", 17<<20)}, // more than is kept
		{long("b"), long("c"), long("d")},
	}
	var known remote.Texts
	for i, texts := range conversations {
		if got, want := written(&known, texts); !bytes.Equal(got, want) {
			t.Errorf("conversation %d", i)
		}
	}

	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			texts := []string{long("system")}
			for turn := range 50 {
				texts = append(texts, long(strconv.Itoa(i)+"."+strconv.Itoa(turn)))
				if got, want := written(&known, texts); !bytes.Equal(got, want) {
					t.Errorf("conversation %d, turn %d", i, turn)
				}
			}
		})
	}
	group.Wait()
}

// TestArgumentsAreNotTexts: what was written as one thing is not found as another, and arguments that are none are what they are alone.
func TestArgumentsAreNotTexts(t *testing.T) {
	texts := []string{`{}`, ``, `{"query":"` + strings.Repeat(`who \"wrote\" it `, 9) + `"}`, `[1]`, `{"a":`, strings.Repeat("plain ", 20), `{}`}
	forms := []struct {
		append func(w *remote.Writing, dst []byte, text string) []byte
		alone  func(dst []byte, text string) []byte
	}{
		{(*remote.Writing).Append, jsontext.Append},
		{(*remote.Writing).Arguments, func(dst []byte, text string) []byte { return append(dst, remote.Arguments(text)...) }},
		{(*remote.Writing).ArgumentsText, func(dst []byte, text string) []byte { return jsontext.Append(dst, remote.Arguments(text)) }},
	}
	var known remote.Texts
	for turn := range 12 {
		var got, want []byte
		w := known.Begin()
		for i, text := range texts {
			form := forms[(i+turn/2)%len(forms)] // each twice in a row, so that it is found once
			got = append(form.append(w, got, text), ',')
			want = append(form.alone(want, text), ',')
		}
		known.End(w, got)
		if !bytes.Equal(got, want) {
			t.Errorf("turn %d: %s, not %s", turn, got, want)
		}
	}
}
