package core_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// maxFrames is how many functions a call of a model may pass, from the method of Effects to that of
// the provider, both included. What a model writes piece by piece passes one more.
const maxFrames = 9

// stackProvider is a provider that keeps the stacks of all goroutines while it is called.
type stackProvider struct{ stacks string }

func (p *stackProvider) Chat(context.Context, model.Request) (model.Reply, error) {
	buffer := make([]byte, 1<<20)
	p.stacks = string(buffer[:runtime.Stack(buffer, true)])

	return model.Reply{Text: "hello", Usage: model.Usage{Input: 1, Output: 1}}, nil
}

// stackStreamer is a stackProvider that is called by Stream.
type stackStreamer struct{ stackProvider }

func (p *stackStreamer) Stream(ctx context.Context, r model.Request, _ func(string)) (model.Reply, error) {
	return p.Chat(ctx, r)
}

// TestFramesOfModelCall: few functions are between generated code and a provider, so that a stack
// can be read.
func TestFramesOfModelCall(t *testing.T) {
	streamer := &stackStreamer{}
	for _, c := range []struct {
		name     string
		provider model.Provider
		stacks   *string
		observer event.Observer
		cancel   bool
		most     int
	}{
		{name: "in a run that cannot be cancelled", most: maxFrames},
		{name: "in a run that can be cancelled", cancel: true, most: maxFrames},
		{name: "of a streamer", provider: streamer, stacks: &streamer.stacks, observer: &watcher{}, cancel: true, most: maxFrames + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.provider == nil {
				p := &stackProvider{}
				c.provider, c.stacks = p, &p.stacks
			}
			ctx := context.Background()
			if c.cancel {
				ctx = t.Context()
			}
			fx, err := core.New(core.Config{Model: c.provider, Observer: c.observer}).Effects(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fx.Model(model.Request{Agent: "a"}); err != nil {
				t.Fatal(err)
			}
			frames := modelFrames(*c.stacks)
			if len(frames) > c.most || len(frames) < 3 {
				t.Errorf("%d frames, expected at most %d:\n%s", len(frames), c.most, strings.Join(frames, "\n"))
			}
		})
	}
}

// modelFrames returns the functions from the provider to Effects.Model in a dump of goroutines:
// those of the goroutine that calls the provider, and those of the one that waits for it.
func modelFrames(stacks string) (frames []string) {
	for _, goroutine := range strings.Split(stacks, "\n\n") {
		if !strings.Contains(goroutine, "stackProvider).Chat(") && !strings.Contains(goroutine, "(*Effects).Model(") {
			continue
		}
		for _, line := range strings.Split(goroutine, "\n")[1:] {
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "created by") {
				continue
			}
			frames = append(frames, line)
			if strings.Contains(line, "(*Effects).Model(") {
				break
			}
		}
	}

	return frames
}
