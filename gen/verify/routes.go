package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// signalled are the agents whose machines or gates have rules for signals, as they are written; "" if there is none.
func signalled(p *ir.Program) string {
	var found []string
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && len(m.Live.Signals) > 0 {
			found = append(found, strconv.Quote(a.Name.Value))
		}
	}

	return strings.Join(found, ", ")
}

// routes compares the methods by which Go code adds rules for signals.
func (r *reader) routes(p *ir.Program) {
	if signalled(p) == "" {
		r.absent("App.Route")
		r.absent("App.Routed")
		return
	}
	r.writtenFunc("App.Route",
		"func (a *App) Route(to runtime.Audience, rules ...runtime.SignalRule) { a.routes.Add(to, rules...) }")
	r.writtenFunc("App.Routed", "func (a *App) Routed() live.Option { return live.Routed(a.routes) }")
}
