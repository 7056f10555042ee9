package yamldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Frontmatter is a Markdown file with a YAML frontmatter.
type Frontmatter struct {
	// Head is the mapping between the two lines `---`, possibly empty. It is nil if the file has no
	// frontmatter (Body is then the whole file) or an unreadable one (there is a diagnostic, and
	// Found is true). If it is not a mapping, the schema reports it.
	Head *Node
	// Found is true if the file has a frontmatter, even an unreadable one.
	Found bool
	// Body is the Markdown after the frontmatter, without leading line breaks. Lines end with \n.
	Body string
	// BodySpan is the span of the body in the file.
	BodySpan source.Span
}

// ParseFrontmatter parses a Markdown file with or without YAML frontmatter. The frontmatter is
// between two lines `---`, which may end with spaces. Only a byte order mark and empty lines may
// precede it. The result is never nil and holds the readable part.
func ParseFrontmatter(f *source.File) (*Frontmatter, []*diag.Diagnostic) {
	start := f.Start()
	if d := checkEncoding(f, start, len(f.Bytes)); d != nil {
		return setBody(&Frontmatter{}, f, len(f.Bytes)), []*diag.Diagnostic{d}
	}

	open := max(start, lineStart(f.Bytes, len(f.Bytes)-len(bytes.TrimLeft(f.Bytes[start:], " \t\r\n"))))
	switch isFence, isAlone := fenceAt(f.Bytes, open); {
	case !isFence:
		return setBody(&Frontmatter{}, f, start), nil
	case !isAlone:
		d := diag.New(diag.Syntax, lineSpan(f, open), "the line that opens the frontmatter must be --- and nothing else")
		return setBody(&Frontmatter{Found: true}, f, nextLine(f.Bytes, open)), []*diag.Diagnostic{d}
	}

	headStart := nextLine(f.Bytes, open)
	end, bodyStart, nearly := closingFence(f.Bytes, headStart)
	if end < 0 {
		return setBody(&Frontmatter{Found: true}, f, len(f.Bytes)), []*diag.Diagnostic{unclosedFrontmatter(f, open, nearly)}
	}

	fm := setBody(&Frontmatter{Found: true}, f, len(f.Bytes)-len(bytes.TrimLeft(f.Bytes[bodyStart:], "\r\n")))
	head, found := parseRange(f, headStart, end)
	fm.Head = head
	if head != nil && head.Kind == Null {
		fm.Head = &Node{Kind: Map, Span: source.Span{File: f, Start: headStart, End: headStart}}
	}

	return fm, found
}

func setBody(fm *Frontmatter, f *source.File, start int) *Frontmatter {
	fm.BodySpan = source.Span{File: f, Start: start, End: len(f.Bytes)}
	fm.Body = strings.ReplaceAll(string(f.Bytes[start:]), "\r\n", "\n")

	return fm
}

// fenceAt reports whether the line at i begins with `---`, and whether only blanks follow.
func fenceAt(text []byte, i int) (isFence, isAlone bool) {
	rest, isFence := bytes.CutPrefix(text[i:lineEnd(text, i)], []byte("---"))
	isFence = isFence && !bytes.HasPrefix(rest, []byte("-"))

	return isFence, isFence && len(bytes.Trim(rest, " \t")) == 0
}

// closingFence looks for the line that closes the frontmatter at i. It returns the start of the
// line, the start of the next line, and the first line that only resembles it. end is -1 if there
// is none.
func closingFence(text []byte, i int) (end, next, nearly int) {
	nearly = -1
	for ; i < len(text); i = nextLine(text, i) {
		if _, isFence := fenceAt(text, i); isFence {
			return i, nextLine(text, i), nearly
		}
		if nearly < 0 && bytes.HasPrefix(bytes.TrimLeft(text[i:], " \t"), []byte("---")) {
			nearly = i
		}
	}

	return -1, -1, nearly
}

func unclosedFrontmatter(f *source.File, open, nearly int) *diag.Diagnostic {
	d := diag.New(diag.Syntax, lineSpan(f, open), "the frontmatter that begins here is not closed: a second line --- is missing")
	if nearly >= 0 {
		d.Note(lineSpan(f, nearly), "this line does not close it: --- must be alone, at the start of the line")
	}

	return d
}

// lineSpan returns the span of the line at i, without blanks around it.
func lineSpan(f *source.File, i int) source.Span {
	end := lineEnd(f.Bytes, i)
	start := end - len(bytes.TrimLeft(f.Bytes[i:end], " \t"))

	return source.Span{File: f, Start: start, End: trimEnd(f.Bytes, start, end)}
}
