package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// misdeclared returns the declared key of a that is most likely misspelled, where a row for a has the other key: the prompt
// names that one and does not mention the declared one, which is nearly the same. Of three places that have to agree, two do.
// named is where the prompt names the key. The zero Text is returned if that is not so.
func (u *unit) misdeclared(a *ir.Agent, key string) (wrong ir.Text, named source.Span) {
	known := declared(a)
	texts := make([]string, len(known))
	for i, k := range known {
		texts[i] = k.Value
	}
	near, ok := diag.Nearest(key, texts)
	prompt := a.Prompt.Span.Text()
	if !ok || holdsKey(prompt, near) {
		return ir.Text{}, source.Span{}
	}
	for _, k := range namedKeys(prompt) {
		if k.way.certain() && ir.FoldKey(k.key) == ir.FoldKey(key) {
			named = a.Prompt.Span
			named.Start, named.End = named.Start+k.start, named.Start+k.end
			return known[slices.Index(texts, near)], named
		}
	}

	return ir.Text{}, source.Span{}
}

// suggestKey says which of the keys of a was most likely meant by a row. It is the row that is misspelled, and not where the
// key comes from, if the language has named the key or the prompt mentions it too.
func suggestKey(d *diag.Diagnostic, a *ir.Agent, row *ir.Row, known []string) *diag.Diagnostic {
	near, _ := diag.Nearest(row.Key.Value, known)
	if alwaysDone(a) || near == ir.ExhaustedKey || len(declared(a)) > 0 && holdsName([]byte(a.Prompt.Span.Text()), near) {
		return d.Suggest(row.Key.Value, known)
	}

	return d.Guess(row.Key.Value, known)
}
