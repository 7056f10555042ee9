package check

import (
	"bytes"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// comments returns the comments of a file, each from its # to the end of its line: of a Markdown file those of the
// frontmatter, of YAML and TOML all. What stands in quotes or in a block of text is none. Files of other kinds have none.
func comments(f *source.File) []source.Span {
	if !bytes.Contains(f.Bytes, []byte(ignoreMark)) {
		return nil // nothing that anybody asks for; most files end here
	}
	s := &commentScanner{f: f}
	switch path.Ext(f.Path) {
	case ".md":
		s.frontmatter()
	case ".yaml", ".yml":
		s.lines(1, f.LineCount())
	case ".toml":
		s.toml = true
		s.lines(1, f.LineCount())
	}

	return s.found
}

// commentScanner reads lines one after the other and knows what is open at the end of each.
type commentScanner struct {
	f    *source.File
	toml bool
	// quote closes the text in quotes that the scanner is in; "" outside of one.
	quote string
	// block is the indentation of what holds the block of text (| or >) that the scanner is in; -1 outside of one.
	block int
	found []source.Span
}

// frontmatter scans the lines between the two that hold nothing but ---.
func (s *commentScanner) frontmatter() {
	if last := headEnd(s.f); last > 0 {
		s.lines(2, last-1)
	}
}

// headEnd returns the number of the line --- that ends the frontmatter of a Markdown file; 0 if it has none.
func headEnd(f *source.File) int {
	if strings.TrimRight(f.Line(1), " \t") != "---" {
		return 0
	}
	for line := 2; line <= f.LineCount(); line++ {
		if strings.TrimRight(f.Line(line), " \t") == "---" {
			return line
		}
	}

	return 0
}

func (s *commentScanner) lines(first, last int) {
	s.block = -1
	for line := first; line <= last; line++ {
		from, to := s.f.LineStart(line), len(s.f.Bytes)
		if line < s.f.LineCount() {
			to = s.f.LineStart(line + 1)
		}
		s.line(from, bytes.TrimRight(s.f.Bytes[from:to], "\r\n"))
	}
}

// line scans one line that begins at the offset from.
func (s *commentScanner) line(from int, text []byte) {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	if s.block >= 0 {
		if indent > s.block || len(bytes.TrimSpace(text)) == 0 {
			return
		}
		s.block = -1
	}

	end := len(text)
	for i := 0; i < len(text); {
		switch {
		case s.quote != "":
			i = s.inQuotes(text, i)
		case text[i] == '#' && (i == 0 || s.toml || text[i-1] == ' ' || text[i-1] == '\t'):
			s.found = append(s.found, source.Span{File: s.f, Start: from + i, End: from + len(text)})
			end, i = i, len(text)
		case (text[i] == '"' || text[i] == '\'') && s.opens(text, i):
			s.quote = s.quoteAt(text, i)
			i += len(s.quote)
		default:
			i++
		}
	}
	if s.quote == "" && !s.toml && opensBlock(text[:end]) {
		s.block = parentIndent(text, indent)
	}
	if s.toml && len(s.quote) == 1 {
		s.quote = "" // a line break ends it, which the parser has reported
	}
}

// inQuotes returns where to go on in text: behind the closing quote, an escape or a character.
func (s *commentScanner) inQuotes(text []byte, i int) int {
	switch {
	case s.quote[0] == '"' && text[i] == '\\':
		return i + 2
	case !s.toml && s.quote == "'" && bytes.HasPrefix(text[i:], []byte("''")):
		return i + 2
	case bytes.HasPrefix(text[i:], []byte(s.quote)):
		i += len(s.quote)
		s.quote = ""
		return i
	}

	return i + 1
}

// opens reports whether the quote at i begins a text: in TOML always, in YAML where a value begins.
func (s *commentScanner) opens(text []byte, i int) bool {
	if s.toml {
		return true
	}
	before := bytes.TrimRight(text[:i], " \t")
	if len(before) == 0 {
		return true
	}
	switch before[len(before)-1] {
	case '[', '{', ',':
		return true
	case ':', '-', '?':
		return len(before) < i || before[len(before)-1] == ':'
	}

	return false
}

func (s *commentScanner) quoteAt(text []byte, i int) string {
	quote := string(text[i : i+1])
	if triple := strings.Repeat(quote, 3); s.toml && bytes.HasPrefix(text[i:], []byte(triple)) {
		return triple
	}

	return quote
}

// opensBlock reports whether a line without its comment ends with the sign of a block of text, such as `key: |-` or `- >2`.
func opensBlock(text []byte) bool {
	text = bytes.TrimRight(text, " \t")
	sign := len(text) - 1
	for sign >= 0 && (text[sign] == '+' || text[sign] == '-' || '0' <= text[sign] && text[sign] <= '9') {
		sign--
	}
	if sign < 0 || text[sign] != '|' && text[sign] != '>' {
		return false
	}
	before := bytes.TrimRight(text[:sign], " \t")

	return len(before) < sign && len(before) > 0 && (before[len(before)-1] == ':' || before[len(before)-1] == '-')
}

// parentIndent returns the column of what holds the value at the end of a line: its key, or the last dash before it.
func parentIndent(text []byte, indent int) int {
	dash, at := indent, indent
	for at+1 < len(text) && text[at] == '-' && text[at+1] == ' ' {
		dash = at
		at = len(text) - len(bytes.TrimLeft(text[at+1:], " "))
	}
	if at < len(text) && (text[at] == '|' || text[at] == '>') {
		return dash
	}

	return at
}
