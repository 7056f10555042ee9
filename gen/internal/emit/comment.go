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

// commentWidth is the length that a comment's lines do not exceed, in runes, as long as their words
// allow it.
const commentWidth = 118

// newComment returns text as a comment of its own lines, wrapped. An empty line in text begins a new
// paragraph; other line breaks are spaces. Text from sources may be anywhere in it.
func newComment(text string) *jen.Statement {
	return jen.Comment(strings.Join(ir.Map(strings.Split(text, "\n\n"), wrapComment), "\n//\n"))
}

// wrapComment is a text in lines of a comment.
func wrapComment(text string) string {
	return strings.TrimSuffix(words.Wrap("// ", "// ", plainLine(text), commentWidth), "\n")
}

// emitDeclaration adds a declaration under its comment.
func emitDeclaration(f *jen.File, doc string, code jen.Code) {
	f.Add(newComment(doc))
	f.Add(code)
	f.Line()
}

// emitConst and declareVar add one declaration: doc is what its comment says behind the name.
func emitConst(f *jen.File, name, doc string, value *jen.Statement) {
	emitDeclaration(f, name+" "+doc+".", jen.Const().Id(name).Op("=").Add(value))
}
func emitVar(f *jen.File, name, doc string, value *jen.Statement) {
	emitDeclaration(f, name+" "+doc+".", jen.Var().Id(name).Op("=").Add(value))
}

// emitVariables adds the declarations of variables, in parentheses if they are several; nothing without
// any.
func emitVariables(f *jen.File, doc string, all []jen.Code) {
	switch len(all) {
	case 0:
	case 1:
		emitDeclaration(f, doc, jen.Var().Add(all...))
	default:
		emitDeclaration(f, doc, jen.Var().Defs(all...))
	}
}

// newRemark returns text as a comment inside of a function, on lines of its own. What is at the
// beginning of a line would be formatted like the comment of a declaration, with other quotes than
// it has.
func newRemark(text string) *jen.Statement {
	return jen.Op("\t").Comment(strings.ReplaceAll(wrapComment(text), "\n", "\n\t"))
}

// trailingComment returns text as a comment behind code, on one line.
func trailingComment(text string) *jen.Statement { return jen.Comment("// " + plainLine(text)) }

// joinSentence returns a sentence, and a description behind it.
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

// markers are what tools look for in comments; a space in them takes the meaning away.
var markers = strings.NewReplacer("*/", "* /", "/*", "/ *", "//go:", "// go:", "//line", "// line", "+build", "+ build",
	"//export", "// export", "//extern", "// extern", "#cgo", "# cgo")

// plainLine returns text as a single line that is nothing but text: line breaks of every kind become
// spaces, and what cannot be seen or turns the direction of writing is written as its code point.
func plainLine(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("/+#", r) }) {
		return text // as nearly all is
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
