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

// promptKey finds prompts of react loops that name a key which is legal in none of the places where they are, and prompts
// that name neither finish nor a key of a place that routes on it, that leave one of them out, or nearly say it.
var promptKey = Pass{Name: "prompt-key", run: func(u *unit) {
	f := u.findingsSoFar()
	for _, p := range u.prompts {
		p.loopWord()
		if p.react == nil || f.files[p.agent.File] || f.files[p.step.File] || strings.TrimSpace(p.text) == "" {
			continue // what is faulty may have other keys
		}
		if p.uses = u.flow.UsesOfStep(p.agent, p.step); len(p.uses.Sites) == 0 {
			continue
		}
		reported := u.list.Len()
		p.illegalKeys()
		p.silence()
		if u.list.Len() == reported {
			p.unnamed()
		}
	}
}}

// legal returns the legal keys, if they are known.
func (p *prompt) legal() []string {
	if len(p.declared) == 0 {
		return p.uses.Keys()
	}

	return ir.Values(p.declared)
}

// illegalKeys reports each key that the prompt names and that is legal nowhere, at its first place.
func (p *prompt) illegalKeys() {
	legal, open := p.legal(), len(p.declared) == 0 && p.uses.Anything
	if open {
		legal = p.known()
	}
	if open && legal == nil {
		return
	}
	found := illegal(p.text, legal, open)
	places := map[string][]namedKey{}
	for _, k := range found {
		places[ir.FoldKey(k.key)] = append(places[ir.FoldKey(k.key)], k)
	}
	for _, k := range found {
		fold := ir.FoldKey(k.key)
		if at := places[fold]; at[0].start == k.start && !p.u.unroutedKeys[p.agent][fold] {
			p.u.report(p.illegalKey(at, legal))
		}
	}
}

// known returns the keys with rows where some place takes every key; nil where one is free.
func (p *prompt) known() []string {
	var known []string
	for _, site := range p.uses.Sites {
		legal := site.Legal()
		if legal.Kind == ir.PlaceFree {
			return nil
		}
		known = append(known, legal.Keys...)
	}

	return known
}

func (p *prompt) at(k namedKey) source.Span { return p.span(k.start, k.end) }

// illegalKey is the diagnostic for a key that the prompt names in these places.
func (p *prompt) illegalKey(places []namedKey, legal []string) *diag.Diagnostic {
	first := places[0]
	near, isNear := diag.Nearest(first.key, legal)
	if isNear && len(p.declared) > 0 && !holdsKey(p.text, near) {
		if rows := p.rows(first.key); rows != nil {
			return p.misdeclared(first, near, rows[0])
		}
	}

	d := diag.New(diag.PromptKey, p.at(first), "the prompt names the key %q, %s", first.key, p.nowhere())
	if !isNear || p.votes(near) < 2 || holdsKey(p.text, near) {
		return p.noteLegal(d.Guess(first.key, legal), near) // either can be misspelled, or it has said that already
	}
	d.Suggest(first.key, legal)
	for i := range d.Fixes {
		for _, k := range places[1:] {
			d.Fixes[i].Edits = append(d.Fixes[i].Edits, diag.Edit{Span: p.at(k), New: near})
		}
	}

	return p.noteLegal(d, near)
}

// votes returns in how many places beside the prompt the key is written: where it is declared, and in rows.
func (p *prompt) votes(key string) int {
	votes := len(p.rows(key))
	if slices.ContainsFunc(p.declared, func(k ir.Text) bool { return k.Value == key }) {
		votes++
	}

	return votes
}

// rows returns the rows with the key in the states where the prompt is used, one of each place; nil if there is none.
func (p *prompt) rows(key string) (rows []*ir.Row) {
	for _, site := range p.uses.Sites {
		if state := stateOf(site); state != nil && routes(state.State, key) {
			rows = append(rows, rowFor(state.State, key))
		}
	}

	return rows
}

// misdeclared is the diagnostic that the prompt and a row agree on a key, and the declared key that is nearly the same is the
// mistake.
func (p *prompt) misdeclared(named namedKey, near string, row *ir.Row) *diag.Diagnostic {
	i := slices.IndexFunc(p.declared, func(k ir.Text) bool { return k.Value == near })
	key := p.declared[i]

	return diag.New(diag.PromptKey, key.Span, "%s declares the key %q, and its prompt names %q",
		declarer(p.agent, p.step, key.Span), key.Value, named.key).
		Suggest(key.Value, []string{named.key}).
		Note(p.at(named), "the prompt names %q here", named.key).
		Note(row.Key.Span, "and this row has %q", row.Key.Value)
}

// nowhere says of a key that it is not legal.
func (p *prompt) nowhere() string {
	switch site := p.uses.Sites[0]; {
	case len(p.declared) > 0:
		return "which is not among those of " + p.owner()
	case p.uses.Anything:
		return "and " + where(site) + " has no row of its own for that"
	case len(p.uses.Sites) == 1:
		return "which " + where(site) + " does not take"
	}

	return fmt.Sprintf("which is taken in none of the places where %s runs", p.owner())
}

// where says where a site is.
func where(site *flow.Site) string {
	if state := stateOf(site); state != nil {
		return fmt.Sprintf("state %q of machine %q", state.State.Name.Value, state.Around.Name.Value)
	}

	return fmt.Sprintf("%s %q", noun(site.Around), site.Around.Name.Value)
}

// stateOf returns the innermost site of a state from site outwards; nil if there is none.
func stateOf(site *flow.Site) *flow.Site {
	for site != nil && site.State == nil {
		site = site.Outer
	}

	return site
}

// noteLegal shows what is legal: where it is declared, else in each place, at the row of the key that was most likely meant.
func (p *prompt) noteLegal(d *diag.Diagnostic, meant string) *diag.Diagnostic {
	if len(p.declared) > 0 {
		return d.Note(textsSpan(p.declared), "it declares %s", quoted(p.legal()))
	}

	return noteSites(d, p.uses.Sites, meant)
}

// noteSites shows what is legal at some sites.
func noteSites(d *diag.Diagnostic, sites []*flow.Site, meant string) *diag.Diagnostic {
	for i, site := range sites {
		if i == maxOrigins {
			return d.Note(noSpan, "and so on, in other places")
		}
		noteSite(d, site, meant)
	}

	return d
}

// noteSite shows what is legal at a site.
func noteSite(d *diag.Diagnostic, site *flow.Site, meant string) *diag.Diagnostic {
	at := placeOf(site.Around.PatternAt, site.Around.Name)
	if state := stateOf(site); state != nil && len(state.State.Rows) > 0 {
		at = rowsSpan(state.State)
		for _, row := range state.State.Rows {
			if row.Key.Value == meant {
				at = row.Key.Span
			}
		}
	}

	return d.Note(at, "%s takes %s", where(site), quoted(site.Legal().Keys))
}

// misdeclared returns the declared key of a that is most likely misspelled, where a row for a has the other key: the prompt
// names that one and does not mention the declared one, which is nearly the same. Of three places that have to agree, two do.
// named is where the prompt names the key. The zero Text is returned if that is not so.
func (u *unit) misdeclared(a *ir.Agent, key string) (wrong ir.Text, named source.Span) {
	known := declared(a)
	texts := ir.Values(known)
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
