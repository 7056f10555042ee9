package expr

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// The bounds of an expression: how deep its brackets and prefixes may nest, and how many words and signs it may have.
// The parser and what visits the tree are recursive.
const (
	maxDepth  = 50
	maxTokens = 10_000
)

// spelling is how the language writes what others write differently.
var spelling = map[string]string{
	"===": "==", "!==": "!=", "=": "==", "<>": "!=", "&&": "and", "||": "or", "null": "None", "is": "==",
	"is not": "!=",
}

// foreign reports what an expression cannot have, as far as its tokens show: what is written as in another language, with the fix;
// and what is not closed. It reports whether all is well.
func (p *parser) foreign() bool {
	before := len(p.found)
	if len(p.tokens) > maxTokens {
		p.unsupported(p.tokens[maxTokens].place, "the expression has more than %d tokens", maxTokens)
		return false
	}
	tokens := p.tokens
	for i, t := range tokens {
		switch {
		case t.kind == wrong:
			unreadable(p.unsupported, t)
		case t.kind == quote && i > 0 && tokens[i-1].kind == word && tokens[i-1].end == t.start:
			p.unsupported(place{tokens[i-1].start, t.end}, "a string cannot have a letter before its quotes")
		case t.is("{{"):
			p.braces(tokens, i)
		case t.kind != quote && spelling[t.text] != "" && !follows(tokens, i, "."):
			instead := spelling[t.text]
			d := p.unsupported(t.place, "%q is not an operator here", t.text).WithHint("write %s", instead)
			if !strings.HasPrefix(t.text, "is") || !isBareWord(tokens[i+1:]) {
				p.fix(d, fmt.Sprintf("replace %q with %q", t.text, instead), edit{t.place, instead})
			}
		case t.is("!"):
			p.not(tokens, i)
		case t.kind == word && programs[t.text] && !follows(tokens, i, "."):
			p.program(tokens, i)
		}
	}

	return len(p.found) == before
}

// isBareWord reports whether tokens begin with a name without fields, which behind "is" may be a text without its quotes.
func isBareWord(tokens []token) bool {
	if len(tokens) == 0 || tokens[0].kind != word || tokens[0].text == "null" {
		return false
	}
	_, isConstant := constants[tokens[0].text]

	return !isConstant && (len(tokens) == 1 || !tokens[1].is("."))
}

// unreadable reports a token of no kind.
func unreadable(report func(at place, format string, args ...any) *diag.Diagnostic, t token) {
	switch c := []rune(t.text)[0]; {
	case c == '\'' || c == '"':
		report(t.place, "the string is not closed").WithHint("it begins with %c and needs a closing one", c)
	case unicode.IsGraphic(c):
		report(t.place, "%q has no meaning in an expression", t.text)
	default:
		report(t.place, "the character %U has no meaning in an expression", c)
	}
}

// programs are words with which other languages choose, repeat and define.
var programs = ir.SetOf(strings.Fields("if elif else for lambda"))

// program reports a word of programs.
func (r *reader) program(tokens []token, i int) {
	t := tokens[i]
	if t.is("else") && slices.ContainsFunc(tokens[:i], func(before token) bool { return before.is("if") }) {
		return // the whole choice has been reported
	}
	d := r.unsupported(t.place, "%q has no meaning in an expression", t.text).WithHint("%s", r.words().elsewhere)
	if t.is("if") || t.is("else") || t.is("elif") {
		d.WithHint("use and, or and not, or %s", r.words().choose)
	}
}

// braces reports placeholders, which belong into templates.
func (r *reader) braces(tokens []token, i int) {
	d := r.unsupported(tokens[i].place, "an expression does not use {{ }}").WithHint("remove the braces")
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
			r.fix(d, "remove the braces", edit{open, ""}, edit{shut, ""})
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
	d := r.unsupported(tokens[i].place, `"!" is not an operator here`).WithHint("write not")
	end := operandEnd(tokens, i+1)
	if end == len(tokens) || endsComparison[tokens[end].text] {
		r.fix(d, `replace "!" with "not"`, edit{tokens[i].place, "not "})
	}
}

// endsComparison are the tokens behind which no operator reaches back to the operand before them.
var endsComparison = ir.SetOf(strings.Fields("and or && || ) ] ,"))

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

func follows(tokens []token, i int, before string) bool { return i > 0 && tokens[i-1].is(before) }

// hyphenated reports a name with hyphens in it, which is read as a difference, and reports whether the hyphen at token i is in one.
func (p *parser) hyphenated(i int) bool {
	first, last := i, i
	for first > 0 && p.isPart(first-1) && p.tokens[first-1].end == p.tokens[first].start {
		first--
	}
	for last+1 < len(p.tokens) && p.isPart(last+1) && p.tokens[last].end == p.tokens[last+1].start {
		last++
	}
	name := place{p.tokens[first].start, p.tokens[last].end}
	if first == i || last == i || p.isRoot(p.tokens[i+1].text) {
		return false
	}

	text := p.text.Value[name.start:name.end]
	before := place{name.start, name.start}
	switch {
	case follows(p.tokens, first, "."):
		before.start = p.tokens[first-1].start
	case !p.isStep(text):
		return false
	}
	instead := fmt.Sprintf("[%q]", text)
	if before.start == before.end {
		instead = "steps" + instead
	}
	d := p.unsupported(name, "a name with a hyphen has to be in brackets").WithHint("write %s", instead)
	p.fix(d, "write "+instead, edit{place{before.start, name.end}, instead})

	return true
}

// guardNames reports names with hyphens in them that are not states: named guards, which are only written alone. It reports whether
// there are none. Words of the language may be parts of such names, so they are looked for first.
func (p *parser) guardNames() bool {
	before := len(p.found)
	for i := 0; i < len(p.tokens); i++ {
		if p.tokens[i].kind != word || follows(p.tokens, i, ".") {
			continue
		}
		first := i
		for i+1 < len(p.tokens) && p.tokens[i].end == p.tokens[i+1].start && (p.isPart(i+1) || p.tokens[i+1].kind == number) {
			i++
		}
		name := place{p.tokens[first].start, p.tokens[i].end}
		text := p.text.Value[name.start:name.end]
		if i > first && !p.isRoot(p.tokens[first].text) && !p.isStep(text) {
			p.undefined(part{name, text})
		}
	}

	return len(p.found) == before
}

// isPart reports whether a token is a part of a name with hyphens.
func (p *parser) isPart(i int) bool { return p.tokens[i].kind == word || p.tokens[i].is("-") }

func (p *parser) isRoot(name string) bool { return slices.Contains(p.roots(), name) }
