package source

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// File is one source file. Its content must not be changed after [NewFile].
type File struct {
	// Path is the path with forward slashes, relative to the project folder.
	Path string
	// Bytes is the content on disk, including byte order mark and carriage returns.
	Bytes []byte
	// Comments are the comments of a document that has a comment for the compiler, in source order.
	// The parser sets them.
	Comments []Span

	lines  []int // byte offset of the start of each line
	hidden []Span
}

// NewFile returns a file with a path (forward slashes, relative to the project folder) and a
// content.
func NewFile(path string, content []byte) *File {
	f := &File{Path: path, Bytes: content, lines: make([]int, 1, bytes.Count(content, []byte{'\n'})+1)}
	for i := 0; ; {
		n := bytes.IndexByte(content[i:], '\n')
		if n < 0 {
			return f
		}
		i += n + 1
		f.lines = append(f.lines, i)
	}
}

// Pos is a position for people: a 1-based line, and a 1-based column in runes. Lines end with \n or
// \r\n only. A byte that is not valid UTF-8 counts as one rune.
type Pos struct {
	Line, Column int
}

// IsValid reports whether p is a known position.
func (p Pos) IsValid() bool { return p.Line > 0 }

// Pos converts a byte offset to a line and a column. An offset outside the file is moved to its
// nearest end. A byte order mark at the start of the file has no column.
func (f *File) Pos(offset int) Pos {
	offset = min(max(offset, 0), len(f.Bytes))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	start := f.lines[line-1]
	if line == 1 {
		start = min(f.Start(), offset)
	}

	return Pos{Line: line, Column: utf8.RuneCount(f.Bytes[start:offset]) + 1}
}

var bom = []byte("\xef\xbb\xbf")

// Start returns the offset of the text of the file, after a byte order mark.
func (f *File) Start() int { return len(f.Bytes) - len(bytes.TrimPrefix(f.Bytes, bom)) }

// Line returns the text of a 1-based line without its line break and without a byte order mark, or
// "".
func (f *File) Line(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	end := len(f.Bytes)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	text := f.Bytes[f.lines[line-1]:end]
	if line == 1 {
		text = bytes.TrimPrefix(text, bom)
	}

	return string(bytes.TrimSuffix(text, []byte("\r")))
}

// LineStart returns the byte offset at which a 1-based line starts.
func (f *File) LineStart(line int) int {
	return f.lines[min(max(line, 1), len(f.lines))-1]
}

// LineCount returns the number of lines. A file that ends with a line break has an empty last line.
func (f *File) LineCount() int { return len(f.lines) }

// Hide marks the text under s, which is in this file, as a secret.
func (f *File) Hide(s Span) { f.hidden = append(f.hidden, s) }

// Hidden returns the spans of [File.Hide].
func (f *File) Hidden() []Span { return f.hidden }

// Redacted returns the bytes [from, to) for reports: in hidden spans, a star replaces each byte
// except white space. The result must not be changed.
func (f *File) Redacted(from, to int) []byte {
	shown := f.Bytes[from:to:to]
	for _, h := range f.hidden {
		start, end := max(h.Start, from), min(h.End, to)
		if start >= end {
			continue
		}
		if &shown[0] == &f.Bytes[from] {
			shown = bytes.Clone(shown)
		}
		for i := start - from; i < end-from; i++ {
			if shown[i] > ' ' {
				shown[i] = '*'
			}
		}
	}

	return shown
}

// Span is a half-open range of bytes, [Start, End), of one file. The zero value means an unknown
// position.
type Span struct {
	File       *File
	Start, End int
}

// At returns s, so that types with an embedded span have this method.
func (s Span) At() Span { return s }

// IsValid reports whether s refers to a file.
func (s Span) IsValid() bool { return s.File != nil }

// Pos returns the position of the first rune of s, or the zero Pos.
func (s Span) Pos() Pos {
	if s.File == nil {
		return Pos{}
	}

	return s.File.Pos(s.Start)
}

// EndPos returns the position after the last rune of s, or the zero Pos.
func (s Span) EndPos() Pos {
	if s.File == nil {
		return Pos{}
	}

	return s.File.Pos(s.End)
}

// Text returns the bytes under s.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}

	return string(s.File.Bytes[s.Start:s.End])
}

// Before reports whether s precedes t: by path, start and end. A span without a file comes first.
func (s Span) Before(t Span) bool {
	switch {
	case s.File == nil || t.File == nil:
		return s.File == nil && t.File != nil
	case s.File.Path != t.File.Path:
		return s.File.Path < t.File.Path
	case s.Start != t.Start:
		return s.Start < t.Start
	}

	return s.End < t.End
}
