package livetest

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/chatwire"
)

// secret is the key of the tests.
const secret = "sk-live-0123456789abcdef"

// answer is what the conversation comes to.
const answer = "Statecharts add depth and orthogonality to state machines.\n\nHarel: Statecharts (1987)"

// turns are the replies of the model, each after as many of its own.
var turns = []runtime.ModelReply{
	say("I look for it. ", "start", `{}`, "read_skill", `{"name":"library"}`),
	say("Two papers. ", "search_papers", `{"query":"state machine","limit":2}`),
	say("", "read_paper", `{"id":"harel-1987"}`, "read_skill", `{"name":"citations"}`),
	say("It is Harel's. ", "format_citation", `{"id":"harel-1987"}`),
	say("", "finish", `{"key":"done","value":"Statecharts add depth and orthogonality to state machines.\n\nHarel: Statecharts (1987)"}`),
}

// say is a reply with calls, of names and arguments in turn, whose ids are the same in every turn.
func say(text string, calls ...string) runtime.ModelReply {
	reply := runtime.ModelReply{Text: text, Usage: runtime.Usage{Input: 1000, Output: 20}}
	for i := 0; i < len(calls); i += 2 {
		reply.Calls = append(reply.Calls, runtime.ModelCall{ID: "call_" + calls[i], Name: calls[i], Args: calls[i+1]})
	}

	return reply
}

// server is a kind of servers that the binary can be sent to by its environment.
type server struct {
	// model is what the environment chooses, key the variable of its key, url that of its address.
	model, key, url string
	// converse answers as the model, strictly; refuse does not.
	converse wiretest.Answer
	refuse   func(status int, message string, headers ...string) wiretest.Answer
}

var servers = map[string]server{
	"OpenAI": {
		model: "openai:gpt-test", key: "OPENAI_API_KEY", url: "AGENTC_PROVIDER_OPENAI_BASE_URL",
		converse: chatwire.Play(func(r *chatwire.Request) runtime.ModelReply {
			said := 0
			for _, m := range r.Messages {
				if m.Role == "assistant" {
					said++
				}
			}

			return turns[said]
		}),
		refuse: func(status int, message string, headers ...string) wiretest.Answer {
			return chatwire.Refuse(status, "", "", message, headers...)
		},
	},
	"Anthropic": {
		model: "anthropic:claude-test", key: "ANTHROPIC_API_KEY", url: "AGENTC_PROVIDER_ANTHROPIC_BASE_URL",
		converse: anthropicwire.Play(func(r *anthropicwire.Request) runtime.ModelReply { return turns[len(r.Messages)/2] }),
		refuse: func(status int, message string, headers ...string) wiretest.Answer {
			return anthropicwire.Refuse(status, "", message, headers...)
		},
	},
}

// environment sends the binary to a server of the kind.
func (s server) environment(at *wiretest.Server) []string {
	return []string{"AGENTC_MODEL_DEFAULT_NAME=" + s.model, s.url + "=" + at.URL, s.key + "=" + secret}
}

// troubled are a server's answers on a bad day, and then its own.
func (s server) troubled() []wiretest.Answer {
	return []wiretest.Answer{
		s.refuse(529, "Overloaded"), wiretest.Cut(s.converse, 300), s.refuse(429, "Slow down.", "Retry-After", "1"), s.converse,
	}
}
