package yamldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
)

// The functions of this file explain text in brackets that is not one text for YAML: expressions and placeholders, which
// have brackets and quotes of their own, and entries between which a comma is missing.

// colon reports whether the character at i is a colon that ends a key.
func (r *flowReader) colon(i int) bool {
	text := r.d.text
	if text[i] != ':' {
		return false
	}

	return i+1 == len(text) || isBlank(text[i+1]) || isBreak(text[i+1]) || strings.IndexByte(",[]{}", text[i+1]) >= 0 || r.whole
}

// key reads the colon behind a key.
func (r *flowReader) key(i int) int {
	b := r.last()
	if !b.keyed {
		r.value, r.whole, b.keyed = -1, false, true
		return i + 1
	}
	if r.value < 0 {
		r.d.report(i, i+1, i, "a key is missing before the colon")
		return -1
	}

	end := trimEnd(r.d.text, r.value, i)
	word := max(r.value, 1+bytes.LastIndexAny(r.d.text[:end], " \t\r\n"))
	r.d.report(i, i+1, i, "a second colon stands in this entry").
		WithHint("put a comma before %q if it is a key, or else quotes around the text", r.d.text[word:end])

	return -1
}

// text reads on in a key or a value that has begun.
func (r *flowReader) text(i int) int {
	d, c := r.d, r.d.text[i]
	if !r.whole {
		if c == '[' || c == '{' {
			return r.needsQuotes(r.value, i, "a text that contains %s must be quoted here", string(c))
		}
		return i + 1
	}

	end := d.flowTextEnd(i)
	switch first := d.text[r.value]; {
	case r.entryFollows(i):
		d.report(i, end, i, "a comma is missing before %q", d.text[i:end]).WithHint("entries in brackets are parted by commas")
	case first == '"' || first == '\'':
		d.behindQuote(r.value, i, end)
	default:
		f := d.report(i, end, i, "%q stands behind the closing bracket", d.text[i:end])
		d.hintWhole(f, r.value, end)
	}

	return -1
}

// entryFollows reports whether what stands at i looks like an entry of its own: in quotes or brackets, or with a key.
func (r *flowReader) entryFollows(i int) bool {
	if strings.IndexByte("[{\"'", r.d.text[i]) >= 0 {
		return true
	}
	end := r.d.flowTextEnd(i)

	return plainColon(r.d.text, i, end) > i
}

// needsQuotes reports the text that begins at start, which cannot be read on from i.
func (r *flowReader) needsQuotes(start, i int, format string, args ...any) int {
	d := r.d
	end := d.flowTextEnd(start)
	if colon := plainColon(d.text, start, end); colon > start && !r.last().keyed {
		end = trimEnd(d.text, start, colon)
	}
	text := d.text[start:end]
	f := d.report(start, end, i, format, args...)
	if bytes.Count(text, []byte("(")) != bytes.Count(text, []byte(")")) || r.goesOver(end) {
		f.WithHint("put quotes around all of it")
		return -1
	}
	quoted := quote(string(text))
	f.WithHint("write %s", quoted).WithFix("put quotes around it", f.Span, quoted)

	return -1
}

// goesOver reports whether a text that ends at end goes on in the next line.
func (r *flowReader) goesOver(end int) bool {
	next := skipSpace(r.d.text, end)

	return next < len(r.d.text) && strings.IndexByte(",]}:", r.d.text[next]) < 0
}

// hintWhole proposes quotes around a text that stands in one line.
func (d *doctor) hintWhole(f *diag.Diagnostic, start, end int) {
	if whole := string(d.text[start:end]); !strings.ContainsAny(whole, "\r\n") {
		f.WithHint("if all of it is text, write %s", quote(whole))
	}
}

// flowTextEnd returns where a text in brackets that begins at i ends, as its writer means it: before a comma or a bracket
// that is not its own, and in its line.
func (d *doctor) flowTextEnd(i int) int {
	start, depth := i, 0
	for ; i < len(d.text) && !isBreak(d.text[i]); i++ {
		switch c := d.text[i]; {
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case strings.IndexByte("]})", c) >= 0 && depth > 0:
			depth--
		case c == ']' || c == '}', c == ',' && depth == 0, c == '#' && isBlank(d.text[i-1]):
			return trimEnd(d.text, start, i)
		case c == '"' || c == '\'' && !inWord(d.text, i):
			if end := d.quoteEnd(i); end <= lineEnd(d.text, i) && d.text[end-1] == c {
				i = end - 1
			}
		}
	}

	return trimEnd(d.text, start, i)
}

// inWord reports whether the quote at i stands inside a word, as in don't.
func inWord(text []byte, i int) bool {
	return i > 0 && !isBlank(text[i-1]) && !isBreak(text[i-1]) && strings.IndexByte("[{(,:", text[i-1]) < 0
}

// isPlaceholder reports whether what begins at i with a brace is a placeholder, such as {{ input }}.
func isPlaceholder(text []byte, i int) bool {
	line := text[i:lineEnd(text, i)]

	return bytes.HasPrefix(line, []byte("{{")) && bytes.Contains(line, []byte("}}"))
}
