package expr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// template reads a text with placeholders.
type template struct {
	*reader
	i int
	// tags counts what was read between braces, or was meant to be.
	tags int
	// parts of the template so far, or of the innermost block that is open.
	parts []ir.Part
	// literal is the text since the last part.
	literal strings.Builder
	blocks  []block
	// ended counts, by word, the blocks that were reported and whose end may still come.
	ended map[string]int
	// unclosedTags says that a {{ was reported which is not closed.
	unclosedTags bool
}

// block is an {{#if}} or {{#each}} that is open.
type block struct {
	word  string
	at    place
	value ir.Expression
	// around are the parts before it.
	around []ir.Part
}

// Bounds of a template: how deep blocks nest, and how many tags there are. Each tag is a part of one Go expression, and
// the time that it takes to format one grows faster than its length.
const (
	maxBlocks = 50
	maxTags   = 1_000
)

const (
	opening = "{{"
	closing = "}}"
	escaped = `\{{`
)

func (t *template) read() []ir.Part {
	text := t.text.Value
	lastStatement := strings.LastIndex(text, "%}")
	for t.i < len(text) {
		rest := text[t.i:]
		isTag, isStatement := strings.HasPrefix(rest, opening), strings.HasPrefix(rest, "{%") && t.i < lastStatement
		switch {
		case strings.HasPrefix(rest, escaped):
			t.literal.WriteString(opening)
			t.i += len(escaped)
		case (isTag || isStatement) && !t.count():
			return t.parts
		case isTag:
			t.tag()
		case isStatement:
			n := strings.Index(rest, "%}") + len("%}")
			t.unsupported(place{t.i, t.i + n}, "templates do not have {%% %%}").
				WithHint("there are {{ }}, {{#if x}} … {{/if}} and {{#each x}} … {{/each}}")
			t.i += n
		default:
			n := cmp.Or(strings.IndexAny(rest[1:], `\{`)+1, len(rest))
			t.literal.WriteString(rest[:n])
			t.i += n
		}
	}
	t.endText()
	for _, b := range t.blocks {
		t.unclosed(b)
	}

	return t.parts
}

// count counts a tag, and reports the first one that is too many.
func (t *template) count() bool {
	if t.tags++; t.tags > maxTags {
		at := place{t.i, t.i + len(opening)}
		t.unsupported(at, "the template has more than %d placeholders and block tags", maxTags)
		return false
	}

	return true
}

// endText makes a part of the text before a tag.
func (t *template) endText() {
	if t.literal.Len() > 0 {
		t.parts = append(t.parts, &ir.Verbatim{Text: t.literal.String()})
		t.literal.Reset()
	}
}

// tag reads what is in braces.
func (t *template) tag() {
	t.endText()
	n := tagEnd(t.text.Value[t.i:])
	if n < 0 {
		if !t.unclosedTags { // the first one of the text says what there is to say of all
			t.unsupported(place{t.i, t.i + len(opening)}, "{{ is not closed").
				WithHint("it ends with }}; to write two braces as text, write %s", t.escapedBraces())
		}
		t.unclosedTags = true
		t.literal.WriteString(opening)
		t.i += len(opening)
		return
	}
	all := place{t.i, t.i + n}
	t.i = all.end
	inner := trimmed(t.text.Value, place{all.start + len(opening), all.end - len(closing)})
	switch first := t.text.Value[inner.start:inner.end]; {
	case first == "":
		t.unsupported(all, "there is nothing between {{ and }}")
	case strings.HasPrefix(first, "#"):
		t.open(all, inner)
	case strings.HasPrefix(first, "/"):
		t.close(all, first[1:])
	case first == "else":
		t.unsupported(all, "blocks do not have an else").WithHint("{{ a or b }} is b if there is no a")
	case strings.ContainsAny(first[:1], "{!>&^%"):
		t.unsupported(all, "a placeholder has to begin with a name or a text, not with %q", first[:1]).
			WithHint("to write two braces as text, write %s", t.escapedBraces())
	default:
		t.parts = append(t.parts, t.placeholder(all, inner))
	}
}

// escapedBraces is how braces that are text are written, in this kind of scalar.
func (t *template) escapedBraces() string {
	written, _ := t.quoted(escaped)
	return written
}

// tagEnd returns where the tag at the start of text ends, behind its braces; -1 if it does not. Braces in quotes are
// text; behind a quote that nothing closes, no other one on its line is looked at.
func tagEnd(text string) int {
	stray := false
	for i := len(opening); i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], closing):
			return i + len(closing)
		case strings.HasPrefix(text[i:], opening):
			return -1
		case c == '\n':
			stray = false
		case !stray && (c == '\'' || c == '"'):
			n := quoteEnd(text[i:])
			i, stray = i+n, n == 0
		}
	}

	return -1
}

// quoteEnd returns the place of the closing quote of the text that begins with one; 0 if it is not on the same line.
func quoteEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i
		case '\\':
			i++
		case '\n':
			return 0
		}
	}

	return 0
}

// trimmed is a place without white space at its ends.
func trimmed(text string, at place) place {
	inner := strings.TrimLeft(text[at.start:at.end], " \t\r\n")
	at.start = at.end - len(inner)
	at.end = at.start + len(strings.TrimRight(inner, " \t\r\n"))

	return at
}

// open begins a block.
func (t *template) open(all, inner place) {
	word, _, _ := strings.Cut(t.text.Value[inner.start+1:inner.end], " ")
	subject := trimmed(t.text.Value, place{inner.start + 1 + len(word), inner.end})
	b := block{word: word, at: all, around: t.parts}
	switch {
	case word != "if" && word != "each":
		t.unsupported(all, "there is no block {{#%s}}", word).WithHint("the blocks are {{#if x}} and {{#each x}}")
		t.ended[word]++
		return
	case len(t.blocks) == maxBlocks:
		t.unsupported(all, "blocks are nested more than %d deep", maxBlocks)
		t.i, t.blocks = len(t.text.Value), nil
		return
	case subject.start == subject.end:
		t.unsupported(all, "{{#%s}} has to be followed by a name", word).WithHint("such as {{#%s context.items}}", word)
		b.value = t.unknown(all)
	default:
		b.value = t.subject(subject)
	}
	if word == "each" {
		t.items = append(t.items, t.item(b.value))
	}
	t.blocks, t.parts = append(t.blocks, b), nil
}

// item is what `this` is in a block: an item of the list.
func (t *template) item(list ir.Expression) Name {
	if is := builtin.KindsOfExpression(list).There(); is != builtin.None && is&builtin.List == 0 {
		t.add(diag.New(diag.GuardType, list.At(), "{{#each}} needs a list, but this is %s", is))
	}
	access := &ir.Access{Root: ir.RootThis}
	if typ := list.Is(); typ.Schema != nil && typ.Schema.Kind == ir.SchemaArray && typ.Schema.Items != nil {
		access.Type = ir.Type{Schema: typ.Schema.Items, Owner: typ.Owner, Of: typ.Of}
	}

	return Name{Name: "this", Value: access}
}

// close ends a block, and what is open in it.
func (t *template) close(all place, word string) {
	word = strings.TrimSpace(word)
	if !slices.ContainsFunc(t.blocks, func(b block) bool { return b.word == word }) {
		if t.ended[word]--; t.ended[word] < 0 {
			t.unsupported(all, "{{/%s}} closes nothing", word)
		}
		return
	}
	for t.blocks[len(t.blocks)-1].word != word {
		inner := t.blocks[len(t.blocks)-1]
		t.unclosed(inner).Note(t.span(all), "the surrounding block ends here")
		t.ended[inner.word]++
		t.pop()
	}
	t.pop()
}

func (t *template) unclosed(b block) *diag.Diagnostic {
	return t.unsupported(b.at, "{{#%s}} is not closed", b.word).WithHint("it ends with {{/%s}}", b.word)
}

// pop makes a part of the innermost block.
func (t *template) pop() {
	n := len(t.blocks) - 1
	b := t.blocks[n]
	var part ir.Part = &ir.IfPart{Cond: b.value, Body: t.parts}
	if b.word == "each" {
		part = &ir.EachPart{Items: b.value, Body: t.parts}
		t.items = t.items[:len(t.items)-1]
	}
	t.blocks, t.parts = t.blocks[:n], append(b.around, part)
}

// parser begins to read what is in braces at a place; nil if there is too much of it.
func (t *template) parser(at place, form string) *parser {
	p := &parser{reader: t.reader, tokens: tokens(t.text.Value, at, true), placeholder: form}
	if len(p.tokens) > maxTokens {
		t.unsupported(p.tokens[maxTokens].place, "the placeholder has more than %d tokens", maxTokens)
		return nil
	}

	return p
}

// close reports what is left to read, and what could not be read.
func (p *parser) close() {
	if p.i < len(p.tokens) {
		p.unexpected()
	}
	p.found = append(p.found, p.grammar...)
}

// placeholder reads `a or b | filter(arg)`.
func (t *template) placeholder(all, inner place) ir.Part {
	result := &ir.Placeholder{Span: t.span(all)}
	p := t.parser(inner, `a placeholder is {{ name or "text" | filter }}`)
	if p == nil {
		return result
	}
	defer p.close()
	result.Values = p.choices(nil)
	for p.accept("or") {
		result.Values = p.choices(result.Values)
	}
	for p.accept("|") {
		p.filter(result)
	}

	return result
}

// choices reads a value, and appends those of which one counts, where a name may mean two.
func (p *parser) choices(values []ir.Expression) []ir.Expression {
	value := p.value(p.operand())
	if choice, ok := value.(*ir.Placeholder); ok {
		return append(values, choice.Values...)
	}

	return append(values, value)
}

// subject reads what {{#if}} and {{#each}} are about: a path.
func (t *template) subject(at place) ir.Expression {
	p := t.parser(at, "a block takes a name; to compare, use a conditional step")
	if p == nil {
		return t.unknown(at)
	}
	defer p.close()

	return p.value(p.operand())
}
