package validate

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// cutByComments warns of texts that end where a comment begins which the author can have meant as text, such as that of
// Triages issue #12: the text is more than a word, and the comment has no space behind its sign.
func (r *reporter) cutByComments(n *yamldoc.Node) {
	for _, item := range n.Items {
		r.cutByComments(item)
	}
	for _, f := range n.Fields {
		r.cutByComments(f.Value)
	}
	if n.Kind != yamldoc.String || n.Quoted || !strings.ContainsAny(n.Text, " \t") {
		return
	}
	comment := commentBehind(n)
	if comment == "" {
		return
	}
	whole := strings.ReplaceAll(n.Text+" "+comment, `"`, `\"`)
	r.add(diag.New(diag.BadValue, n.Span, "the text ends before %q, which is a comment", comment).Warn().
		WithHint("write \"%s\", or a space behind # if it is a comment", whole))
}

// commentBehind returns the comment behind a text on its line that begins with # and no space; "" if there is none.
func commentBehind(n *yamldoc.Node) string {
	content, end := n.Span.File.Bytes, n.Span.End
	if strings.HasPrefix(n.Span.Text(), "*") {
		return "" // of an alias
	}
	line, _, _ := bytes.Cut(content[end:], []byte("\n"))
	comment := bytes.TrimSpace(line)
	isBehindSpace := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	if !isBehindSpace || len(comment) < 2 || comment[0] != '#' || bytes.IndexByte([]byte(" \t#!"), comment[1]) >= 0 {
		return ""
	}

	return string(comment)
}
