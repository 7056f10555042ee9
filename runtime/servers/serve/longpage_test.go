package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	gort "runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// talking has a conversation of so many turns, each of which calls a tool.
func talking(turns int) *compiled.Program {
	look := &runtime.ToolSpec{Name: "look", Input: `{"type":"object"}`, Effect: runtime.EffectRead}
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		messages := []model.Message{{Role: model.RoleUser, Text: "Begin."}}
		for turn := range turns {
			reply, err := fx.Model(model.Request{
				Agent: "talking", Turn: turn, System: "Look at everything.", Messages: messages, Tools: []model.Tool{{Name: "look", Schema: look.Input}},
			})
			if err != nil {
				return runtime.Finish{}, err
			}
			call := reply.Calls[0]
			result, err := fx.Tool(runtime.ToolCall{Agent: "talking", ID: call.ID, Tool: look, Args: json.RawMessage(call.Args),
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
					return runtime.ToolResult{Text: strings.Repeat("found ", 10)}, nil
				}})
			if err != nil {
				return runtime.Finish{}, err
			}
			messages = append(messages, model.Message{Role: model.RoleAssistant, Calls: reply.Calls},
				model.Message{Role: model.RoleTool, CallID: call.ID, Name: call.Name, Text: result.Text})
		}

		return runtime.Finish{Key: "done", Value: "all"}, nil
	}

	return &compiled.Program{Name: "talking", Entry: "talking", Shape: "s1", Text: "t1", Tools: []*runtime.ToolSpec{look}, Agents: []compiled.Agent{{Name: "talking", Run: run}}}
}

// calling is a model that calls the tool of talking.
var calling = model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
	args := fmt.Sprintf(`{"number":%d,"why":"to see how long conversations are shown"}`, r.Turn)

	return model.Reply{Calls: []model.ToolCall{{ID: "c" + strconv.Itoa(r.Turn), Name: "look", Args: args}}, StopReason: "tool_calls", Model: "test:calling"}, nil
})

// servedTalk returns servers of a conversation that has ended, each of which has read nothing.
func servedTalk(t testing.TB, turns int) (fresh func() http.Handler) {
	t.Helper()
	p, store := talking(turns), journal.Files(t.TempDir())
	engine := core.New(core.Config{Store: store, RunID: func() string { return "talk" }, Model: calling})
	if _, err := engine.Run(context.Background(), p, "", "x"); err != nil {
		t.Fatal(err)
	}

	return func() http.Handler { return serve.New(serve.Options{Program: p, Store: store}).Handler() }
}

// pageReply is what the page of a run that is polled is given.
type pageReply struct {
	Has       string
	Unchanged bool
	Nodes     []json.RawMessage
	Turns     []json.RawMessage
}

// getPage asks for the page of a run, as a page does that has something of it.
func getPage(t testing.TB, h http.Handler, run, has string) (got pageReply) {
	t.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost/runs/"+run+"/page?has="+has, nil)
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v %.300s", w.Code, err, w.Body)
	}

	return got
}

// TestLongConversation: to make the page of a run takes memory in proportion to its turns, and a poll of a page that has
// all of it takes none for them.
func TestLongConversation(t *testing.T) {
	const few, times = 400, 4
	taken := map[int]uint64{}
	for _, turns := range []int{few, few * times} {
		h := servedTalk(t, turns)()
		var got pageReply
		taken[turns] = allocated(func() { got = getPage(t, h, "talk", "") })
		if len(got.Turns) != turns || len(got.Nodes) < 2*turns {
			t.Fatalf("%d turns, %d nodes", len(got.Turns), len(got.Nodes))
		}
		const little = 64 << 10
		poll := allocated(func() { got = getPage(t, h, "talk", got.Has) })
		if !got.Unchanged || poll > little {
			t.Errorf("a poll of %d turns allocates %d bytes: %v", turns, poll, got.Unchanged)
		}
	}
	const most = times * 3 / 2 // in proportion to the square it would be times * times
	if taken[few*times] > most*taken[few] {
		t.Errorf("%d turns take %d bytes, and %d turns %d", few, taken[few], few*times, taken[few*times])
	}
}

// allocated is how many bytes something allocates.
func allocated(do func()) uint64 {
	var before, after gort.MemStats
	gort.ReadMemStats(&before)
	do()
	gort.ReadMemStats(&after)

	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkPage makes the pages of conversations of 1,000 and 4,000 turns, and polls them.
func BenchmarkPage(b *testing.B) {
	took := map[int]float64{}
	for _, turns := range []int{1000, 4000} {
		fresh := servedTalk(b, turns)
		b.Run(fmt.Sprintf("of %d turns", turns), func(b *testing.B) {
			for b.Loop() {
				getPage(b, fresh(), "talk", "")
			}
			took[turns] = b.Elapsed().Seconds() * 1000 / float64(b.N)
		})
		h := fresh()
		got := getPage(b, h, "talk", "")
		b.Run(fmt.Sprintf("poll of %d turns", turns), func(b *testing.B) {
			for b.Loop() {
				getPage(b, h, "talk", got.Has)
			}
			fmt.Printf("\nmeasured: poll of the page of %d turns, nothing new = %.3f ms\n", turns, b.Elapsed().Seconds()*1000/float64(b.N)) // for runtime/benchmarks
		})
	}
	fmt.Printf("measured: page of 4000 turns, as against 1000 = %.2f \n", took[4000]/took[1000])
}

// stuckWriter is a client that reads nothing until it may.
type stuckWriter struct {
	header http.Header
	wrote  chan<- struct{}
	may    <-chan struct{}
}

func (w *stuckWriter) Header() http.Header { return w.header }
func (w *stuckWriter) WriteHeader(int)     {}

func (w *stuckWriter) Write(text []byte) (int, error) {
	w.wrote <- struct{}{}
	<-w.may

	return len(text), nil
}

// TestClientsThatReadNothing: they hold up no one who asks for the same large run, or for its page.
func TestClientsThatReadNothing(t *testing.T) {
	const stuck = 20
	h := servedTalk(t, 4000)() // its journal is larger than 1 MiB
	wrote, may, ended := make(chan struct{}, 10_000), make(chan struct{}), make(chan struct{})
	for i := range stuck {
		path := []string{"/runs/talk", "/runs/talk/page"}[i%2]
		go func() {
			h.ServeHTTP(&stuckWriter{http.Header{}, wrote, may}, httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil))
			ended <- struct{}{}
		}()
	}
	for range stuck {
		<-wrote // each of them has the first piece
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/runs/talk", nil))
	if w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
		t.Errorf("%d %.300s", w.Code, w.Body)
	}
	if got := getPage(t, h, "talk", ""); len(got.Nodes) == 0 {
		t.Error("the page is empty")
	}
	close(may)
	for range stuck {
		<-ended
	}
}
