package source

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// File is one source file. Its content must not be changed after [NewFile].
type File struct {
	// Path names the file with forward slashes, relative to the project folder.
	Path string
	// Bytes is the content as it is on disk, byte order mark and carriage returns included.
	Bytes []byte
	// Comments are those of a document that has a comment for the compiler, in source order; its parser sets them.
	Comments []Span

	lines  []int // byte offset of the start of each line
	hidden []Span
}

// NewFile returns the file called path (forward slashes, relative to the project folder) with the given content.
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

// Pos is a place that a person reads: 1-based line, 1-based column counted in runes.
// Lines end with \n or \r\n only. A byte that is not valid UTF-8 counts as one rune.
type Pos struct {
	Line, Column int
}

// IsValid reports whether p is a known place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// Pos converts a byte offset into a line and a column. Offsets outside the file are moved to its nearest end; a byte
// order mark at the start of the file has no column of its own.
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

// Start returns the offset at which the text of the file begins, behind a byte order mark.
func (f *File) Start() int { return len(f.Bytes) - len(bytes.TrimPrefix(f.Bytes, bom)) }

// Line returns the text of a 1-based line without its line break and without a leading byte order mark; "" if the file
// has no such line.
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

// LineCount returns how many lines the file has; a file that ends with a line break has an empty last line.
func (f *File) LineCount() int { return len(f.lines) }

// Hide keeps the text under s, which is of this file, from being shown: it is a secret.
func (f *File) Hide(s Span) { f.hidden = append(f.hidden, s) }

// Hidden returns what [File.Hide] was given.
func (f *File) Hidden() []Span { return f.hidden }

// Shown returns the bytes [from, to) as a report may quote them: in what is hidden, a star replaces each byte but white
// space. The result must not be changed.
func (f *File) Shown(from, to int) []byte {
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

// Span is a half-open range of bytes, [Start, End), of one file. The zero value means that no place is known.
type Span struct {
	File       *File
	Start, End int
}

// At returns s: what has a span in it has this method.
func (s Span) At() Span { return s }

// IsValid reports whether s points into a file.
func (s Span) IsValid() bool { return s.File != nil }

// Pos returns the place of the first rune of s; the zero Pos if s is not valid.
func (s Span) Pos() Pos {
	if s.File == nil {
		return Pos{}
	}

	return s.File.Pos(s.Start)
}

// EndPos returns the place right behind the last rune of s; the zero Pos if s is not valid.
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

// Before reports whether s is before t: by path, then by start, then by end. A span without a file comes first.
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
