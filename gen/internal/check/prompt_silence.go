package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reportSilence reports a prompt without an instruction how to finish although the key selects the
// next step.
func (p *prompt) reportSilence() {
	if p.react.List != nil {
		return // the runtime explains how to finish with a list
	}
	words := p.words()
	if words.mentionsFinish() {
		return
	}
	silent := ir.Where(p.uses.Sites, func(site *flow.Site) bool {
		return p.offersChoice(site) && !slices.ContainsFunc(p.offeredKeys(site), words.mentionsKey)
	})
	if len(silent) == 0 {
		return
	}
	d := diag.New(diag.PromptKey, p.firstLine(), "the prompt of %s names neither finish nor a key that %s routes: %s",
		p.owner(), describeSite(silent[0]), quotedOr(p.offeredKeys(silent[0])))
	p.u.report(noteSites(d.WithHint("say when to finish with which key"), silent, ""))
}

// offersChoice reports whether the model can choose between keys at the site.
func (p *prompt) offersChoice(site *flow.Site) bool {
	legal := site.LegalPlace()
	switch {
	case legal.Kind == ir.PlaceFree:
		return false
	case legal.Kind == ir.PlaceOpen:
		return len(p.offeredKeys(site)) > 0
	}

	return len(p.offeredKeys(site)) > 1
}

// offeredKeys returns the keys that the model is offered at the site.
func (p *prompt) offeredKeys(site *flow.Site) []string {
	if len(p.declared) > 0 {
		return p.legalKeys()
	}

	return site.LegalPlace().Keys
}
