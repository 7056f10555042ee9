package yamldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// value reads the value at d.i. afterKey says that it stands on the line of its key, so that it cannot be `key: value`.
func (d *doctor) value(afterKey bool) {
	if d.atEnd() {
		if t := d.top(); t != nil {
			t.open = true
		}
		d.i = nextLine(d.text, d.i)
		return
	}

	start := d.i
	end := trimEnd(d.text, start, lineEnd(d.text, start))
	switch c := d.text[start]; {
	case c == '"' || c == '\'':
		d.quoted()
	case c == '{' && isPlaceholder(d.text, start):
		d.mustQuote(start, end, "a text that begins with {{ must be quoted")
	case c == '[' || c == '{':
		d.flow()
	case c == '|' || c == '>':
		d.block()
	case c == '&' && anchorEnd(d.text, start) > start+1:
		d.anchors[string(d.text[start+1:anchorEnd(d.text, start)])] = true
		d.property(anchorEnd(d.text, start), afterKey)
	case c == '!' && !knownTag(string(d.text[start:tagEnd(d.text, start)])):
		d.mustQuote(start, end, "a text that begins with ! must be quoted")
	case c == '!':
		d.property(tagEnd(d.text, start), afterKey)
	case strings.IndexByte("*&@`%]},", c) >= 0:
		d.indicator(start, end)
	case afterKey && d.entryDash():
		d.report(start, start+1, start, "a list cannot begin on the line of its key").WithHint("put - on a line of its own")
	default:
		d.plain(start, end, afterKey)
	}
}

// knownTag reports whether the library can read a tag.
func knownTag(tag string) bool {
	if strings.HasPrefix(tag, "!<") {
		return strings.HasSuffix(tag, ">")
	}

	return strings.Count(strings.TrimPrefix(tag, "!!"), "!") < 2 && strings.LastIndexByte(tag, '!') <= 1
}

// property skips an anchor or a tag.
func (d *doctor) property(end int, afterKey bool) {
	for d.i = end; d.i < len(d.text) && isBlank(d.text[d.i]); d.i++ {
	}
	if !afterKey && !d.atEnd() && plainColon(d.text, d.i, lineEnd(d.text, d.i)) >= 0 {
		d.keyOrText(lineStart(d.text, d.i))
		return
	}
	d.value(afterKey)
}

// indicator reads a text that begins with a character that means something else in YAML.
func (d *doctor) indicator(start, end int) {
	c := d.text[start]
	word := string(d.text[start:end])
	if c == '*' {
		name := word[1:]
		stop := anchorEnd(d.text, start)
		if stop == end && d.anchors[name] {
			d.i = nextLine(d.text, start)
			return
		}
		if stop == end && stop > start+1 {
			d.report(start, end, start, "%q is an alias, and no anchor %q stands above it", word, "&"+name).
				WithHint("if it is a text, write %s", quote(word))
			return
		}
	}
	if c == '!' || c == '&' && anchorEnd(d.text, start) > start+1 {
		return
	}
	d.mustQuote(start, end, "a text that begins with %s must be quoted", string(c))
}

// mustQuote reports a text that needs quotes, which is a mend that is certain if nothing but a comment stands around it.
func (d *doctor) mustQuote(start, end int, format string, args ...any) {
	for i := start + 1; i < end; i++ {
		if d.text[i] == '#' && isBlank(d.text[i-1]) {
			end = i
		}
	}
	end = trimEnd(d.text, start, end)
	text := string(d.text[start:end])
	quoted := quote(text)
	f := d.report(start, end, start, format, args...)
	switch goesOn := d.goesOn(start); {
	case goesOn && strings.HasSuffix(text, ":"):
		f.WithHint("a key that stands in another one begins a line of its own, indented deeper")
	case goesOn:
		f.WithHint("put quotes around all of its lines, or write >- here and the text on the lines below")
	case start > 0 && !isBlank(d.text[start-1]) && !isBreak(d.text[start-1]):
		f.WithHint("put quotes around all of it")
	default:
		f.WithHint("write %s", quoted).WithFix("put quotes around it", f.Span, quoted)
	}
}

// goesOn reports whether the value at start goes on below: the next line with text is indented deeper than its key.
func (d *doctor) goesOn(start int) bool {
	indent := -1
	if t := d.top(); t != nil {
		indent = t.indent
	}
	for line := nextLine(d.text, start); line < len(d.text); line = nextLine(d.text, line) {
		first := line + d.indentOf(line)
		if rest := bytes.TrimLeft(d.text[first:lineEnd(d.text, line)], "\t"); len(rest) > 0 && rest[0] != '#' {
			return first-line > indent && !(first == line && isMarker(rest))
		}
	}

	return false
}

// quote puts a one-line text in the quotes that need no change inside.
func quote(text string) string {
	if !strings.ContainsAny(text, `"\`) {
		return `"` + text + `"`
	}

	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// plain reads plain text.
func (d *doctor) plain(start, end int, afterKey bool) {
	if colon := plainColon(d.text, start, end); colon >= 0 && afterKey {
		d.mustQuote(start, end, "a value that contains a colon and a space must be quoted")
		return
	}
	if t := d.top(); t != nil {
		t.text = true
	}
	d.i = nextLine(d.text, start)
}

// quoteEnd returns the end of the quoted text at i.
func (d *doctor) quoteEnd(i int) int {
	if d.text[i] == '"' {
		return doubleQuotedEnd(d.text, i)
	}

	return singleQuotedEnd(d.text, i)
}

// quoted reads a text in quotes and what stands behind it.
func (d *doctor) quoted() {
	start, end := d.i, d.quoteEnd(d.i)
	quote := d.text[start]
	closed := end > start+1 && d.text[end-1] == quote
	line := lineEnd(d.text, start)
	first := trimEnd(d.text, start, line)
	switch rest := d.behind(end); {
	case !closed, end > line && rest != "":
		limit := end
		if !closed {
			limit = len(d.text)
		}
		d.report(start, first, limit-1, "the quote %s that begins here is not closed", string(quote))
		return
	case rest != "":
		at := end
		for isBlank(d.text[at]) {
			at++
		}
		d.behindQuote(start, at, at+len(rest))
		return
	}
	if quote == '"' {
		d.escapes(start, end)
	}
	d.i = nextLine(d.text, end)
}

// behindQuote reports the text in [at, end), which stands behind a text in quotes that begins at start.
func (d *doctor) behindQuote(start, at, end int) {
	f := d.report(at, end, at, "%q stands behind the closing quote", d.text[at:end])
	switch whole := string(d.text[start:end]); {
	case d.text[end-1] != d.text[start]:
		f.WithHint("if all of it is text, write %s", quote(whole))
	case d.text[start] == '\'':
		f.WithHint("inside single quotes, a single quote is written twice: ''")
	default:
		f.WithHint(`inside double quotes, a double quote is written \"`)
	}
}

// behind returns the text between i and the end of the line that is no comment.
func (d *doctor) behind(i int) string {
	if i > len(d.text) {
		return ""
	}
	rest := d.text[i:lineEnd(d.text, i)]
	trimmed := strings.Trim(string(rest), " \t")
	if strings.HasPrefix(trimmed, "#") && isBlank(rest[0]) {
		return ""
	}

	return trimmed
}

// escapes looks for an escape that double quotes do not know.
func (d *doctor) escapes(start, end int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	for i := start + 1; i < end-1; i++ {
		if d.text[i] != '\\' {
			continue
		}
		i++
		c := d.text[i]
		_, size := utf8.DecodeRune(d.text[i:])
		n := digits[c]
		switch {
		case n > 0 && !isHex(d.text[i+1:min(i+1+n, end-1)], n):
			d.report(i-1, min(i+1+n, end-1), i, `\%s needs %d hexadecimal digits`, string(c), n)
			return
		case n == 0 && strings.IndexByte("0abt\tnvfre \"/\\N_LP\r\n'", c) < 0:
			d.report(i-1, i+size, i, `%s is no escape that double quotes know`, string(d.text[i-1:i+size])).
				WithHint(`write \\ for a backslash, or use single quotes`)
			return
		}
	}
}

func isHex(digits []byte, n int) bool {
	for _, c := range digits {
		if strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			return false
		}
	}

	return len(digits) == n
}

// block reads a literal or folded text.
func (d *doctor) block() {
	start := d.i
	end := trimEnd(d.text, start, lineEnd(d.text, start))
	if rest := strings.TrimLeft(string(d.text[start+1:end]), "+-123456789"); rest != "" && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") {
		at := end - len(strings.TrimLeft(rest, " \t"))
		d.report(at, end, start, "text stands behind %s; it must begin on the next line", string(d.text[start])).
			WithHint("a text that begins with %s must be quoted", string(d.text[start]))
		return
	}

	parent := -1
	if t := d.top(); t != nil {
		parent = t.indent
	}
	content, firstLine := -1, 0
	for i := nextLine(d.text, start); ; i = nextLine(d.text, i) {
		n := d.indentOf(i)
		stop := lineEnd(d.text, i)
		switch {
		case i >= len(d.text):
			d.i = i
			return
		case i+n == stop:
		case n <= parent && d.text[i+n] == '\t', content < 0 && d.text[i+n] == '\t':
			d.tab(i + n)
			return
		case n <= parent:
			d.i = i
			return
		case content < 0:
			content, firstLine = n, i
		case n < content && d.text[i+n] != '#':
			d.report(i+n, trimEnd(d.text, i, stop), i, "this line of the text is indented by %s, its first line by %s", spaces(n), spaces(content)).
				Note(d.span(firstLine+content, trimEnd(d.text, firstLine, lineEnd(d.text, firstLine))), "the text begins here")
			return
		}
	}
}
