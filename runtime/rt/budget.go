package rt

import "github.com/agentc-dev/agentc/runtime"

// Limit puts an agent under a budget and returns the function that ends it.
func Limit(fx runtime.Effects, agent string, b *runtime.Budget) (end func()) {
	return fx.Limit(agent, "", b)
}
