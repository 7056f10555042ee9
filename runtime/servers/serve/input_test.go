package serve_test

import (
	"net/http"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// TestInputThatDoesNotFit: a run whose input does not fit its schema is refused where it is started.
func TestInputThatDoesNotFit(t *testing.T) {
	d := newDesk()
	p := d.program()
	typed := *p.Agent("echo")
	typed.Input = &compiled.Input{Check: rt.Reader[int64](func(v *rt.JSON) int64 { return v.Int() }).Check}
	c := servedProgram(t, d, p.WithAgent(&typed), serve.Options{})
	refused := c.want(http.StatusUnprocessableEntity, "POST", "/runs", args{"agent": "echo", "input": "seven", "run": "bad"})
	if code := refused["type"]; code != "InputError" {
		t.Errorf("the reply is %v", refused)
	}
	c.want(http.StatusNotFound, "GET", "/runs/bad", nil)
	c.want(http.StatusCreated, "POST", "/runs", args{"agent": "echo", "input": "7", "run": "good"})
	c.wait("good", client.Done)
}
