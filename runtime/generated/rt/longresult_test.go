package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// asked is a model that is a function of what it is asked.
type asked struct {
	runtime.Effects
	requests []model.Request
	reply    func(request *model.Request) (model.Reply, error)
}

func (a *asked) Model(request model.Request) (model.Reply, error) {
	a.requests = append(a.requests, request)

	return a.reply(&request)
}

// lastText is the newest message of a request.
func lastText(r *model.Request) string { return r.Messages[len(r.Messages)-1].Text }

func callOf(name, args string) (model.Reply, error) {
	return model.Reply{Calls: []model.ToolCall{{ID: "c", Name: name, Args: args}}}, nil
}

func finishWith(value string) (model.Reply, error) {
	args, _ := json.Marshal(map[string]string{"key": "done", "value": value})

	return callOf("finish", string(args))
}

// lookUp runs a react agent whose tool look returns the text.
func lookUp(t *testing.T, text string, reply func(n int, request *model.Request) (model.Reply, error)) (*asked, runtime.Finish, error) {
	t.Helper()
	n := 0
	fx := &asked{Effects: simulate.NewWith(t, `{}`, engine.Options{Partial: true})}
	fx.reply = func(request *model.Request) (model.Reply, error) {
		n++
		switch n {
		case 1:
			return callOf("read_skill", `{"name":"web"}`)
		case 2:
			return callOf("look", `{}`)
		}

		return reply(n, request)
	}
	spec := testAgent()
	spec.MaxIter = 200
	fin, err := spec.Run(fx, func(context.Context, string, json.RawMessage) (runtime.ToolResult, error) {
		return runtime.ToolResult{Text: text}, nil
	}, "the task", rt.Place{})

	return fx, fin, err
}

var readArgs = regexp.MustCompile(`read_result with (\{[^}]*\}) returns what follows`)

// body is a result without the remark below it.
func body(text string) string {
	at := strings.LastIndex(text, "\n\n[These are the ")
	if at < 0 {
		return text
	}

	return text[:at]
}

// TestLongResult: the model sees the beginning of a long result and reads the rest of it, piece by
// piece.
func TestLongResult(t *testing.T) {
	var b strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&b, "line %d is one of many\n", i)
	}
	var jsonText strings.Builder
	jsonText.WriteString(`{"items":[`)
	for i := range 5000 {
		fmt.Fprintf(&jsonText, `{"id":%d,"name":"item %d"},`, i, i)
	}
	jsonText.WriteString(`{}]}`)
	for name, c := range map[string]struct{ text, first string }{
		"lines": {b.String(), "[These are the first 19978 of 223890 bytes. read_result with {\"id\":\"r1\",\"from\":19978} returns what follows.]"},
		"JSON":  {jsonText.String(), ", cut before $.items["},
	} {
		t.Run(name, func(t *testing.T) {
			var read strings.Builder
			fx, fin, err := lookUp(t, c.text, func(n int, request *model.Request) (model.Reply, error) {
				text := lastText(request)
				if n == 3 && !strings.Contains(text, c.first) {
					t.Errorf("the first piece ends with %q", text[len(text)-200:])
				}
				if len(body(text)) > 20_000 {
					t.Errorf("a piece of %d bytes", len(body(text)))
				}
				read.WriteString(body(text))
				if args := readArgs.FindStringSubmatch(text); args != nil {
					return callOf("read_result", args[1])
				}

				return finishWith("read")
			})
			if err != nil || fin.Value != "read" || read.String() != c.text {
				t.Errorf("%q, %v; %d of %d bytes were read", fin.Value, err, read.Len(), len(c.text))
			}
			for i, want := range []bool{false, false, true, true} {
				offered := false
				for _, tool := range fx.requests[i].Tools {
					offered = offered || tool.Name == "read_result"
				}
				if offered != want {
					t.Errorf("request %d: read_result is offered: %v", i, offered)
				}
			}
		})
	}
}

// TestReadResultWrongly: wrong arguments are answered.
func TestReadResultWrongly(t *testing.T) {
	const usage = `Error: read_result takes {"id":"r1","from":1000}: the id of a result that was cut, and the first byte to return.`
	var got []string
	calls := []string{
		`{"id":"r1","from":30000}`, `{"id":"r2","from":0}`, `{"id":"r0","from":0}`, `{"id":"","from":0}`, `{"id":"r1","from":-1}`,
		`{"id":"r1","from":"x"}`, `not JSON`, ``, `{"id":"r1","from":99999999999999999999}`, `{"id":"r1"}`, `{"id":"r1","from":25001}`,
	}
	_, _, err := lookUp(t, strings.Repeat("é", 15000), func(n int, request *model.Request) (model.Reply, error) {
		if n > 3 {
			got = append(got, lastText(request))
		}
		if n-3 < len(calls) {
			return callOf("read_result", calls[n-3])
		}

		return finishWith("read")
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Error: The result r1 has 30000 bytes.", `Error: There is no result "r2" that was cut.`, `Error: There is no result "r0" that was cut.`,
		usage, usage, usage, usage, usage, usage,
		strings.Repeat("é", 10000) + "\n\n[These are the bytes from 0 up to 20000 of 30000. read_result with {\"id\":\"r1\",\"from\":20000} returns what follows.]",
		strings.Repeat("é", 2500) + "\n\n[These are the bytes from 25000 up to 30000 of 30000, which is the end.]",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %.200q, not %.200q", calls[i], got[i], want[i])
		}
	}
}

// TestNotCut: nothing is said of a result that fits, and read_result is not offered.
func TestNotCut(t *testing.T) {
	fx, _, err := lookUp(t, strings.Repeat("x", 20_000), func(n int, request *model.Request) (model.Reply, error) {
		switch n {
		case 3:
			if lastText(request) != strings.Repeat("x", 20_000) {
				t.Error("the result was changed")
			}

			return callOf("read_result", `{"id":"r1","from":0}`)
		}
		if got := lastText(request); !strings.HasPrefix(got, `Error: There is no tool "read_result".`) {
			t.Errorf("%.100q", got)
		}

		return finishWith("read")
	})
	if err != nil || len(fx.requests) != 4 {
		t.Fatal(err)
	}
}

// TestKeptResults: what is kept of long results is bounded; the oldest goes first, and the model is
// told.
func TestKeptResults(t *testing.T) {
	n := 0
	fx := &asked{Effects: simulate.NewWith(t, `{}`, engine.Options{Partial: true})}
	var last string
	fx.reply = func(request *model.Request) (model.Reply, error) {
		n++
		switch {
		case n == 1:
			return callOf("read_skill", `{"name":"web"}`)
		case n <= 5:
			return callOf("look", fmt.Sprintf(`{"n":%d}`, n))
		case n == 6:
			return callOf("read_result", `{"id":"r1","from":0}`)
		case n == 7:
			last = lastText(request)

			return callOf("read_result", `{"id":"r4","from":2999997}`)
		}
		if !strings.HasPrefix(lastText(request), `{"n":5}`) {
			t.Errorf("r4: %.100q", lastText(request))
		}

		return finishWith("read")
	}
	_, err := testAgent().Run(fx, func(_ context.Context, _ string, args json.RawMessage) (runtime.ToolResult, error) {
		return runtime.ToolResult{Text: strings.Repeat(string(args), 3_000_000/7+1)}, nil
	}, "the task", rt.Place{})
	if want := "Error: The result r1 is no longer kept, because there were longer ones since. Call its tool again."; err != nil || last != want {
		t.Errorf("%q, %v", last, err)
	}
}

// errTooLong is what providers say of a conversation that does not fit.
var errTooLong = &model.Error{Class: model.TooLong, Status: 400, Message: "maximum context length is 100 tokens"}

// TestTooLongAfterResult: a conversation that a result has made too long for the model goes on with
// less of it.
func TestTooLongAfterResult(t *testing.T) {
	text := strings.Repeat("0123456789 ", 1700) // fits into the limit
	for _, fits := range []int{16_000, 10_500, 7000} {
		refused, rest := 0, ""
		fx, fin, err := lookUp(t, text, func(n int, request *model.Request) (model.Reply, error) {
			size := 0
			for _, m := range request.Messages {
				size += len(m.Text)
			}
			last := request.Messages[len(request.Messages)-1]
			switch {
			case size > fits:
				refused++

				return model.Reply{}, errTooLong
			case rest == "":
				if !last.Failed || !strings.HasPrefix(last.Text, "Error: With this result the conversation is longer than the model can read.") {
					t.Errorf("%d: the model is told %.100q", fits, last.Text)
				}
				rest = readArgs.FindStringSubmatch(last.Text)[1]

				return callOf("read_result", rest)
			case len(last.Text) > 6000:
				t.Errorf("%d: the next piece has %d bytes", fits, len(last.Text))
			}

			return finishWith("read")
		})
		if err != nil || fin.Value != "read" || refused == 0 || refused > 3 || len(fx.requests[2].Messages) != len(fx.requests[3].Messages) {
			t.Errorf("%d: %q, %v, %d times too long", fits, fin.Value, err, refused)
		}
		if got := lastText(&fx.requests[2]); got != text {
			t.Errorf("%d: the request that was refused was changed", fits)
		}
	}
}

// TestTooLongForEver: when nothing is left to shorten, the run ends with the error of the model.
func TestTooLongForEver(t *testing.T) {
	refused := 0
	_, _, err := lookUp(t, strings.Repeat("x", 100_000), func(int, *model.Request) (model.Reply, error) {
		refused++

		return model.Reply{}, errTooLong
	})
	if !errors.Is(err, errTooLong) || refused != 3 {
		t.Errorf("%v after %d requests", err, refused)
	}
	for _, other := range []*model.Error{{Class: model.BadRequest}, {Class: model.Quota}} {
		refused = 0
		_, _, err = lookUp(t, strings.Repeat("x", 100_000), func(int, *model.Request) (model.Reply, error) {
			refused++

			return model.Reply{}, other
		})
		if !errors.Is(err, other) || refused != 1 {
			t.Errorf("%v after %d requests", err, refused)
		}
	}
}

// TestTooLongTask: a task or a skill is not shortened.
func TestTooLongTask(t *testing.T) {
	refused := 0
	fx := &asked{Effects: simulate.NewWith(t, `{}`, engine.Options{Partial: true})}
	fx.reply = func(request *model.Request) (model.Reply, error) {
		if len(request.Messages) == 1 {
			return callOf("start", `{}`)
		}
		refused++

		return model.Reply{}, errTooLong
	}
	_, err := testAgent().Run(fx, testTool, strings.Repeat("x", 100_000), rt.Place{})
	if !errors.Is(err, errTooLong) || refused != 1 {
		t.Errorf("%v after %d requests", err, refused)
	}
}
