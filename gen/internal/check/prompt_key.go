package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// promptKey finds prompts of react loops that name a key which is legal at none of their sites. It
// also finds prompts that neither mention finish nor a key of a site that routes on keys, and
// prompts that omit or misspell one of the keys.
var promptKey = Pass{Name: "prompt-key", run: func(u *unit) {
	f := u.problemsSoFar()
	for _, p := range u.prompts {
		p.reportMissingLoopWord()
		if p.react == nil || f.files[p.agent.File] || f.files[p.step.File] || strings.TrimSpace(p.text) == "" {
			continue // the fix of an error may change the keys
		}
		p.uses = u.flow.UsesOfStep(p.agent, p.step)
		if len(p.uses.Sites) == 0 {
			continue
		}
		reported := u.list.Len()
		p.reportIllegalKeys()
		p.reportSilence()
		if u.list.Len() == reported {
			p.reportUnnamedKey()
		}
	}
}}

// legalKeys returns the legal keys, if they are known.
func (p *prompt) legalKeys() []string {
	if len(p.declared) == 0 {
		return p.uses.LegalKeys()
	}

	return ir.Values(p.declared)
}

// reportIllegalKeys reports each key that the prompt names and that is legal nowhere, at its first
// occurrence.
func (p *prompt) reportIllegalKeys() {
	legal, open := p.legalKeys(), len(p.declared) == 0 && p.uses.AnyKey
	if open {
		legal = p.keysWithRows()
	}
	if open && legal == nil {
		return
	}
	found := illegalKeysIn(p.text, legal, open)
	places := map[string][]namedKey{}
	for _, k := range found {
		places[ir.FoldKey(k.key)] = append(places[ir.FoldKey(k.key)], k)
	}
	for _, k := range found {
		fold := ir.FoldKey(k.key)
		if at := places[fold]; at[0].start == k.start && !p.u.unroutedKeys[p.agent][fold] {
			p.u.report(p.illegalKeyDiagnostic(at, legal))
		}
	}
}

// keysWithRows returns the keys with rows if a site takes every key. It returns nil if a site has
// no rows at all.
func (p *prompt) keysWithRows() []string {
	var known []string
	for _, site := range p.uses.Sites {
		legal := site.LegalPlace()
		if legal.Kind == ir.PlaceFree {
			return nil
		}
		known = append(known, legal.Keys...)
	}

	return known
}

func (p *prompt) keySpan(k namedKey) source.Span { return p.span(k.start, k.end) }

// illegalKeyDiagnostic describes a key that the prompt names at these positions.
func (p *prompt) illegalKeyDiagnostic(places []namedKey, legal []string) *diag.Diagnostic {
	first := places[0]
	near, isNear := diag.Nearest(first.key, legal)
	if isNear && len(p.declared) > 0 && !containsKey(p.text, near) {
		if rows := p.rowsWithKey(first.key); rows != nil {
			return p.misdeclaredDiagnostic(first, near, rows[0])
		}
	}

	d := diag.New(diag.PromptKey, p.keySpan(first), "the prompt names the key %q, %s", first.key, p.describeIllegal())
	if !isNear || p.countUses(near) < 2 || containsKey(p.text, near) {
		return p.noteLegal(d.Guess(first.key, legal), near) // either key can be misspelled, or the prompt mentions both
	}
	d.Suggest(first.key, legal)
	for i := range d.Fixes {
		for _, k := range places[1:] {
			d.Fixes[i].Edits = append(d.Fixes[i].Edits, diag.Edit{Span: p.keySpan(k), New: near})
		}
	}

	return p.noteLegal(d, near)
}

// countUses returns how often a key is written outside the prompt: in the declaration and in rows.
func (p *prompt) countUses(key string) int {
	votes := len(p.rowsWithKey(key))
	if slices.ContainsFunc(p.declared, func(k ir.Text) bool { return k.Value == key }) {
		votes++
	}

	return votes
}

// rowsWithKey returns a row with the key for each state in which the prompt is used, or nil.
func (p *prompt) rowsWithKey(key string) (rows []*ir.Row) {
	for _, site := range p.uses.Sites {
		if state := enclosingState(site); state != nil && hasRowWithKey(state.State, key) {
			rows = append(rows, rowFor(state.State, key))
		}
	}

	return rows
}

// misdeclaredDiagnostic describes a declared key that is misspelled: the prompt and a row agree on
// a similar one.
func (p *prompt) misdeclaredDiagnostic(named namedKey, near string, row *ir.Row) *diag.Diagnostic {
	i := slices.IndexFunc(p.declared, func(k ir.Text) bool { return k.Value == near })
	key := p.declared[i]

	return diag.New(diag.PromptKey, key.Span, "%s declares the key %q, and its prompt names %q",
		declarer(p.agent, p.step, key.Span), key.Value, named.key).
		Suggest(key.Value, []string{named.key}).
		Note(p.keySpan(named), "the prompt names %q here", named.key).
		Note(row.Key.Span, "and this row has %q", row.Key.Value)
}

// describeIllegal describes why a key is not legal.
func (p *prompt) describeIllegal() string {
	switch site := p.uses.Sites[0]; {
	case len(p.declared) > 0:
		return "which is not among those of " + p.owner()
	case p.uses.AnyKey:
		return "and " + describeSite(site) + " has no row of its own for that"
	case len(p.uses.Sites) == 1:
		return "which " + describeSite(site) + " does not take"
	}

	return fmt.Sprintf("which is taken in none of the places where %s runs", p.owner())
}

// describeSite describes the position of a site.
func describeSite(site *flow.Site) string {
	if state := enclosingState(site); state != nil {
		return fmt.Sprintf("state %q of machine %q", state.State.Name.Value, state.Around.Name.Value)
	}

	return fmt.Sprintf("%s %q", noun(site.Around), site.Around.Name.Value)
}

// enclosingState returns the innermost site of a state around site, or nil.
func enclosingState(site *flow.Site) *flow.Site {
	for site != nil && site.State == nil {
		site = site.Outer
	}

	return site
}

// noteLegal adds notes on the legal keys: their declaration, or the rows of each site.
func (p *prompt) noteLegal(d *diag.Diagnostic, meant string) *diag.Diagnostic {
	if len(p.declared) > 0 {
		return d.Note(textsSpan(p.declared), "it declares %s", quoted(p.legalKeys()))
	}

	return noteSites(d, p.uses.Sites, meant)
}

// noteSites adds notes on the legal keys of some sites.
func noteSites(d *diag.Diagnostic, sites []*flow.Site, meant string) *diag.Diagnostic {
	for i, site := range sites {
		if i == maxOrigins {
			return d.Note(noSpan, "and so on, in other places")
		}
		noteSite(d, site, meant)
	}

	return d
}

// noteSite adds a note on the legal keys of a site.
func noteSite(d *diag.Diagnostic, site *flow.Site, meant string) *diag.Diagnostic {
	at := placeOf(site.Around.PatternAt, site.Around.Name)
	if state := enclosingState(site); state != nil && len(state.State.Rows) > 0 {
		at = rowsSpan(state.State)
		for _, row := range state.State.Rows {
			if row.Key.Value == meant {
				at = row.Key.Span
			}
		}
	}

	return d.Note(at, "%s takes %s", describeSite(site), quoted(site.LegalPlace().Keys))
}

// misdeclaredKey returns the declared key of a that is most likely misspelled, and the span of the
// correct key in the prompt. A row for a and the prompt have that key, and the prompt does not
// mention the declared one, which is similar. It returns the zero Text if there is no such key.
func (u *unit) misdeclaredKey(a *ir.Agent, key string) (wrong ir.Text, named source.Span) {
	known := declaredKeys(a)
	texts := ir.Values(known)
	near, ok := diag.Nearest(key, texts)
	prompt := a.Prompt.Span.Text()
	if !ok || containsKey(prompt, near) {
		return ir.Text{}, source.Span{}
	}
	for _, k := range namedKeysIn(prompt) {
		if k.form.isCertain() && ir.FoldKey(k.key) == ir.FoldKey(key) {
			named = a.Prompt.Span
			named.Start, named.End = named.Start+k.start, named.Start+k.end
			return known[slices.Index(texts, near)], named
		}
	}

	return ir.Text{}, source.Span{}
}

// suggestKey suggests the key of a that a row most likely means. The row is certainly at fault if
// the language defines the key or the prompt mentions it.
func suggestKey(d *diag.Diagnostic, a *ir.Agent, row *ir.Row, known []string) *diag.Diagnostic {
	near, _ := diag.Nearest(row.Key.Value, known)
	isDefined := alwaysDone(a) || near == ir.ExhaustedKey
	if isDefined || len(declaredKeys(a)) > 0 && containsName([]byte(a.Prompt.Span.Text()), near) {
		return d.Suggest(row.Key.Value, known)
	}

	return d.Guess(row.Key.Value, known)
}
