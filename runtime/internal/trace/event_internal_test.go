package trace

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/eventkind/kindtest"
)

func TestEachEventHasItsReader(t *testing.T) {
	kindtest.CompareFunctions(t, readers, func(k *eventkind.Kind) eventkind.Treatment { return k.Trace })
}
