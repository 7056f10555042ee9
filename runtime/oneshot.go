package runtime

import "strings"

// Oneshot asks the model once and finishes with key done. An empty reply, one that calls tools though there are none, and a value
// that does not fit the output schema are asked again, at most Repair times. Errors: *OutputError, and whatever the engine ends the
// run with.
func Oneshot(fx Effects, spec *OneshotSpec, input string) (Finish, error) {
	request := ModelRequest{
		Agent: spec.Agent, Input: input, Model: spec.Model, System: spec.Prompt,
		Messages: []Message{{Role: RoleUser, Text: input}},
	}
	if spec.Output != nil {
		request.Schema = spec.Output.Schema
	}

	for ; ; request.Turn++ {
		reply, err := fx.Model(request)
		if err != nil {
			noteError(fx, spec.Agent, err)

			return Finish{}, err
		}
		fin, fault := judgeReply(spec, reply)
		if fault == nil {
			fin.Key = implicitKey
			noteFinish(fx, spec.Agent, fin)

			return fin, nil
		}
		if request.Turn >= spec.Repair {
			noteError(fx, spec.Agent, fault)

			return Finish{}, fault
		}
		request.Messages = askAgain(fx, spec, request.Messages, reply.Text, fault.problem())
	}
}

func judgeReply(spec *OneshotSpec, reply ModelReply) (Finish, *OutputError) {
	if len(reply.Calls) > 0 {
		return Finish{}, &OutputError{Agent: spec.Agent, Problem: "the reply calls " + reply.Calls[0].Name + ", but there are no tools"}
	}
	if strings.TrimSpace(reply.Text) == "" {
		return Finish{}, &OutputError{Agent: spec.Agent, Problem: "the reply is empty"}
	}

	return judgeText(spec.Agent, spec.Output, reply.Text)
}

// askAgain returns the conversation with the faulty reply and what is wrong with it. The messages before are not written again.
func askAgain(fx Effects, spec *OneshotSpec, messages []Message, text, problem string) []Message {
	if watched(fx) {
		fx.Note(Event{Kind: EventRepair, Agent: spec.Agent, Problem: problem})
	}
	messages = messages[:len(messages):len(messages)]
	if strings.TrimSpace(text) != "" {
		messages = append(messages, Message{Role: RoleAssistant, Text: text})
	}
	advice := "Answer again, with the result alone."
	if spec.Output != nil {
		advice = "Answer again, with JSON alone that fits this schema: " + spec.Output.Schema
	}

	return append(messages, Message{Role: RoleUser, Text: "Your answer cannot be used: " + problem + ". " + advice})
}
