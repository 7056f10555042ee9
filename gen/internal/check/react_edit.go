package check

import (
	"bytes"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// reactEdit returns the edit that gives a conversation the pattern react: in place of the pattern that it says, as the first
// line of its frontmatter, or with a frontmatter of its own. ok is false where a line cannot be put in without a parser.
func reactEdit(step *ir.Step) (edit diag.Edit, ok bool) {
	if at := step.PatternAt.Span; at.IsValid() {
		return diag.Replace(at, "react"), true
	}
	f := step.File
	if f == nil || step.Prompt.Span.File != f {
		return diag.Edit{}, false
	}
	line := "pattern: react\n"
	at, body := 0, step.Prompt.Span.Start
	head := f.Bytes[:body]
	if open := bytes.Index(head, []byte("---")); open >= 0 {
		at = open + bytes.IndexByte(f.Bytes[open:], '\n') + 1
	} else {
		at, line = body, "---\n"+line+"---\n\n"
	}
	if bytes.Contains(f.Bytes, []byte("\r\n")) {
		line = string(bytes.ReplaceAll([]byte(line), []byte("\n"), []byte("\r\n")))
	}
	edit = diag.Edit{Span: source.Span{File: f, Start: at, End: at}, New: line}

	return edit, at == body || startsField(f.Bytes[at:])
}

// startsField reports whether a line can be put before text: a field of a mapping begins there, a comment or the end of
// the frontmatter, and not an indented or a flow mapping.
func startsField(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" \t{}[]\r\n,"), text[0]) < 0
}
