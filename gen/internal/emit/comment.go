package emit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// commentWidth is the largest width of a comment's lines in runes, unless a single word is longer.
const commentWidth = 118

// newComment returns text as a wrapped comment on lines of its own. An empty line in text begins a
// new paragraph; other line breaks are spaces. Text may contain text from sources.
func newComment(text string) *jen.Statement {
	return jen.Comment(strings.Join(ir.Map(strings.Split(text, "\n\n"), wrapComment), "\n//\n"))
}

// wrapComment wraps a text to lines of a comment.
func wrapComment(text string) string {
	return strings.TrimSuffix(words.Wrap("// ", "// ", plainLine(text), commentWidth), "\n")
}

// emitDeclaration adds a declaration with a comment.
func emitDeclaration(f *jen.File, doc string, code jen.Code) {
	f.Add(newComment(doc))
	f.Add(code)
	f.Line()
}

// emitConst and emitVar add one declaration: doc is its comment after the name.
func emitConst(f *jen.File, name, doc string, value *jen.Statement) {
	emitDeclaration(f, name+" "+doc+".", jen.Const().Id(name).Op("=").Add(value))
}
func emitVar(f *jen.File, name, doc string, value *jen.Statement) {
	emitDeclaration(f, name+" "+doc+".", jen.Var().Id(name).Op("=").Add(value))
}

// emitVariables adds declarations of variables, in parentheses if there are several.
func emitVariables(f *jen.File, doc string, all []jen.Code) {
	switch len(all) {
	case 0:
	case 1:
		emitDeclaration(f, doc, jen.Var().Add(all...))
	default:
		emitDeclaration(f, doc, jen.Var().Defs(all...))
	}
}

// newRemark returns text as a comment in a function, on lines of its own. gofmt would format a
// comment at the beginning of a line like a doc comment, with other quotes.
func newRemark(text string) *jen.Statement {
	return jen.Op("\t").Comment(strings.ReplaceAll(wrapComment(text), "\n", "\n\t"))
}

// trailingComment returns text as a comment after code, on one line.
func trailingComment(text string) *jen.Statement { return jen.Comment("// " + plainLine(text)) }

// joinSentence returns a sentence followed by a description.
func joinSentence(head, description string) string {
	description = strings.TrimSpace(plainLine(description))
	if description == "" {
		return head + "."
	}
	if strings.ContainsAny(description[len(description)-1:], ".!?") {
		return head + ". " + description
	}

	return head + ". " + description + "."
}

// markers separates the character sequences that tools interpret in comments.
var markers = strings.NewReplacer("*/", "* /", "/*", "/ *", "//go:", "// go:", "//line", "// line", "+build", "+ build",
	"//export", "// export", "//extern", "// extern", "#cgo", "# cgo")

// plainLine returns text as a single line: line breaks become spaces, and invisible characters and
// direction marks their code points.
func plainLine(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("/+#", r) }) {
		return text // as in nearly all texts
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, "\\x%02x", text[i])
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}

	return markers.Replace(b.String())
}
