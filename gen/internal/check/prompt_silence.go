package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// silence reports a prompt that says nothing about how to end where the key decides what happens next.
func (p *prompt) silence() {
	if p.react.List != nil {
		return // the runtime says how to end with a list
	}
	words := p.words()
	if words.finish() {
		return
	}
	silent := ir.Where(p.uses.Sites, func(site *flow.Site) bool {
		return p.routes(site) && !slices.ContainsFunc(p.legalAt(site), words.mention)
	})
	if len(silent) == 0 {
		return
	}
	d := diag.New(diag.PromptKey, p.firstLine(), "the prompt of %s names neither finish nor a key that %s routes: %s",
		p.owner(), where(silent[0]), quotedOr(p.legalAt(silent[0])))
	p.u.report(noteSites(d.WithHint("say when to finish with which key"), silent, ""))
}

// routes reports whether there is a choice of keys at the site.
func (p *prompt) routes(site *flow.Site) bool {
	legal := site.Legal()
	switch {
	case legal.Kind == ir.PlaceFree:
		return false
	case legal.Kind == ir.PlaceOpen:
		return len(p.legalAt(site)) > 0
	}

	return len(p.legalAt(site)) > 1
}

// legalAt returns the keys that the model is offered at the site.
func (p *prompt) legalAt(site *flow.Site) []string {
	if len(p.declared) > 0 {
		return p.legal()
	}

	return site.Legal().Keys
}
