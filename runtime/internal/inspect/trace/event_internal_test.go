package trace

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind/kindtest"
)

func TestEachEventHasItsReader(t *testing.T) {
	kindtest.CompareFunctions(t, readers, func(k *eventkind.Kind) eventkind.Treatment { return k.Trace })
}
