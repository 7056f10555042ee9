package yamldoc

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// RecordComments adds the comments of the document root between two offsets to f, if one of them is
// for the compiler.
func RecordComments(f *source.File, start, end int, root *Node) {
	if root != nil && bytes.Contains(f.Bytes[start:end], []byte(commentsWith)) {
		f.Comments = append(f.Comments, Comments(f, start, end, root)...)
	}
}

// Comments returns the comments of the document root between two offsets, in YAML or TOML: from
// each # outside of texts to the end of its line.
func Comments(f *source.File, start, end int, root *Node) (comments []source.Span) {
	texts := appendScalars(root, nil)
	slices.SortFunc(texts, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	for at := start; at < end; {
		hash := bytes.IndexByte(f.Bytes[at:end], '#')
		if hash < 0 {
			break
		}
		at += hash
		for len(texts) > 0 && texts[0].End <= at {
			texts = texts[1:]
		}
		if len(texts) > 0 && texts[0].Start <= at {
			at = texts[0].End
			continue
		}
		comment := source.Span{File: f, Start: at, End: lineEnd(f.Bytes[:end], at)}
		comments, at = append(comments, comment), comment.End
	}

	return comments
}

// commentsWith is the beginning of a comment for the compiler.
const commentsWith = "agentc:"

// appendScalars appends the spans of all texts in n. A block of text is appended without its first
// line, which may end with a comment.
func appendScalars(n *Node, to []source.Span) []source.Span {
	if n == nil {
		return to
	}
	for _, item := range n.Items {
		to = appendScalars(item, to)
	}
	for _, field := range n.Fields {
		to = appendScalars(field.Value, appendScalars(field.Key, to))
	}
	if n.Kind == Seq || n.Kind == Map {
		return to
	}
	at := n.Span
	if text := at.Text(); text != "" && (text[0] == '|' || text[0] == '>') {
		at.Start = min(nextLine(at.File.Bytes, at.Start), at.End)
	}

	return append(to, at)
}
