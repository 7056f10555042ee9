package yamldoc

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// NoteComments gives f the comments of the document root between two offsets. A file without a comment for the compiler gets none.
func NoteComments(f *source.File, start, end int, root *Node) {
	if root != nil && bytes.Contains(f.Bytes[start:end], []byte(commentsWith)) {
		f.Comments = append(f.Comments, Comments(f, start, end, root)...)
	}
}

// Comments returns the comments of the document root between two offsets, in YAML or TOML: from each # that is in no text to the
// end of its line.
func Comments(f *source.File, start, end int, root *Node) (comments []source.Span) {
	texts := scalars(root, nil)
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

// commentsWith is what a comment for the compiler begins with.
const commentsWith = "agentc:"

// scalars appends the places of all texts in n, that of a block of text without its first line, which may end with a comment.
func scalars(n *Node, to []source.Span) []source.Span {
	if n == nil {
		return to
	}
	for _, item := range n.Items {
		to = scalars(item, to)
	}
	for _, field := range n.Fields {
		to = scalars(field.Value, scalars(field.Key, to))
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
