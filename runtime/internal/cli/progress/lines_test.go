package progress

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind/kindtest"
)

func TestEachEventHasItsLines(t *testing.T) {
	kindtest.CompareFunctions(t, shown, func(k *eventkind.Kind) eventkind.Treatment { return k.Progress })
}
