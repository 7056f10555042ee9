package enginetest_test

import (
	"context"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

type asker func(context.Context, runtime.Question) (runtime.Answer, error)

func (a asker) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) { return a(ctx, q) }

func config(s enginetest.Setup) core.Config {
	c := core.Config{Observer: s.Observer, Retry: model.Retry{First: 1, Most: 1}}
	if s.Ask != nil {
		c.Asker = asker(s.Ask)
	}

	return c
}

func makeLocal(s enginetest.Setup) compiled.Engine {
	c := config(s)
	c.Model = model.ProviderFunc(s.Model)

	return core.New(c)
}

func makeSimulated(s enginetest.Setup) compiled.Engine {
	c := config(s)
	c.Partial = true // a case that is cancelled plays no turn

	return core.Scripted(s.Script, c)
}

func TestLocal(t *testing.T) { enginetest.Run(t, makeLocal) }

// TestJournalled: an engine that records what it does is one like any other.
func TestJournalled(t *testing.T) {
	enginetest.Run(t, func(s enginetest.Setup) compiled.Engine {
		c := config(s)
		c.Model, c.Store = model.ProviderFunc(s.Model), journal.Memory()

		return core.New(c)
	})
	enginetest.Run(t, func(s enginetest.Setup) compiled.Engine {
		c := config(s)
		c.Partial, c.Store = true, journal.Memory()

		return core.Scripted(s.Script, c)
	})
}

func TestSimulated(t *testing.T) { enginetest.Run(t, makeSimulated) }

func TestPermuting(t *testing.T) {
	for seed := range int64(3) {
		enginetest.Run(t, func(s enginetest.Setup) compiled.Engine { return enginetest.Permute(makeLocal(s), seed) })
		enginetest.Run(t, func(s enginetest.Setup) compiled.Engine { return enginetest.Permute(makeSimulated(s), seed) })
	}
}
