package validate

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reportCutTexts warns of texts that end at an accidental comment, such as "Triages issue #12": the
// text has several words, and no space follows the #.
func (r *reporter) reportCutTexts(n *yamldoc.Node) {
	for _, item := range n.Items {
		r.reportCutTexts(item)
	}
	for _, f := range n.Fields {
		r.reportCutTexts(f.Value)
	}
	if n.Kind != yamldoc.String || n.Quoted || !strings.ContainsAny(n.Text, " \t") {
		return
	}
	comment := trailingComment(n)
	if comment == "" {
		return
	}
	whole := strings.ReplaceAll(n.Text+" "+comment, `"`, `\"`)
	r.addDiagnostic(diag.New(diag.BadValue, n.Span, "the text ends before %q, which is a comment", comment).Warn().
		WithHint("write \"%s\", or a space behind # if it is a comment", whole))
}

// trailingComment returns the comment on the line of a text that begins with # and no space, or "".
func trailingComment(n *yamldoc.Node) string {
	content, end := n.Span.File.Bytes, n.Span.End
	if strings.HasPrefix(n.Span.Text(), "*") {
		return "" // the comment of an alias
	}
	line, _, _ := bytes.Cut(content[end:], []byte("\n"))
	comment := bytes.TrimSpace(line)
	isSeparate := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	if !isSeparate || len(comment) < 2 || comment[0] != '#' {
		return ""
	}
	if bytes.IndexByte([]byte(" \t#!"), comment[1]) >= 0 {
		return ""
	}

	return string(comment)
}
