package serve_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// missingTypes are the types of what a server says is missing.
func missingTypes(reply map[string]any) (types []string) {
	for _, one := range reply["missing"].([]any) {
		types = append(types, one.(map[string]any)["type"].(string))
	}

	return types
}

// A server whose runs lack something answers that it is alive and not ready, and names what is missing.
func TestReady(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	if reply := c.want(http.StatusOK, "GET", "/ready", nil); reply["status"] != "ready" || len(missingTypes(reply)) > 0 {
		t.Errorf("it answers %v", reply)
	}

	d := newDesk()
	p := d.program()
	for i := range p.Agents {
		p.Agents[i].Model = &model.Choice{Name: "nobody:model"}
		p.Agents[i].Env = []string{"NOT_SET_TOKEN"}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c = servedProgram(t, d, p, serve.Options{
		Store: journal.Files(file), Caller: lookup(t, "ada="+adaToken),
		Engine: engine.Options{Env: func(string) (string, bool) { return "", false }},
	})
	c.want(http.StatusOK, "GET", "/health", nil)
	if reply := c.want(http.StatusServiceUnavailable, "GET", "/ready", nil); reply["status"] != "not-ready" || len(missingTypes(reply)) > 0 {
		t.Errorf("a caller without a token gets %v", reply)
	}
	c.token = adaToken
	reply := c.want(http.StatusServiceUnavailable, "GET", "/ready", nil)
	if types := missingTypes(reply); len(types) != 3 || types[0] != "MissingProviderError" || types[1] != "MissingEnvError" || types[2] != "StoreError" {
		t.Errorf("what is missing is %v", reply)
	}
}

// openings is a part whose tools count how often they are made ready and given back.
type openings struct{ opened, closed int }

func (*openings) Part() string { return "openings" }

func (o *openings) OpenTools(context.Context, func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	o.opened++

	return nil, func() error { o.closed++; return nil }, nil
}

// Tools are made ready once for many questions, and are given back.
func TestReadyOpensToolsOnce(t *testing.T) {
	d := newDesk()
	p := d.program()
	o := &openings{}
	p.Parts = []compiled.Part{o}
	c := servedProgram(t, d, p, serve.Options{})
	for range 20 {
		c.want(http.StatusOK, "GET", "/ready", nil)
	}
	if o.opened != 1 || o.closed != 1 {
		t.Errorf("tools were opened %d times and closed %d times", o.opened, o.closed)
	}
}
