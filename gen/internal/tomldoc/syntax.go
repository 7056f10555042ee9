package tomldoc

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// explain writes the finding for a text that the library refuses: at the place that the library names, in our words,
// which follow from what stands there.
func explain(f *source.File, base int, err error) []*diag.Diagnostic {
	at, size := base, 0
	var pe toml.ParseError
	if errors.As(err, &pe) {
		at = min(base+max(pe.Position.Start, 0), len(f.Bytes))
		size = max(pe.Position.Len, 0)
		if strings.Contains(pe.Message, "already") {
			if found := duplicates(f, base, at); found != nil {
				return found
			}
		}
	}

	p := &problem{f: f, at: at, quote: -1}
	p.scan(base)
	p.line = bytes.LastIndexByte(f.Bytes[:at], '\n') + 1
	p.end = len(f.Bytes)
	if n := bytes.IndexByte(f.Bytes[p.line:], '\n'); n >= 0 {
		p.end = p.line + n
	}
	p.end = p.line + len(strings.TrimRight(string(f.Bytes[p.line:p.end]), " \t\r"))
	p.stop = min(at+size, p.end)

	return []*diag.Diagnostic{p.explain()}
}

// duplicates reads the text up to the line of at, which is valid but for a key that stands twice.
func duplicates(f *source.File, base, at int) []*diag.Diagnostic {
	end := len(f.Bytes)
	if n := bytes.IndexByte(f.Bytes[at:], '\n'); n >= 0 {
		end = at + n
	}
	if check(f.Bytes[base:end]) == nil {
		return nil
	}
	r := &reader{file: f, text: f.Bytes[:end], i: base}
	if !r.try() {
		return nil
	}

	return r.duplicates
}

// try reads the document and reports whether it could: a text that is faulty in a second way may end too early.
func (r *reader) try() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	r.document()

	return true
}

// problem is a place that is not TOML: the line [line, end), in it the offset at up to stop.
type problem struct {
	f                   *source.File
	at, stop, line, end int

	quote int   // offset of the quotes in which the place stands, -1 for none
	open  []int // offsets of the brackets in which it stands
}

// scan finds in what the place stands, by reading the text before it.
func (p *problem) scan(i int) {
	text := p.f.Bytes
	for fresh := true; i < p.at; {
		c := text[i]
		switch {
		case c == '"' || c == '\'':
			end := stringEnd(text, i)
			if end > p.at {
				p.quote = i
			}
			i, fresh = end, false
			continue
		case c == '#' || c == '[' && fresh && len(p.open) == 0:
			for i < p.at && text[i] != '\n' {
				i++
			}
			continue
		case c == '[' || c == '{':
			p.open = append(p.open, i)
		case (c == ']' || c == '}') && len(p.open) > 0:
			p.open = p.open[:len(p.open)-1]
		}
		if c != ' ' && c != '\t' && c != '\r' {
			fresh = c == '\n'
		}
		i++
	}
}

func (p *problem) report(start, end int, format string, args ...any) *diag.Diagnostic {
	return diag.New(diag.Syntax, source.Span{File: p.f, Start: start, End: max(start, end)}, format, args...)
}

var (
	fieldPattern = regexp.MustCompile(`^([ \t]*)([A-Za-z0-9_.-]+|"[^"]*"|'[^']*')([ \t]*)([=:]?)[ \t]*`)
	wordPattern  = regexp.MustCompile(`^[^\s#,"'\[\]{}=][^#,"'\[\]{}]*`)
)

// explain looks at the line for the usual mistakes.
func (p *problem) explain() *diag.Diagnostic {
	text := string(p.f.Bytes[p.line:p.end])
	first := p.line + len(text) - len(strings.TrimLeft(text, " \t"))
	switch {
	case p.quote >= 0 && p.quote < p.line || p.quote >= 0 && bytes.HasPrefix(p.f.Bytes[p.quote:], []byte(`"""`)):
		return p.report(p.quote, p.quote+3, "the quotes that begin here are not closed")
	case len(p.open) > 0:
		return p.bracket(first)
	case first >= p.end:
		return p.report(p.at, p.at, "the text ends too early")
	case p.f.Bytes[first] == '[':
		return p.header(first)
	case p.f.Bytes[first] == '=':
		return p.report(first, first+1, "a key is missing before the =")
	}

	m := fieldPattern.FindStringSubmatchIndex(text)
	if key, _, ok := strings.Cut(text, "="); ok && m == nil {
		key = strings.TrimSpace(key)
		return p.report(first, first+len(key), "key %q must stand in quotes", key)
	}
	if m == nil || p.line+m[8] < p.at && m[8] == m[9] {
		return p.value(first)
	}
	key := text[m[4]:m[5]]
	switch text[m[8]:m[9]] {
	case "":
		return p.report(first, p.end, "this line is no field: = is missing").WithHint("a field is written key = value")
	case ":":
		return p.report(p.line+m[8], p.line+m[9], "key %q is followed by a colon; TOML writes =", key).
			WithFix("write =", source.Span{File: p.f, Start: p.line + m[8], End: p.line + m[9]}, " =")
	}
	if start := p.line + m[1]; start >= p.end || p.f.Bytes[start] == '#' {
		return p.report(p.line+m[4], p.line+m[5], "key %q has no value", key)
	} else if p.at >= start {
		return p.value(start)
	}

	return p.report(first, p.end, "this line cannot be read as TOML")
}

// bracket explains a place inside of brackets or braces.
func (p *problem) bracket(first int) *diag.Diagnostic {
	opener := p.open[len(p.open)-1]
	c := p.f.Bytes[opener]
	if m := fieldPattern.FindSubmatch(p.f.Bytes[p.line:p.end]); first >= p.end || opener < p.line && (m != nil && string(m[4]) == "=" || p.f.Bytes[first] == '[') {
		return p.report(opener, opener+1, "the %s that begins here is not closed", string(c)).WithHint("%s is missing", string(c+2))
	}
	if p.at < p.end && p.f.Bytes[p.at] == '\\' {
		return p.value(p.at)
	}
	word := strings.TrimRight(wordPattern.FindString(string(p.f.Bytes[min(p.at, p.end):p.end])), " \t")
	switch {
	case p.at < p.end && p.f.Bytes[p.at] == ',':
		return p.report(p.at, p.at+1, "nothing stands before this comma")
	case word == "":
		return p.report(p.at, p.stop, "a comma or %s is missing here", string(c+2))
	case p.afterValue():
		return p.report(p.at, p.at+len(word), "a comma or %s is missing before %q", string(c+2), word)
	}

	return p.value(p.at)
}

// afterValue reports whether a value ends before the place, so that a comma was expected there.
func (p *problem) afterValue() bool {
	before := bytes.TrimRight(p.f.Bytes[:p.at], " \t\r\n")

	return len(before) > 0 && bytes.IndexByte([]byte("[{,="), before[len(before)-1]) < 0
}

// header explains a line that begins with [.
func (p *problem) header(first int) *diag.Diagnostic {
	text := string(p.f.Bytes[first:p.end])
	name := strings.Trim(text, "[] \t")
	switch {
	case name == "":
		return p.report(first, p.end, "the name of the table is missing")
	case !strings.Contains(text, "]"):
		return p.report(first, p.end, "the [ that begins here is not closed").WithHint("] is missing")
	}
	behind := first + strings.LastIndexByte(text, ']') + 1
	if p.at < p.end {
		behind = p.at
	}
	rest := strings.TrimSpace(string(p.f.Bytes[behind:p.end]))
	if rest != "" && (strings.Contains(rest, "=") || strings.Contains(text, "]]") != strings.HasPrefix(text, "[[")) {
		return p.report(behind, p.end, "%q stands behind the name of the table", rest)
	}

	return p.report(first, p.end, "this is no name of a table").WithHint("names with other characters than letters, digits, - and _ stand in quotes")
}

// value explains a value that begins at start, or a line in the middle of one.
func (p *problem) value(start int) *diag.Diagnostic {
	text := string(p.f.Bytes[start:p.end])
	switch c := text[0]; {
	case (c == '"' || c == '\'') && p.at > start && stringEnd(p.f.Bytes[:p.end], start) >= p.end && !strings.HasSuffix(text[1:], string(c)):
		return p.report(start, p.end, "the quote %s that begins here is not closed", string(c))
	case p.at+1 < p.end && p.f.Bytes[p.at] == '\\' && strings.IndexByte("xuU", p.f.Bytes[p.at+1]) >= 0:
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.f.Bytes[p.at+1]]
		return p.report(p.at, p.stop, `\%s needs %d hexadecimal digits`, string(p.f.Bytes[p.at+1]), digits)
	case p.at < p.end && p.f.Bytes[p.at] == '\\':
		return p.report(p.at, p.stop, "%s is no escape that double quotes know", string(p.f.Bytes[p.at:p.stop])).
			WithHint(`write \\ for a backslash, or use single quotes`)
	case p.at > start && p.at < p.end:
		rest := strings.TrimSpace(string(p.f.Bytes[p.at:p.end]))
		return p.report(p.end-len(rest), p.end, "%q cannot stand here", rest).
			WithHint("a comma, a closing bracket or the end of the line was expected")
	case c == '"' || c == '\'':
		return p.report(start, p.end, "the quote %s that begins here is not closed", string(c))
	}

	word := strings.TrimRight(wordPattern.FindString(text), " \t")
	end := start + len(word)
	switch lower := strings.ToLower(word); {
	case word == "":
		return p.report(p.at, p.end, "a value was expected, found %q", text)
	case lower == "true" || lower == "false":
		return p.report(start, end, "%q is written %s", word, lower).
			WithFix("write "+lower, source.Span{File: p.f, Start: start, End: end}, lower)
	case len(word) > 18 && strings.Trim(word, "0123456789_+-") == "":
		return p.report(start, end, "%s is too large for a whole number", word)
	case strings.IndexByte("0123456789+-.", word[0]) >= 0:
		return p.report(start, end, "%q is no number, date or time", word).WithHint("a text stands in quotes")
	case strings.ContainsAny(word, `"\`):
		return p.report(start, end, "a text must stand in quotes")
	}

	return p.report(start, end, "a text must stand in quotes").WithHint("write %q", word).
		WithFix("put quotes around it", source.Span{File: p.f, Start: start, End: end}, `"`+word+`"`)
}
