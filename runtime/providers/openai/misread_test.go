package openai_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

const groqFailure = `{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error",` +
	`"code":"tool_use_failed","failed_generation":"<function=add>{\"a\":1</function>"}}`

// misreadAnswers are how servers say that they cannot read what the model wrote.
var misreadAnswers = map[string]wiretest.Answer{
	"a call": wiretest.JSON(400, groqFailure), "a call in a 200": wiretest.JSON(200, groqFailure),
	"a call in a stream": wiretest.Events(`{"choices":[{"index":0,"delta":{"content":"I "}}]}`, groqFailure),
	"JSON":               chatwire.Refuse(400, "invalid_request_error", "json_validate_failed", "Failed to generate JSON."),
	"arguments":          chatwire.Refuse(400, "", "", "<400> The \"function.arguments\" parameter of the code model must be in JSON format."),
	"a server's own":     chatwire.Refuse(500, "api_error", "", "error parsing tool call: raw='{\"a\":1', err=unexpected end of JSON input"),
}

// TestMistakesThatServersRefuse: what the model wrote and its server cannot read is a faulty
// ending: it is asked again, with what it wrote.
func TestMistakesThatServersRefuse(t *testing.T) {
	for name, answer := range misreadAnswers {
		runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
			if err != nil || fin.Value != "Hello to you." || len(s.Requests()) != 2 {
				t.Fatalf("%s, %s: %+v, %v after %d requests", name, way, fin, err, len(s.Requests()))
			}
			sent := string(s.Requests()[1].Body)
			has(t, sent, "the server could not read what the model wrote", "Write valid JSON")
			if strings.HasPrefix(name, "a call") {
				has(t, sent, "function=add", "Failed to call a function. Please adjust your prompt.")
			}
			if strings.Contains(sent, s.URL) {
				t.Errorf("%s, %s: the model is shown the address: %s", name, way, sent)
			}
		}, answer, sayHello)
		runAlone(t, func(way string, s *wiretest.Server, fin runtime.Finish, err error) {
			var unfit *runtime.OutputError
			if !errors.As(err, &unfit) || len(s.Requests()) != 2 { // a turn and its repair
				t.Errorf("%s, %s: %+v, %v after %d requests", name, way, fin, err, len(s.Requests()))
			}
		}, answer)
	}
}

// TestMistakesHaveNoFallback: another model is not asked because one has made a mistake. A resume
// has the same mistake, from the journal.
func TestMistakesHaveNoFallback(t *testing.T) {
	finish := chatwire.Reply(model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: `{"key":"done","value":"Filed."}`}}})
	o := &office{folder: t.TempDir(), second: wiretest.Serve(t, sayHello)}
	o.first = wiretest.Serve(t, misreadAnswers["a call"], finish)
	fin, err := o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 || len(o.second.Requests()) != 0 {
		t.Fatalf("%+v, %v", fin, err)
	}
	has(t, o.seen.lines.String(), `"event":"repair"`, "Failed to call a function. Please adjust your prompt.")
	fin, err = o.engine(t, nil).Resume(t.Context(), clerk(), "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "Filed." || len(o.first.Requests()) != 2 {
		t.Errorf("%+v, %v", fin, err)
	}

	// After a fallback the mistake of the model that was asked last counts.
	o = &office{folder: t.TempDir(), first: wiretest.Serve(t, chatwire.Refuse(401, "", "", "no"))}
	o.second = wiretest.Serve(t, misreadAnswers["a call"], finish)
	fin, err = o.engine(t, nil).Run(t.Context(), clerk(), "", "File this.")
	if err != nil || fin.Value != "Filed." || len(o.second.Requests()) != 2 {
		t.Errorf("%+v, %v", fin, err)
	}
}
