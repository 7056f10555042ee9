package runtime

import (
	"strings"
	"unicode/utf8"
)

// Oneshot asks the model once and finishes with key done. An empty reply, one that calls tools though there are none, and a value
// that does not fit the output schema are asked again, at most Repair times. Errors: *OutputError, and whatever the engine ends the
// run with.
func Oneshot(fx Effects, spec *OneshotSpec, input string) (Finish, error) {
	schema := ""
	if spec.Output != nil {
		schema = spec.Output.Schema
	}
	messages := []Message{{Role: RoleUser, Text: input}}

	for turn := 0; ; turn++ {
		reply, err := fx.Model(ModelRequest{
			Agent: spec.Agent, Turn: turn, Input: input, Model: spec.Model,
			System: spec.Prompt, Messages: messages, Schema: schema,
		})
		if err != nil {
			noteError(fx, spec.Agent, err)

			return Finish{}, err
		}
		fin, fault := judgeReply(spec, reply.Text, reply.Calls)
		if fault == nil {
			fin.Key = implicitKey
			noteFinish(fx, spec.Agent, fin)

			return fin, nil
		}
		if turn >= spec.Repair {
			noteError(fx, spec.Agent, fault)

			return Finish{}, fault
		}
		messages = askAgain(fx, spec, messages, reply.Text, fault.problem())
	}
}

func judgeReply(spec *OneshotSpec, text string, calls []ModelCall) (Finish, *OutputError) {
	switch {
	case len(calls) > 0:
		return Finish{}, &OutputError{Agent: spec.Agent, Problem: "the reply calls " + calls[0].Name + ", but there are no tools"}
	case blank(text):
		return Finish{}, &OutputError{Agent: spec.Agent, Problem: "the reply is empty"}
	case spec.Output == nil:
		return Finish{Value: text}, nil
	}

	return judgeText(spec.Agent, spec.Output, text)
}

// blank reports whether text says nothing. The first character decides, nearly always.
func blank(text string) bool {
	return text == "" || (text[0] <= ' ' || text[0] >= utf8.RuneSelf) && strings.TrimSpace(text) == ""
}

// askAgain returns the conversation with the faulty reply and what is wrong with it. The messages before are not written again.
func askAgain(fx Effects, spec *OneshotSpec, messages []Message, text, problem string) []Message {
	if watched(fx) {
		fx.Note(Event{Kind: EventRepair, Agent: spec.Agent, Problem: problem})
	}
	messages = messages[:len(messages):len(messages)]
	if !blank(text) {
		messages = append(messages, Message{Role: RoleAssistant, Text: text})
	}
	advice := "Answer again, with the result alone."
	if spec.Output != nil {
		advice = "Answer again, with JSON alone that fits this schema: " + spec.Output.Schema
	}

	return append(messages, Message{Role: RoleUser, Text: "Your answer cannot be used: " + problem + ". " + advice})
}
