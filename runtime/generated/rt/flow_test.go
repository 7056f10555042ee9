package rt_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func TestSaysDone(t *testing.T) {
	for text, want := range map[string]bool{
		"done": true, "DONE.": true, " \n**Done**: all good": true, "# done": true, "`DONE`": true, "> \"done\"": true, "_done_": true,
		"'Done' it is": true, "Done\tand dusted": true, "done-ish": true, "DONE\xff": true,
		"": false, "don": false, "undone": false, "Doner": false, "done2": false, "doneé": false, "not done": false, "- done": false, "**": false,
	} {
		if got := rt.SaysDone(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFinishIs(t *testing.T) {
	for key, want := range map[string]bool{"done": true, " DONE\n": true, "Done": true, "": false, "don": false, "done!": false} {
		if got := (runtime.Finish{Key: key}).Is("Done"); got != want {
			t.Errorf("%q: %v", key, got)
		}
	}
}

func TestRoutes(t *testing.T) {
	closed := rt.Closed("m", "s", "done", "Exhausted ")
	for name, c := range map[string]struct {
		at   rt.Place
		want bool
	}{
		"free": {rt.Place{}, false}, "closed": {closed, true}, "closed without": {rt.Closed("m", "s", "done"), false},
		"open": {rt.Open("m", "s", "exhausted"), true}, "open without": {rt.Open("m", "s"), false},
		"around": {rt.Closed("n", "t", "x").Or(closed), true}, "inside": {rt.Closed("n", "t", "exhausted").Or(), true},
	} {
		if got := c.at.Routes("EXHAUSTED"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestEndsOfFlows: the key and the value that a flow ends with, and the one event that tells it.
func TestEndsOfFlows(t *testing.T) {
	routed, elsewhere := rt.Closed("m", "s", "exhausted"), rt.Closed("m", "s", "done")
	last := runtime.Finish{Key: "Publish", Value: "[1]", JSON: true, Synthetic: true}
	for name, c := range map[string]struct {
		end  func(fx runtime.Effects) (runtime.Finish, error)
		want runtime.Finish
		told event.Event
	}{
		"done": {
			end:  func(fx runtime.Effects) (runtime.Finish, error) { return rt.Flow("flow").Done(fx, last) },
			want: runtime.Finish{Key: "done", Value: "[1]", JSON: true},
		},
		"pass": {
			end:  func(fx runtime.Effects) (runtime.Finish, error) { return rt.Flow("flow").Pass(fx, last) },
			want: last,
		},
		"exhausted": {
			end: func(fx runtime.Effects) (runtime.Finish, error) {
				return rt.Flow("flow").Exhausted(fx, []rt.Place{routed}, last)
			},
			want: runtime.Finish{Key: "exhausted", Value: "[1]", JSON: true},
		},
		"exhausted without a row": {
			end: func(fx runtime.Effects) (runtime.Finish, error) {
				return rt.Flow("flow").Exhausted(fx, []rt.Place{elsewhere}, last)
			},
			want: runtime.Finish{Key: "done", Value: "[1]", JSON: true},
		},
		"unfinished": {
			end: func(fx runtime.Effects) (runtime.Finish, error) {
				return rt.Flow("flow").Unfinished(fx, []rt.Place{routed}, last, 3, "not yet")
			},
			want: runtime.Finish{Key: "exhausted", Value: "[1]", JSON: true},
		},
		"unfinished without a row": {
			end: func(fx runtime.Effects) (runtime.Finish, error) {
				return rt.Flow("flow").Unfinished(fx, nil, last, 3, "not yet")
			},
		},
	} {
		var told events
		fin, err := c.end(&notes{events: &told})
		if fin != c.want || len(told) != 1 || told[0].Agent != "flow" {
			t.Errorf("%s: got %+v, %v, told %+v", name, fin, err, told)

			continue
		}
		if err == nil {
			if e := told[0]; e.Kind != event.Finish || e.Key != fin.Key || e.Value != fin.Value || !e.JSON || e.Synthetic != fin.Synthetic {
				t.Errorf("%s: told %+v", name, e)
			}

			continue
		}
		var limit *runtime.CycleLimitError
		if !errors.As(err, &limit) || *limit != (runtime.CycleLimitError{Agent: "flow", Cycles: 3, Feedback: "not yet"}) {
			t.Errorf("%s: got %v", name, err)
		}
		if told[0].Kind != event.Error || told[0].Type != "CycleLimitError" || told[0].Problem != err.Error() {
			t.Errorf("%s: told %+v", name, told[0])
		}
	}
}

// notes is a door that keeps what it is told, and asks ask.
type notes struct {
	base
	events *events
	ask    func(runtime.Question) (runtime.Answer, error)
}

func (n *notes) Note(e event.Event) { n.events.Observe(e) }

func (n *notes) Ask(q runtime.Question) (runtime.Answer, error) { return n.ask(q) }

func TestAskPerson(t *testing.T) {
	for key, channel := range map[string]string{"": "", " Done ": "", "email": "email", " Slack #ops\n": "Slack #ops"} {
		var told events
		fx := &notes{events: &told, ask: func(q runtime.Question) (runtime.Answer, error) {
			if q.ID != "approval" || q.Agent != "approval" || q.Prompt != "May I?" || q.Channel != channel || q.Choices != nil {
				t.Errorf("key %q: asked %+v", key, q)
			}

			return runtime.Answer{Value: "yes", By: "ann"}, nil
		}}
		answer, err := rt.Flow("approval").Ask(fx, runtime.Finish{Key: key, Value: "May I?"})
		if err != nil || answer != (runtime.Answer{Value: "yes", By: "ann"}) || len(told) != 0 {
			t.Errorf("got %+v, %v, told %+v", answer, err, told)
		}
	}
}

// TestAskPersonFails: a pause is the engine's to tell, any other error is the agent's.
func TestAskPersonFails(t *testing.T) {
	for kind, fault := range map[string]error{"": &runtime.PausedError{}, "error": errors.New("no connection")} {
		var told events
		fx := &notes{events: &told, ask: func(runtime.Question) (runtime.Answer, error) { return runtime.Answer{}, fault }}
		if _, err := rt.Flow("approval").Ask(fx, runtime.Finish{Value: "May I?"}); err != fault {
			t.Errorf("got %v", err)
		}
		if kind == "" && len(told) > 0 || kind != "" && (len(told) != 1 || told[0].Agent != "approval" || told[0].Type != kind) {
			t.Errorf("%v: told %+v", fault, told)
		}
	}
}
