package expr

import (
	"fmt"
	"slices"
)

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
