package rt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Run calls the model once and finishes with key done. It repeats the call, at most Repair times,
// after a reply that is empty, cut off or calls tools though there are none, and after a value that
// is not the list or does not match the output schema. Errors: *OutputError, *ItemLimitError, and
// errors with which the engine ends the run.
func (spec *OneshotSpec) Run(fx runtime.Effects, input string) (runtime.Finish, error) {
	return spec.Continue(fx, nil, input)
}

// Continue is Run in a conversation with earlier messages, which are sent before the input.
func (spec *OneshotSpec) Continue(fx runtime.Effects, earlier []model.Message, input string) (runtime.Finish, error) {
	request := model.Request{
		Agent: spec.Agent, Input: input, Model: spec.Model, System: spec.systemPrompt(), Schema: spec.schemaText(), Timeout: spec.Timeout,
		Messages: append(slices.Clip(earlier), model.Message{Role: model.RoleUser, Text: input}),
	}
	reply, err := fx.Model(request)
	// Nearly every reply is text that needs no judging. It has a way of its own: the loop below
	// costs a sixth more.
	if err == nil && spec.takesText() && isPlainText(&reply) {
		fin := runtime.Finish{Key: implicitKey, Value: reply.Text}
		noteFinish(fx, spec.Agent, &fin)

		return fin, nil
	}

	return spec.repairReply(fx, request, reply, err)
}

// takesText reports whether any text is an answer.
func (spec *OneshotSpec) takesText() bool { return spec.Output == nil && spec.List == nil }

// isPlainText reports whether a reply is text that has ended normally, without calls.
func isPlainText(reply *model.Reply) bool {
	return len(reply.Calls) == 0 && !isBlank(reply.Text) && stopreason.Fault(reply.StopReason) == ""
}

// repairReply judges the first reply, and asks again until one can be used or no repair is left.
func (spec *OneshotSpec) repairReply(
	fx runtime.Effects, request model.Request, reply model.Reply, err error,
) (runtime.Finish, error) {
	for turn := 1; ; turn++ {
		value, fault, ended := judgeTurn(spec, &reply, err)
		if ended != nil {
			noteError(fx, spec.Agent, ended)

			return runtime.Finish{}, ended
		}
		if fault == nil {
			fin := runtime.Finish{Key: implicitKey, Value: value.text, JSON: value.json}
			noteFinish(fx, spec.Agent, &fin)

			return fin, nil
		}
		if turn > spec.Repair {
			noteError(fx, spec.Agent, fault)

			return runtime.Finish{}, fault
		}

		request.Turn, request.Messages = turn, askAgain(fx, spec, request.Messages, &reply, fault.ForModel())
		reply, err = fx.Model(request)
	}
}

// schemaText is the JSON Schema of the answer; "" for text, and for a list, which may be written as
// text.
func (s *OneshotSpec) schemaText() string {
	if s.Output == nil || s.List != nil {
		return ""
	}

	return s.Output.Schema
}

func judgeReply(spec *OneshotSpec, reply *model.Reply) (content, unfit) {
	text, calls := reply.Text, reply.Calls
	switch {
	case len(calls) > 0:
		return content{}, &runtime.OutputError{Agent: spec.Agent, Problem: "the reply calls " + calls[0].Name + ", but there are no tools"}
	case stopreason.Fault(reply.StopReason) != "":
		return content{}, partialError(spec.Agent, reply.StopReason)
	case isBlank(text):
		return content{}, &runtime.OutputError{Agent: spec.Agent, Problem: "the reply is empty"}
	case spec.List != nil:
		return content{text: text}, spec.List.whyUnfit(spec.Agent, text)
	case spec.Output == nil:
		return content{text: text}, nil
	}

	return judgeText(spec.Agent, spec.Output, text)
}

// partialError is the fault of a reply that is not all of what the model has to say.
func partialError(agent, reason string) *runtime.OutputError {
	return &runtime.OutputError{Agent: agent, Problem: "the reply is not complete: " + stopreason.Fault(reason)}
}

// isBlank reports whether text says nothing. The first character decides, nearly always.
func isBlank(text string) bool {
	return text == "" || (text[0] <= ' ' || text[0] >= utf8.RuneSelf) && strings.TrimSpace(text) == ""
}

// askAgain returns the conversation with the faulty reply and what is wrong with it. The messages
// before are not written again.
func askAgain(fx runtime.Effects, spec *OneshotSpec, messages []model.Message, reply *model.Reply, problem string) []model.Message {
	if fx.Watched() {
		fx.Note(event.Event{Kind: event.Repair, Agent: spec.Agent, Problem: problem})
	}
	advice := "Answer again, with the result alone."
	switch {
	case spec.List != nil:
		advice = "Answer again. " + spec.List.howTo()
	case spec.Output != nil:
		advice = "Answer again, with JSON alone that fits this schema: " + spec.Output.Schema
	}

	return addObjection(messages[:len(messages):len(messages)], reply, "Your answer cannot be used: "+problem, advice)
}
