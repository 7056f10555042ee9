package expr

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// The limits of an expression: the nesting of brackets and prefixes, and the number of tokens. The
// parser and the visitors of the tree are recursive.
const (
	maxDepth  = 50
	maxTokens = 10_000
)

// spelling maps operators of other languages to those of this language.
var spelling = map[string]string{
	"===": "==", "!==": "!=", "=": "==", "<>": "!=", "&&": "and", "||": "or", "null": "None", "is": "==",
	"is not": "!=",
}

// checkTokens reports tokens that an expression cannot have: constructs of other languages, with a
// fix, and unclosed strings. It returns whether there are none.
func (p *parser) checkTokens() bool {
	before := len(p.found)
	if len(p.tokens) > maxTokens {
		p.unsupported(p.tokens[maxTokens].place, "the expression has more than %d tokens", maxTokens)
		return false
	}
	tokens := p.tokens
	for i, t := range tokens {
		switch {
		case t.kind == wrong:
			reportUnreadable(p.unsupported, t)
		case t.kind == quote && i > 0 && tokens[i-1].kind == word && tokens[i-1].end == t.start:
			p.unsupported(place{tokens[i-1].start, t.end}, "a string cannot have a letter before its quotes")
		case t.hasText("{{"):
			p.reportBraces(tokens, i)
		case t.kind != quote && spelling[t.text] != "" && !isAfter(tokens, i, "."):
			instead := spelling[t.text]
			d := p.unsupported(t.place, "%q is not an operator here", t.text).WithHint("write %s", instead)
			if !strings.HasPrefix(t.text, "is") || !isBareWord(tokens[i+1:]) {
				p.addFix(d, fmt.Sprintf("replace %q with %q", t.text, instead), edit{t.place, instead})
			}
		case t.hasText("!"):
			p.reportNot(tokens, i)
		case t.kind == word && programs[t.text] && !isAfter(tokens, i, "."):
			p.reportKeyword(tokens, i)
		}
	}

	return len(p.found) == before
}

// isBareWord reports whether tokens begin with a name without fields. After "is" it may be a text
// without quotes.
func isBareWord(tokens []token) bool {
	if len(tokens) == 0 || tokens[0].kind != word || tokens[0].text == "null" {
		return false
	}
	_, isConstant := constants[tokens[0].text]

	return !isConstant && (len(tokens) == 1 || !tokens[1].hasText("."))
}

// reportUnreadable reports a token of kind wrong.
func reportUnreadable(report func(at place, format string, args ...any) *diag.Diagnostic, t token) {
	switch c := []rune(t.text)[0]; {
	case c == '\'' || c == '"':
		report(t.place, "the string is not closed").WithHint("it begins with %c and needs a closing one", c)
	case unicode.IsGraphic(c):
		report(t.place, "%q has no meaning in an expression", t.text)
	default:
		report(t.place, "the character %U has no meaning in an expression", c)
	}
}

// programs are keywords of other languages for choices, loops and definitions.
var programs = ir.SetOf(strings.Fields("if elif else for lambda"))

// reportKeyword reports a word of programs.
func (r *reader) reportKeyword(tokens []token, i int) {
	t := tokens[i]
	if t.hasText("else") && slices.ContainsFunc(tokens[:i], func(before token) bool { return before.hasText("if") }) {
		return // the whole choice has been reported
	}
	d := r.unsupported(t.place, "%q has no meaning in an expression", t.text).WithHint("%s", r.vocabulary().elsewhere)
	if t.hasText("if") || t.hasText("else") || t.hasText("elif") {
		d.WithHint("use and, or and not, or %s", r.vocabulary().choose)
	}
}

// reportBraces reports a placeholder, which belongs in a template.
func (r *reader) reportBraces(tokens []token, i int) {
	d := r.unsupported(tokens[i].place, "an expression does not use {{ }}").WithHint("remove the braces")
	depth := 1
	for _, t := range tokens[i+1:] {
		switch {
		case t.hasText("{{"):
			depth++
		case t.hasText("}}"):
			depth--
		}
		if depth == 0 {
			open, shut := withBlank(r.text.Value, tokens[i].place), withBlank(r.text.Value, t.place)
			r.addFix(d, "remove the braces", edit{open, ""}, edit{shut, ""})
			return
		}
	}
}

// withBlank extends a pair of braces by the blank inside it.
func withBlank(text string, at place) place {
	opens := text[at.start] == '{'
	if opens && strings.HasPrefix(text[at.end:], " ") {
		at.end++
	}
	if !opens && strings.HasSuffix(text[:at.start], " ") {
		at.start--
	}

	return at
}

// reportNot reports !x. In other languages ! applies to the operand, here `not` to the comparison.
func (r *reader) reportNot(tokens []token, i int) {
	d := r.unsupported(tokens[i].place, `"!" is not an operator here`).WithHint("write not")
	end := operandEnd(tokens, i+1)
	if end == len(tokens) || endsComparison[tokens[end].text] {
		r.addFix(d, `replace "!" with "not"`, edit{tokens[i].place, "not "})
	}
}

// endsComparison are the tokens that end the operand of a preceding operator.
var endsComparison = ir.SetOf(strings.Fields("and or && || ) ] ,"))

// operandEnd returns the index of the token after the operand that begins at token i.
func operandEnd(tokens []token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.hasText("(") || t.hasText("["):
			depth++
		case depth > 0 && (t.hasText(")") || t.hasText("]")):
			depth--
		case depth == 0 && t.endsOperand():
			return i
		}
	}

	return i
}

func isAfter(tokens []token, i int, before string) bool { return i > 0 && tokens[i-1].hasText(before) }

// reportHyphenated reports a name with hyphens, which would be a difference. It replaces what was
// found from an index on. It returns false if the hyphen at token i is not in a name.
func (p *parser) reportHyphenated(i, from int) bool {
	first, last := i, i
	for first > 0 && p.isHyphenPart(first-1) && p.tokens[first-1].end == p.tokens[first].start {
		first--
	}
	for last+1 < len(p.tokens) && p.isHyphenPart(last+1) && p.tokens[last].end == p.tokens[last+1].start {
		last++
	}
	name := place{p.tokens[first].start, p.tokens[last].end}
	isCall := last+1 < len(p.tokens) && p.tokens[last+1].hasText("(")
	if first == i || last == i || isCall || p.isRoot(p.tokens[i+1].text) {
		return false
	}

	text := p.text.Value[name.start:name.end]
	before := place{name.start, name.start}
	switch {
	case isAfter(p.tokens, first, "."):
		before.start = p.tokens[first-1].start
	case !p.hasStep(text):
		return false
	}
	instead := fmt.Sprintf("[%q]", text)
	if before.start == before.end {
		instead = "steps" + instead
	}
	p.found = p.found[:from]
	d := p.unsupported(name, "a name with a hyphen has to be in brackets").WithHint("write %s", instead)
	p.addFix(d, "write "+instead, edit{place{before.start, name.end}, instead})

	return true
}

// checkGuardNames reports names with hyphens that are not states: named guards, which must be
// written alone. It returns whether there are none. It runs first, because keywords may be parts of
// such names.
func (p *parser) checkGuardNames() bool {
	before := len(p.found)
	for i := 0; i < len(p.tokens); i++ {
		if p.tokens[i].kind != word || isAfter(p.tokens, i, ".") {
			continue
		}
		first := i
		for i+1 < len(p.tokens) && p.continuesName(i+1) {
			i++
		}
		name := place{p.tokens[first].start, p.tokens[i].end}
		text := p.text.Value[name.start:name.end]
		if i > first && !p.isRoot(p.tokens[first].text) && !p.hasStep(text) {
			p.reportUndefined(part{name, text})
		}
	}

	return len(p.found) == before
}

// isHyphenPart reports whether a token is a part of a name with hyphens.
func (p *parser) isHyphenPart(i int) bool {
	return p.tokens[i].kind == word || p.tokens[i].hasText("-")
}

func (p *parser) isRoot(name string) bool { return slices.Contains(p.rootNames(), name) }

// endsOperand reports whether a token outside of brackets ends the operand before it.
func (t token) endsOperand() bool {
	if t.kind == word {
		return operators[strings.Fields(t.text)[0]]
	}

	return t.kind == symbol && !t.hasText(".") && !t.hasText("!")
}

// continuesName reports whether a token directly continues a name with hyphens.
func (p *parser) continuesName(i int) bool {
	return p.tokens[i-1].end == p.tokens[i].start && (p.isHyphenPart(i) || p.tokens[i].kind == number)
}
