package serve

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/eventkind/kindtest"
)

func TestEachEventHasItsReport(t *testing.T) {
	kindtest.CompareFunctions(t, reports, func(k *eventkind.Kind) eventkind.Treatment { return k.Log })
}
