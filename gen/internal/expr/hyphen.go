package expr

import (
	"fmt"
	"slices"

	"go.starlark.net/syntax"
)

// hyphenated reports a name with hyphens in it, which the parser takes for a difference, and reports whether e is one.
func (f *formula) hyphenated(e *syntax.BinaryExpr) bool {
	sign := f.sign(e)
	i := slices.IndexFunc(f.tokens, func(t token) bool { return t.start == sign.start })
	first, last := i, i
	for first > 0 && f.isName(first-1) && f.tokens[first-1].end == f.tokens[first].start {
		first--
	}
	for last+1 < len(f.tokens) && f.isName(last+1) && f.tokens[last].end == f.tokens[last+1].start {
		last++
	}
	name := place{f.tokens[first].start, f.tokens[last].end}
	if first == i || last == i || f.isRoot(f.tokens[i+1].text) {
		return false
	}

	text := f.text.Value[name.start:name.end]
	before := place{name.start, name.start}
	switch {
	case follows(f.tokens, first, "."):
		before.start = f.tokens[first-1].start
	case !f.isStep(text):
		return false
	}
	instead := fmt.Sprintf("[%q]", text)
	if before.start == before.end {
		instead = "steps" + instead
	}
	d := f.unsupported(name, "a name with a hyphen stands in brackets").WithHint("write %s", instead)
	f.mend(d, "write "+instead, edit{place{before.start, name.end}, instead})

	return true
}

// guardNames reports names with hyphens in them that are no states: named guards, which only stand alone. It reports whether
// there are none. Words of the language may be parts of such names, so they are looked for first.
func (f *formula) guardNames() bool {
	before := len(f.found)
	for i := 0; i < len(f.tokens); i++ {
		if f.tokens[i].kind != word || follows(f.tokens, i, ".") {
			continue
		}
		first := i
		for i+1 < len(f.tokens) && f.tokens[i].end == f.tokens[i+1].start && (f.isName(i+1) || f.tokens[i+1].kind == number) {
			i++
		}
		name := place{f.tokens[first].start, f.tokens[i].end}
		text := f.text.Value[name.start:name.end]
		if i > first && !f.isRoot(f.tokens[first].text) && !f.isStep(text) {
			f.undefined(part{name, text})
		}
	}

	return len(f.found) == before
}

func (f *formula) isName(i int) bool { return f.tokens[i].kind == word || f.tokens[i].is("-") }

func (f *formula) isRoot(name string) bool { return slices.Contains(f.roots(), name) }
