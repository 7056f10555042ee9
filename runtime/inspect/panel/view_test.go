package panel

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind/kindtest"
)

func TestEachEventHasItsObserver(t *testing.T) {
	kindtest.CompareFunctions(t, observers, func(k *eventkind.Kind) eventkind.Treatment { return k.Panel })
}
