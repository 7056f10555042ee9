package contest

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Echo is a provider that answers at once with the text of the first message.
type Echo struct{}

// Chat returns the text of the first message.
func (Echo) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	return model.Reply{Text: r.Messages[0].Text}, nil
}

// Interruptible is the promise that Chat returns when its context ends.
func (Echo) Interruptible() bool { return true }

// EchoInput is the input of the runs whose model is [Echo], and so their value.
const EchoInput = "the text"

// CheckEcho returns the error of a run, or an error if its value is not EchoInput.
func CheckEcho(fin runtime.Finish, err error) error {
	if err == nil && fin.Value != EchoInput {
		err = fmt.Errorf("the run ended with %q, want %q", fin.Value, EchoInput)
	}

	return err
}

// EventCounter is an observer that counts the events.
type EventCounter struct{ Events int }

// Observe counts an event.
func (c *EventCounter) Observe(event.Event) { c.Events++ }
