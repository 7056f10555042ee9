package rt

import "github.com/agentc-dev/agentc/runtime"

// Limit begins what an agent may spend and returns what ends it.
func Limit(fx runtime.Effects, agent string, b *runtime.Budget) (end func()) {
	return fx.Limit(agent, "", b)
}
