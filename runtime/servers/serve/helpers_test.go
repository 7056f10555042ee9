package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// desk is the program that the tests serve, with what they want to know of it.
type desk struct {
	// paid counts what was done outside, once for each run that is approved.
	paid atomic.Int32
	// busy is sent to when agent slow works; it works until it may end.
	busy chan string
	may  chan struct{}
	// once says that what agent slow does must not happen twice.
	once bool
}

func newDesk() *desk { return &desk{busy: make(chan string, 100), may: make(chan struct{})} }

var paySpec = &runtime.ToolSpec{Name: "pay", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}

func (d *desk) program() *compiled.Program {
	agent := func(name string, run func(fx runtime.Effects, input string) (string, error)) compiled.Agent {
		return compiled.Agent{Name: name, Description: "It is " + name + ".", Pattern: "oneshot",
			Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				value, err := run(fx, input)
				return runtime.Finish{Key: "done", Value: value}, err
			}}
	}
	echo := agent("echo", func(fx runtime.Effects, input string) (string, error) { return printNotice(fx, "echo", input) })
	letter := agent("letter", func(fx runtime.Effects, input string) (string, error) { return printNotice(fx, "letter", input) })
	letter.Context = &compiled.Context{
		Check: func(c json.RawMessage) error {
			if !bytes.Contains(c, []byte(`"to"`)) {
				return &runtime.ValueError{Path: "/to", Problem: "is missing"}
			}
			return nil
		},
		Run: func(fx runtime.Effects, input string, c json.RawMessage) (runtime.Finish, error) {
			value, err := printNotice(fx, "letter", input+string(c))
			return runtime.Finish{Key: "done", Value: value, Context: string(c)}, err
		},
	}
	driven := compiled.Agent{Name: "driven", Pattern: "fsm"}

	return &compiled.Program{Name: "desk", Entry: "echo", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		agent("both", d.both), driven, echo, agent("fails", d.fails), letter, agent("many", d.many),
		agent("pay", d.pay), agent("signals", d.signals), agent("slow", d.slow),
	}, Tools: []*runtime.ToolSpec{paySpec}}
}

// printNotice writes a text about the server, not about a run. It is a line of the log where the
// log is JSON.
func printNotice(fx runtime.Effects, agent, input string) (string, error) {
	reply, err := fx.Model(model.Request{Agent: agent, Input: input, Model: &model.Choice{Role: "default"}})

	return reply.Text, err
}

// pay drafts, asks, and pays if it may.
func (d *desk) pay(fx runtime.Effects, input string) (string, error) {
	text, err := printNotice(fx, "pay", input)
	if err != nil {
		return "", err
	}
	answer, err := fx.Ask(runtime.Question{ID: "approve", Agent: "pay", Prompt: "Pay " + text + "?", Choices: []string{"yes", "no"}})
	if err != nil || answer.Value != "yes" {
		return answer.Value, err
	}
	result, err := fx.Tool(runtime.ToolCall{Agent: "pay", ID: "1", Tool: paySpec, Args: json.RawMessage("{}"), Run: d.runPay})

	return result.Text, err
}

func (d *desk) runPay(context.Context, json.RawMessage) (runtime.ToolResult, error) {
	d.paid.Add(1)

	return runtime.ToolResult{Text: "paid"}, nil
}

// both asks two people at once.
func (d *desk) both(fx runtime.Effects, _ string) (string, error) {
	var said [2]string
	err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
		answer, err := fx.Ask(runtime.Question{ID: "approve", Prompt: "Well?", Schema: `{"type":"string"}`})
		said[i] = answer.Value
		return err
	})

	return strings.Join(said[:], "+"), err
}

// many tells of many things, and of each before it does the next.
func (d *desk) many(fx runtime.Effects, input string) (string, error) {
	for range len(input) {
		for range 50 {
			fx.Note(event.Event{Kind: event.Step, Agent: "many", Name: "step", Value: input})
			fx.Note(event.Event{Kind: event.Delta, Agent: "many", Text: "x"})
		}
		if _, err := printNotice(fx, "many", input); err != nil {
			return "", err
		}
	}

	return "", nil
}

// slow works until it may end, twice.
func (d *desk) slow(fx runtime.Effects, input string) (string, error) {
	for range 2 {
		args, _ := json.Marshal(map[string]string{"input": input})
		_, err := fx.Call(runtime.FuncCall{Name: "work", Args: args, Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			d.busy <- input
			select {
			case <-d.may:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
			return json.RawMessage("1"), nil
		}, Repeatable: !d.once})
		if err != nil {
			return "", err
		}
	}

	return "worked on " + input, nil
}

// signals works as a machine that has a rule for messages.
func (d *desk) signals(fx runtime.Effects, input string) (string, error) {
	rules := []signals.Rule{{On: "user-message", Do: signals.Continue}}
	defer fx.Listen("signals", "a", rules)()
	if _, err := d.slow(fx, input); err != nil {
		return "", err
	}
	verdict, err := fx.Guard(runtime.GuardCall{
		Machine: "signals", State: "a", Name: signalrule.GuardName, Signals: &signals.Question{Rules: rules},
	})
	if err != nil || verdict.Signal == nil {
		return "heard nothing", err
	}

	return "heard " + verdict.Signal.Signal.Value, nil
}

func (d *desk) fails(fx runtime.Effects, input string) (string, error) {
	if _, err := printNotice(fx, "fails", input); err != nil {
		return "", err
	}

	return "", &runtime.StepLimitError{Machine: "fails", State: "a", Steps: 1}
}

// echoing is a model that says what it was asked, so that a server needs no script.
var echoing = engine.Options{
	Model: model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
		return model.Reply{Text: r.Input, Usage: model.Usage{Input: 3, Output: 2}, Model: "test:echo"}, nil
	}),
}

// visitor calls a server, and holds every reply against the description.
type visitor struct {
	*testing.T
	url    string
	desk   *desk
	server *serve.Server
	token  string
}

// served is a server of a desk; what is not said otherwise is in memory.
func served(t *testing.T, d *desk, o serve.Options) *visitor {
	t.Helper()

	return servedProgram(t, d, d.program(), o)
}

// servedProgram is served with a program that the desk works for.
func servedProgram(t *testing.T, d *desk, p *compiled.Program, o serve.Options) *visitor {
	t.Helper()
	o.Program = p
	if o.Engine.Model == nil && o.Engine.Env == nil {
		o.Engine = echoing
	}
	if o.Store == nil {
		o.Store = journal.Memory()
	}
	s := serve.New(o)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)

	return &visitor{T: t, url: h.URL, desk: d, server: s}
}

// args are the members of a request's body.
type args map[string]any

// do sends a request and returns the reply, which is held against the description.
func (c *visitor) do(method, path string, body any, change ...func(*http.Request)) (status int, reply map[string]any) {
	c.Helper()
	response := c.send(method, path, body, change...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.Fatal(err)
	}
	checkReply(c, method, path, response, text)
	if response.Header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(text, &reply); err != nil {
			c.Fatalf("%s %s: %s: %v", method, path, text, err)
		}
	}

	return response.StatusCode, reply
}

func (c *visitor) send(method, path string, body any, change ...func(*http.Request)) *http.Response {
	c.Helper()
	var sent io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		sent = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			c.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, sent)
	if err != nil {
		c.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for _, change := range change {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}

	return response
}

// want is do, with what the reply has to be.
func (c *visitor) want(status int, method, path string, body any, change ...func(*http.Request)) map[string]any {
	c.Helper()
	got, reply := c.do(method, path, body, change...)
	if got != status {
		c.Fatalf("%s %s: status %d, want %d: %v", method, path, got, status, reply)
	}

	return reply
}

// start starts a run and returns its id.
func (c *visitor) start(agent, input string) string {
	c.Helper()

	return c.want(http.StatusCreated, "POST", "/runs", args{"agent": agent, "input": input})["run"].(string)
}

// wait waits until a run stands somewhere, and returns it.
func (c *visitor) wait(run string, status client.Status) map[string]any {
	c.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		reply := c.want(http.StatusOK, "GET", "/runs/"+run, nil)
		if reply["status"] == string(status) {
			return reply
		}
		if time.Now().After(end) {
			c.Fatalf("run %s is %v, and not %s: %v", run, reply["status"], status, reply)
		}
	}
}

// events reads a stream to its end.
func (c *visitor) events(run, query string) []map[string]any {
	c.Helper()
	response := c.send("GET", "/runs/"+run+"/events"+query, nil)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		c.Fatalf("events of %s: status %d", run, response.StatusCode)
	}

	all := readLines(c.T, response.Body)
	for _, event := range all {
		checkEvent(c, event)
	}

	return all
}

func readLines(t *testing.T, from io.Reader) []map[string]any {
	t.Helper()
	var all []map[string]any
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var event map[string]any
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		all = append(all, event)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}

	return all
}
