package check

import "github.com/agentc-dev/agentc/gen/diag"

// shadowedTransition finds rows with a guard that are never asked: a row of their key without one is tried before them, or one
// with the same guard, which has said no by then. A second row without a guard is duplicate-transition.
var shadowedTransition = Pass{Name: "shadowed-transition", run: func(u *unit) { u.reportHidden(diag.ShadowedTransition) }}
