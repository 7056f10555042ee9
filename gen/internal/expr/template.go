package expr

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// template parses a text with placeholders.
type template struct {
	*reader
	i int
	// tags is the number of tags so far.
	tags int
	// parts are the parts of the template or of the innermost open block.
	parts []ir.Part
	// literal is the text since the last part.
	literal strings.Builder
	blocks  []block
	// ended counts, by word, the reported blocks whose end may still follow.
	ended map[string]int
	// unclosedTags is true after a reported {{ without an end.
	unclosedTags bool
}

// block is an open {{#if}} or {{#each}}.
type block struct {
	word  string
	at    place
	value ir.Expression
	// around are the parts before it.
	around []ir.Part
	// arms are the conditions and parts before an {{else}} or {{elif}}.
	arms []arm
	// hasElse is true after {{else}}.
	hasElse bool
}

// arm is a part of a block that is rendered under a condition.
type arm struct {
	cond ir.Expression
	body []ir.Part
}

// The limits of a template: the depth of blocks and the number of tags. Each tag is a part of one
// Go expression, and formatting one takes more than linear time.
const (
	maxBlocks = 50
	maxTags   = 1_000
)

const (
	opening = "{{"
	closing = "}}"
	escaped = `\{{`
)

func (t *template) parse() []ir.Part {
	text := t.text.Value
	lastStatement := strings.LastIndex(text, "%}")
	for t.i < len(text) {
		rest := text[t.i:]
		isTag, isStatement := strings.HasPrefix(rest, opening), strings.HasPrefix(rest, "{%") && t.i < lastStatement
		switch {
		case strings.HasPrefix(rest, escaped):
			t.literal.WriteString(opening)
			t.i += len(escaped)
		case (isTag || isStatement) && !t.countTag():
			return t.parts
		case isTag:
			t.parseTag()
		case isStatement:
			n := strings.Index(rest, "%}") + len("%}")
			t.unsupported(place{t.i, t.i + n}, "templates do not have {%% %%}").
				WithHint("there are {{ }}, {{#if x}} … {{elif y}} … {{else}} … {{/if}} and {{#each x}} … {{/each}}")
			t.i += n
		default:
			t.warnOfSingleBraces(rest)
			n := cmp.Or(strings.IndexAny(rest[1:], `\{`)+1, len(rest))
			t.literal.WriteString(rest[:n])
			t.i += n
		}
	}
	t.flushText()
	for _, b := range t.blocks {
		t.reportUnclosed(b)
	}

	return t.parts
}

// countTag counts a tag, and reports the first one beyond the limit.
func (t *template) countTag() bool {
	t.tags++
	if t.tags > maxTags {
		at := place{t.i, t.i + len(opening)}
		t.unsupported(at, "the template has more than %d placeholders and block tags", maxTags)
		return false
	}

	return true
}

// warnOfSingleBraces reports a name of the scope in single braces at the start of a text: they are
// text, and a placeholder was probably meant.
func (t *template) warnOfSingleBraces(rest string) {
	path := pathInBraces.FindStringSubmatch(rest)
	if path == nil || strings.HasPrefix(rest[len(path[0]):], "}") || !slices.Contains(t.rootNames(), path[2]) {
		return
	}
	t.report(diag.SingleBraces, place{t.i, t.i + len(path[0])}, "%s stays as it is: a placeholder has two braces", path[0]).
		WithHint("write {{ %s }} for a placeholder", path[1])
}

// pathInBraces is a path in single braces, perhaps with filters: its groups are all of that and the
// first name.
var pathInBraces = regexp.MustCompile(`^\{\s*((@?\w+)(?:\.[\w-]+)*(?:\s*\|\s*\w+(?:\([^(){}\n]*\))?)*)\s*\}`)

// flushText adds the text before a tag as a part.
func (t *template) flushText() {
	if t.literal.Len() > 0 {
		t.parts = append(t.parts, &ir.Verbatim{Text: t.literal.String()})
		t.literal.Reset()
	}
}

// parseTag parses a tag in braces.
func (t *template) parseTag() {
	t.flushText()
	n := tagEnd(t.text.Value[t.i:])
	if n < 0 {
		if !t.unclosedTags { // only the first one of a text is reported
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
	inner := trimPlace(t.text.Value, place{all.start + len(opening), all.end - len(closing)})
	switch first := t.text.Value[inner.start:inner.end]; {
	case first == "":
		t.unsupported(all, "there is nothing between {{ and }}")
	case strings.HasPrefix(first, "#"):
		t.openBlock(all, inner)
	case strings.HasPrefix(first, "/"):
		t.closeBlock(all, first[1:])
	case first == "else":
		t.beginElse(all)
	case isElseIf(first):
		t.beginElseIf(all, inner)
	case strings.ContainsAny(first[:1], "{!>&^%"):
		t.unsupported(all, "a placeholder has to begin with a name or a text, not with %q", first[:1]).
			WithHint("to write two braces as text, write %s", t.escapedBraces())
	default:
		t.parts = append(t.parts, t.parsePlaceholder(all, inner))
	}
}

// escapedBraces returns the escape for literal braces in this kind of scalar.
func (t *template) escapedBraces() string {
	written, _ := t.quoteInScalar(escaped)
	return written
}

// tagEnd returns the end of the tag at the start of text, or -1. Braces in quotes are text. After
// an unclosed quote, later quotes on the line are ignored.
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

// quoteEnd returns the offset of the closing quote on the same line, or 0.
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

// trimPlace removes white space at the ends of a place.
func trimPlace(text string, at place) place {
	inner := strings.TrimLeft(text[at.start:at.end], " \t\r\n")
	at.start = at.end - len(inner)
	at.end = at.start + len(strings.TrimRight(inner, " \t\r\n"))

	return at
}

// openBlock begins a block.
func (t *template) openBlock(all, inner place) {
	word, _, _ := strings.Cut(t.text.Value[inner.start+1:inner.end], " ")
	subject := trimPlace(t.text.Value, place{inner.start + 1 + len(word), inner.end})
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
		b.value = t.unknownValue(all)
	case word == "if":
		b.value = t.parseCondition(subject)
	default:
		b.value = t.parseSubject(subject)
	}
	if word == "each" {
		t.items = append(t.items, t.itemName(b.value))
	}
	t.blocks, t.parts = append(t.blocks, b), nil
}

// itemName returns `this` for a block: an item of the list.
func (t *template) itemName(list ir.Expression) Name {
	if is := builtin.KindsOfExpression(list).There(); is != builtin.None && is&builtin.List == 0 {
		t.addDiagnostic(diag.New(diag.GuardType, list.At(), "{{#each}} needs a list, but this is %s", is))
	}
	access := &ir.Access{Root: ir.RootThis}
	if typ := list.ValueType(); typ.Schema != nil && typ.Schema.Kind == ir.SchemaArray && typ.Schema.Items != nil {
		access.Type = ir.Type{Schema: typ.Schema.Items, Owner: typ.Owner, OwnerName: typ.OwnerName}
	}

	return Name{Name: "this", Value: access}
}

// closeBlock ends a block, and the open blocks in it.
func (t *template) closeBlock(all place, word string) {
	word = strings.TrimSpace(word)
	if !slices.ContainsFunc(t.blocks, func(b block) bool { return b.word == word }) {
		t.ended[word]--
		if t.ended[word] < 0 {
			t.unsupported(all, "{{/%s}} closes nothing", word)
		}
		return
	}
	for t.blocks[len(t.blocks)-1].word != word {
		inner := t.blocks[len(t.blocks)-1]
		t.reportUnclosed(inner).Note(t.span(all), "the surrounding block ends here")
		t.ended[inner.word]++
		t.popBlock()
	}
	t.popBlock()
}

func (t *template) reportUnclosed(b block) *diag.Diagnostic {
	return t.unsupported(b.at, "{{#%s}} is not closed", b.word).WithHint("it ends with {{/%s}}", b.word)
}

// popBlock makes a part of the innermost block.
func (t *template) popBlock() {
	n := len(t.blocks) - 1
	b := t.blocks[n]
	if b.word == "each" && !b.hasElse {
		t.items = t.items[:len(t.items)-1]
	}
	t.blocks, t.parts = t.blocks[:n], append(b.around, b.finish(t.parts))
}

// finish returns a block as a part. last are the parts before its end.
func (b *block) finish(last []ir.Part) ir.Part {
	switch {
	case b.word == "each" && !b.hasElse:
		return &ir.EachPart{Items: b.value, Body: last}
	case b.word == "each":
		each := &ir.EachPart{Items: b.value, Body: b.arms[0].body}
		return &ir.IfPart{Cond: b.value, Body: []ir.Part{each}, Otherwise: last}
	case !b.hasElse:
		b.arms, last = append(b.arms, arm{b.value, last}), nil
	}
	for _, one := range slices.Backward(b.arms) {
		last = []ir.Part{&ir.IfPart{Cond: one.cond, Body: one.body, Otherwise: last}}
	}

	return last[0]
}

// innermost returns the innermost open block, or reports a tag that needs one.
func (t *template) innermost(at place, word string) *block {
	n := len(t.blocks)
	if n == 0 {
		t.unsupported(at, "{{%s}} is in no block", word).WithHint("it belongs between {{#if x}} and {{/if}}")
		return nil
	}
	b := &t.blocks[n-1]
	if b.hasElse {
		t.unsupported(at, "{{%s}} follows an {{else}}", word).Note(t.span(b.at), "the block begins here")
		return nil
	}

	return b
}

// beginElse begins what a block renders if no condition holds, or if its list is empty.
func (t *template) beginElse(all place) {
	b := t.innermost(all, "else")
	if b == nil {
		return
	}
	if b.word == "each" {
		t.items = t.items[:len(t.items)-1]
	}
	b.arms, b.hasElse = append(b.arms, arm{b.value, t.parts}), true
	t.parts = nil
}

// isElseIf reports whether the text of a tag begins with elif or else if.
func isElseIf(tag string) bool {
	words := strings.Fields(tag)
	if len(words) == 0 {
		return false
	}
	isElse := words[0] == "else"

	return words[0] == "elif" || isElse && len(words) > 1 && words[1] == "if"
}

// beginElseIf begins what a block renders if no condition before holds, and one more does.
func (t *template) beginElseIf(all, inner place) {
	b := t.innermost(all, "elif")
	switch {
	case b == nil:
		return
	case b.word == "each":
		t.unsupported(all, "{{#each}} has no elif").WithHint("{{else}} is for an empty list")
		return
	}
	text := t.text.Value[inner.start:inner.end]
	word := strings.Fields(text)[0]
	if word == "else" {
		word = text[:strings.Index(text, "if")+len("if")]
	}
	subject := trimPlace(t.text.Value, place{inner.start + len(word), inner.end})
	b.arms = append(b.arms, arm{b.value, t.parts})
	t.parts = nil
	if subject.start == subject.end {
		t.unsupported(all, "{{elif}} has to be followed by a condition")
		b.value = t.unknownValue(all)
		return
	}
	b.value = t.parseCondition(subject)
}

// newParser returns a parser for a place in braces, or nil if it is too long.
func (t *template) newParser(at place, form string) *parser {
	p := &parser{reader: t.reader, tokens: tokenize(t.text.Value, at, true), placeholder: form}
	if len(p.tokens) > maxTokens {
		t.unsupported(p.tokens[maxTokens].place, "the placeholder has more than %d tokens", maxTokens)
		return nil
	}

	return p
}

// finish reports remaining tokens and syntax errors.
func (p *parser) finish() {
	if p.i < len(p.tokens) {
		p.reportUnexpected()
	}
	p.found = append(p.found, p.grammar...)
}

// parsePlaceholder parses `a or b | filter(arg)`.
func (t *template) parsePlaceholder(all, inner place) ir.Part {
	result := &ir.Placeholder{Span: t.span(all)}
	p := t.newParser(inner, `a placeholder is {{ name or "text" | filter }}`)
	if p == nil {
		return result
	}
	defer p.finish()
	result.Values = p.parseChoices(nil)
	for p.accept("or") {
		result.Values = p.parseChoices(result.Values)
	}
	for p.accept("|") {
		p.parseFilter(result)
	}

	return result
}

// parseChoices parses a value and appends it. A name with two meanings adds both.
func (p *parser) parseChoices(values []ir.Expression) []ir.Expression {
	value := p.toExpression(p.parseSum())
	if choice, ok := value.(*ir.Placeholder); ok {
		return append(values, choice.Values...)
	}

	return append(values, value)
}

// parseCondition parses the condition after {{#if}} and {{elif}}: an expression, whose names may have
// hyphens.
func (t *template) parseCondition(at place) ir.Expression {
	p := t.newParser(at, "a condition is an expression")
	if p == nil {
		return t.unknownValue(at)
	}
	p.condition = true
	if !p.checkTokens() {
		return t.unknownValue(at)
	}
	defer p.finish()
	x := p.toCondition(p.toExpression(p.parseExpression()))
	switch x.(type) {
	case *ir.Literal, *ir.Access, *ir.Placeholder:
	default:
		if !t.hasError() && len(p.grammar) == 0 {
			t.reportConstant(x, x)
		}
	}

	return x
}

// parseSubject parses the path after {{#each}}.
func (t *template) parseSubject(at place) ir.Expression {
	p := t.newParser(at, "{{#each}} takes a list")
	if p == nil {
		return t.unknownValue(at)
	}
	defer p.finish()

	return p.toExpression(p.parseOperand())
}
