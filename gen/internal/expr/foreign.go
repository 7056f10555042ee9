package expr

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
)

// The bounds of an expression: how deep its brackets and prefixes may nest, and how many words and signs it may have.
// The parser and whoever walks the tree are recursive.
const (
	maxDepth  = 50
	maxTokens = 10_000
)

// spelling is how the language writes what others write differently.
var spelling = map[string]string{"===": "==", "!==": "!=", "=": "==", "<>": "!=", "&&": "and", "||": "or"}

// foreign reports what an expression cannot have, as far as its tokens tell: what is written as in another language,
// with the mend; what is not closed; what is too deep. It reports whether all is well.
func (r *reader) foreign(tokens []token) bool {
	before := len(r.found)
	if !r.bounded(tokens) {
		return false
	}
	for i, t := range tokens {
		switch {
		case t.kind == wrong:
			r.unreadable(t)
		case t.kind == quote && i > 0 && tokens[i-1].kind == word && tokens[i-1].end == t.start:
			r.unsupported(place{tokens[i-1].start, t.end}, "a text has no letter before its quotes")
		case t.is("{{"):
			r.braces(tokens, i)
		case t.kind == symbol && spelling[t.text] != "":
			r.respell(t, spelling[t.text])
		case t.is("!"):
			r.not(tokens, i)
		case t.is("is"), t.is("is not"):
			r.isNone(tokens, i)
		case t.kind == word && reserved[t.text]:
			r.reserved(tokens, i)
		case t.is("null") && !follows(tokens, i, "."):
			r.respell(t, "None")
		}
	}

	return len(r.found) == before
}

// unsupported reports what the language does not have.
func (r *reader) unsupported(at place, format string, args ...any) *diag.Diagnostic {
	return r.report(diag.UnsupportedExpression, at, format, args...)
}

func (r *reader) respell(t token, instead string) {
	d := r.unsupported(t.place, "%q is not written so here", t.text).WithHint("write %s", instead)
	r.mend(d, fmt.Sprintf("replace %q with %q", t.text, instead), edit{t.place, instead})
}

func (r *reader) unreadable(t token) {
	switch c := []rune(t.text)[0]; {
	case c == '\'' || c == '"':
		r.unsupported(t.place, "the text is not closed").WithHint("it begins with %c and needs another one at its end", c)
	case unicode.IsGraphic(c):
		r.unsupported(t.place, "%q has no meaning in an expression", t.text)
	default:
		r.unsupported(t.place, "the character %U has no meaning in an expression", c)
	}
}

// reserved are words that the parser keeps for programs.
var reserved = wordSet("as async await break class continue def del elif else except finally for from global if import " +
	"lambda load nonlocal pass raise return try while with yield")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}

	return set
}

// reserved reports a word that is kept for programs. As the name of a field it can stand in brackets.
func (r *reader) reserved(tokens []token, i int) {
	t := tokens[i]
	if !follows(tokens, i, ".") {
		if t.is("else") && slices.ContainsFunc(tokens[:i], func(before token) bool { return before.is("if") }) {
			return // the whole choice has been reported
		}
		d := r.unsupported(t.place, "%q has no meaning in an expression", t.text)
		if t.is("if") || t.is("else") || t.is("elif") {
			d.WithHint("choose with and, or and not, or %s", r.choose())
		} else {
			d.WithHint("%s", r.elsewhere())
		}
		return
	}

	instead := fmt.Sprintf("[%q]", t.text)
	d := r.unsupported(t.place, "%q is a word of the language and no name", t.text).WithHint("write %s", instead)
	r.mend(d, "write "+instead, edit{place{tokens[i-1].start, t.end}, instead})
}

// braces reports placeholders, which belong into templates.
func (r *reader) braces(tokens []token, i int) {
	d := r.unsupported(tokens[i].place, "an expression has no {{ }} around its names").WithHint("leave the braces out")
	depth := 1
	for _, t := range tokens[i+1:] {
		switch {
		case t.is("{{"):
			depth++
		case t.is("}}"):
			depth--
		}
		if depth == 0 {
			open, shut := around(r.text.Value, tokens[i].place), around(r.text.Value, t.place)
			r.mend(d, "remove the braces", edit{open, ""}, edit{shut, ""})
			return
		}
	}
}

// around is a place with the blank beside it that would be left over.
func around(text string, at place) place {
	opens := text[at.start] == '{'
	if opens && strings.HasPrefix(text[at.end:], " ") {
		at.end++
	}
	if !opens && strings.HasSuffix(text[:at.start], " ") {
		at.start--
	}

	return at
}

// not reports !x. In other languages ! belongs to the operand alone, here `not` to the whole comparison.
func (r *reader) not(tokens []token, i int) {
	d := r.unsupported(tokens[i].place, `"!" is not written so here`).WithHint("write not")
	end := operandEnd(tokens, i+1)
	if end == len(tokens) || endsComparison[tokens[end].text] {
		r.mend(d, `replace "!" with "not"`, edit{tokens[i].place, "not "})
	}
}

// endsComparison are the tokens behind which no operator reaches back to the operand before them.
var endsComparison = wordSet("and or && || ) ] ,")

// operandEnd returns the index of the token behind the operand that begins at token i.
func operandEnd(tokens []token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is("(") || t.is("["):
			depth++
		case depth > 0 && (t.is(")") || t.is("]")):
			depth--
		case depth == 0 && (t.kind == symbol && !t.is(".") && !t.is("!") || t.kind == word && operators[strings.Fields(t.text)[0]]):
			return i
		}
	}

	return i
}

// isNone reports `is` and `is not`. Beside the three values of which there is one each, `==` says the same.
func (r *reader) isNone(tokens []token, i int) {
	t, instead := tokens[i], "=="
	if t.is("is not") {
		instead = "!="
	}
	d := r.unsupported(t.place, "%q does not compare values", t.text).WithHint("write %s", instead)
	if i+1 == len(tokens) {
		return
	}
	switch tokens[i+1].text {
	case "None", "True", "False", "true", "false", "null":
		r.mend(d, fmt.Sprintf("replace %q with %q", t.text, instead), edit{t.place, instead})
	}
}

func follows(tokens []token, i int, before string) bool { return i > 0 && tokens[i-1].is(before) }

// bounded reports brackets that do not match, and what is too deep or too long.
func (r *reader) bounded(tokens []token) bool {
	if len(tokens) > maxTokens {
		r.unsupported(tokens[maxTokens].place, "the expression has more than %d words and signs", maxTokens)
		return false
	}
	type bracket struct {
		token
		prefixes int
	}
	var open []bracket
	depth, prefixes := 0, 0
	for _, t := range tokens {
		prefix := isPrefix(t)
		if prefix {
			prefixes++
		}
		switch {
		case t.is("(") || t.is("[") || t.is("{") || t.is("{{"):
			open = append(open, bracket{t, prefixes})
			depth += prefixes + 1
			prefixes = 0
		case t.is(")") || t.is("]") || t.is("}") || t.is("}}"):
			if len(open) == 0 || !matches(open[len(open)-1].text, t.text) {
				r.unsupported(t.place, "%q closes nothing", t.text)
				return false
			}
			prefixes = open[len(open)-1].prefixes
			depth -= prefixes + 1
			open = open[:len(open)-1]
		case !prefix:
			prefixes = 0
		}
		if depth+prefixes > maxDepth {
			r.unsupported(t.place, "the expression is nested more than %d deep", maxDepth)
			return false
		}
	}
	if len(open) > 0 && tokens[len(tokens)-1].kind != wrong {
		r.unsupported(open[len(open)-1].place, "%q is not closed", open[len(open)-1].text)
		return false
	}

	return true
}

// isPrefix reports whether t stands before its operand, and may stand there again.
func isPrefix(t token) bool {
	return t.is("not") || t.is("!") || t.is("-") || t.is("+") || t.is("~")
}

func matches(opening, closing string) bool {
	return map[string]string{"(": ")", "[": "]", "{": "}", "{{": "}}"}[opening] == closing
}
