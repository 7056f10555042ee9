package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// noAllow finds machines whose access rules only deny. What no rule allows is denied, so no caller
// can fire anything, although a list of exceptions suggests otherwise. A rule that denies
// everything to everyone is deliberate. In a file with errors the rule that allows may be the
// unreadable one.
var noAllow = Pass{Name: "no-allow", run: func(u *unit) {
	for _, x := range u.machines {
		rules := x.Live.Access
		allows := func(rule *ir.AccessRule) bool { return !rule.Deny }
		isDeliberate := slices.ContainsFunc(rules, allows) || slices.ContainsFunc(rules, deniesAll)
		if len(rules) == 0 || isDeliberate || u.faultyFiles[x.agent.File] {
			continue
		}
		u.report(diag.New(diag.NoAllow, rules[0].Agent.Span, "no caller may fire anything in machine %q: its %s", x.name(),
			plural(len(rules), "only rule of access denies", "rules of access only deny")).
			WithHint(`what no rule allows is denied: add {agent: "*"} to allow the rest to everyone`))
	}
}}

// deniesAll reports whether a rule denies everything to everyone.
func deniesAll(rule *ir.AccessRule) bool {
	return rule.Deny && rule.Agent.Value == ir.CatchAll && len(rule.States) == 0 && len(rule.Keys) == 0
}
