package check

import "github.com/agentc-dev/agentc/gen/diag"

// shadowedTransition finds guarded rows that are never evaluated: an earlier row for their key has
// no guard, or the same guard, which has failed by then. A second row without a guard is
// duplicate-transition.
var shadowedTransition = Pass{Name: "shadowed-transition", run: func(u *unit) { u.reportHidden(diag.ShadowedTransition) }}
