package yamldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Frontmatter is a Markdown file whose head is YAML.
type Frontmatter struct {
	// Head is the mapping between the two lines `---`, an empty one if nothing is there. It is nil if the file has no
	// head (then Body is the whole file), and if the head could not be read (then there is a diagnostic and Found is true).
	// A head that is not a mapping is returned as it is, for the schema to report.
	Head *Node
	// Found says that the file has a head, perhaps a faulty one.
	Found bool
	// Body is the Markdown behind the head, without the line breaks right behind the closing line, line ends as \n.
	Body string
	// BodySpan is the place of the body in the file.
	BodySpan source.Span
}

// ParseFrontmatter reads a Markdown file with or without a YAML head. The head is between two lines `---`, which
// spaces may follow; only a byte order mark and empty lines may be before it. The result is never nil and holds what
// could be read.
func ParseFrontmatter(f *source.File) (*Frontmatter, []*diag.Diagnostic) {
	start := f.Start()
	if d := checkEncoding(f, start, len(f.Bytes)); d != nil {
		return withBody(&Frontmatter{}, f, len(f.Bytes)), []*diag.Diagnostic{d}
	}

	open := max(start, lineStart(f.Bytes, len(f.Bytes)-len(bytes.TrimLeft(f.Bytes[start:], " \t\r\n"))))
	switch isFence, isAlone := fenceAt(f.Bytes, open); {
	case !isFence:
		return withBody(&Frontmatter{}, f, start), nil
	case !isAlone:
		d := diag.New(diag.Syntax, lineSpan(f, open), "the line that opens the frontmatter must be --- and nothing else")
		return withBody(&Frontmatter{Found: true}, f, nextLine(f.Bytes, open)), []*diag.Diagnostic{d}
	}

	headStart := nextLine(f.Bytes, open)
	end, bodyStart, nearly := closingFence(f.Bytes, headStart)
	if end < 0 {
		return withBody(&Frontmatter{Found: true}, f, len(f.Bytes)), []*diag.Diagnostic{unclosed(f, open, nearly)}
	}

	fm := withBody(&Frontmatter{Found: true}, f, len(f.Bytes)-len(bytes.TrimLeft(f.Bytes[bodyStart:], "\r\n")))
	head, found := parseRange(f, headStart, end)
	fm.Head = head
	if head != nil && head.Kind == Null {
		fm.Head = &Node{Kind: Map, Span: source.Span{File: f, Start: headStart, End: headStart}}
	}

	return fm, found
}

func withBody(fm *Frontmatter, f *source.File, start int) *Frontmatter {
	fm.BodySpan = source.Span{File: f, Start: start, End: len(f.Bytes)}
	fm.Body = strings.ReplaceAll(string(f.Bytes[start:]), "\r\n", "\n")

	return fm
}

// fenceAt reports whether the line that starts at i begins with `---`, and whether nothing but blanks follows.
func fenceAt(text []byte, i int) (isFence, isAlone bool) {
	rest, isFence := bytes.CutPrefix(text[i:lineEnd(text, i)], []byte("---"))
	isFence = isFence && !bytes.HasPrefix(rest, []byte("-"))

	return isFence, isFence && len(bytes.Trim(rest, " \t")) == 0
}

// closingFence looks for the line that closes the head which starts at i: where it starts, where the line after it
// starts, and the first line that only looks like it. end is -1 when there is none.
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

func unclosed(f *source.File, open, nearly int) *diag.Diagnostic {
	d := diag.New(diag.Syntax, lineSpan(f, open), "the frontmatter that begins here is not closed: a second line --- is missing")
	if nearly >= 0 {
		d.Note(lineSpan(f, nearly), "this line does not close it: --- must be alone, at the start of the line")
	}

	return d
}

// lineSpan returns the text of the line that starts at i, without blanks around it.
func lineSpan(f *source.File, i int) source.Span {
	end := lineEnd(f.Bytes, i)
	start := end - len(bytes.TrimLeft(f.Bytes[i:end], " \t"))

	return source.Span{File: f, Start: start, End: trimEnd(f.Bytes, start, end)}
}
