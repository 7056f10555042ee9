package otel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/otel"
)

// lookTool is a tool that reads.
var lookTool = &runtime.ToolSpec{
	Name: "look", Description: "looks something up", Input: `{"type":"object"}`, Effect: runtime.EffectRead,
	Check: func(json.RawMessage) error { return nil },
}

var writerSpec = &rt.ReactSpec{
	Agent: "writer", Model: &model.Choice{Name: "openai:gpt-x"}, Prompt: "Write.", MaxIter: 9, Repair: 2, Stuck: 5,
	Skills: []*rt.SkillSpec{{
		Name: "search", Description: "finds things", Body: "Look.", Tools: []*runtime.ToolSpec{lookTool},
	}},
}

var judgeSpec = &rt.OneshotSpec{
	Agent: "judge", Model: &model.Choice{Name: "anthropic:claude-x"}, Prompt: "Judge.",
}

// looking is called by the tool; nil for nothing.
var looking func(ctx context.Context, args json.RawMessage)

// look is the method of the tool.
func look(ctx context.Context, _ string, args json.RawMessage) (runtime.ToolResult, error) {
	if looking != nil {
		looking(ctx, args)
	}

	return runtime.ToolResult{Text: "found by " + string(args)}, nil
}

// desk is a machine whose writer writes, whose judges judge side by side, and whose boss is asked.
func desk() *compiled.Program {
	llm := writerSpec.Model
	team := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		results, err := rt.Flow("team").Times(fx, 0, 2, "judge", func(fx runtime.Effects) (runtime.Finish, error) {
			return judgeSpec.Run(fx, input)
		})

		if err != nil {
			return runtime.Finish{}, err
		}

		return rt.Flow("team").Done(fx, results[0].Finish)
	}
	boss := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		answer, err := fx.Ask(runtime.Question{ID: "boss", Agent: "boss", Prompt: input})
		if err != nil {
			return runtime.Finish{}, err
		}

		return rt.Flow("boss").Done(fx, runtime.Finish{Value: answer.Value})
	}
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		w := rt.Flow("desk").Machine(fx, 10, input)
		if w.Enter("write") {
			w.RecordOutput(writerSpec.Run(fx, look, w.Value(), rt.Place{}))
		}
		if !w.Failed() {
			w.RecordTransition("done", rt.MatchUnconditional, "judge")
			w.Enter("judge")
			w.RecordOutput(team(fx, w.Value()))
		}
		if !w.Failed() {
			w.RecordTransition("done", rt.MatchUnconditional, "ask")
			w.Enter("ask")
			w.RecordOutput(boss(fx, w.Value()))
		}
		if !w.Failed() {
			w.RecordTransition("done", rt.MatchExact, "")
		}

		return w.End()
	}

	return &compiled.Program{
		Name: "desk", Entry: "desk", Shape: "shape", Text: "text", Parts: []compiled.Part{otel.Part{}},
		Agents: []compiled.Agent{
			{Name: "boss", Pattern: "human", Run: boss},
			{Name: "desk", Pattern: "fsm", Contains: []string{"boss", "team", "writer"}, Run: run, Description: "a desk"},
			{Name: "judge", Pattern: "oneshot", Model: judgeSpec.Model},
			{Name: "team", Pattern: "parallel", Contains: []string{"judge"}, Run: team},
			{Name: "writer", Pattern: "react", Model: llm},
		},
	}
}

// llm answers for all agents: the writer unlocks its skill, looks twice at once, and is done; judges are content.
func llm(_ context.Context, request model.Request) (model.Reply, error) {
	reply := model.Reply{
		Model: request.Model.Name + "-2026", Usage: model.Usage{Input: 100, Output: 10, Cached: 40}, StopReason: "stop", Cost: 2500,
	}
	switch {
	case request.Agent == "judge":
		reply.Text = "a verdict that nobody may see"
	case request.Turn == 0:
		reply.Calls = []model.ToolCall{{ID: "c0", Name: "read_skill", Args: `{"name":"search"}`}}
	case request.Turn == 1:
		reply.Calls = []model.ToolCall{
			{ID: "c1", Name: "look", Args: `{"for":"a thing that nobody may see"}`}, {ID: "c2", Name: "look", Args: `{"for":"b"}`},
			{ID: "c3", Name: "no such tool, says the model", Args: `{}`},
		}
	default:
		reply.Text = "a text that nobody may see"
	}
	if len(reply.Calls) > 0 {
		reply.StopReason = "tool_calls"
	}

	return reply, nil
}

// boss answers the question.
type boss struct{}

func (boss) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "an answer that nobody may see"}, nil
}

// export has the process send to a receiver.
func export(t *testing.T, r *receiver) {
	t.Helper()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", r.URL)
}

// run runs the desk, and sends what it tells. It returns what was told on stderr.
func run(t *testing.T, config core.Config) (told string, err error) {
	t.Helper()
	if config.Model == nil {
		config.Model = model.ProviderFunc(llm)
	}
	_, err = core.New(config).Run(context.Background(), desk(), "", "a task that nobody may see")

	return closed(), err
}

func closed() string {
	var told bytes.Buffer
	otel.Part{}.Close(&told)

	return told.String()
}
