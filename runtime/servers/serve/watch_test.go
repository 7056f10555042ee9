package serve

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind/kindtest"
)

func TestEachEventHasItsReport(t *testing.T) {
	kindtest.CompareFunctions(t, reports, func(k *eventkind.Kind) eventkind.Treatment { return k.Log })
}
