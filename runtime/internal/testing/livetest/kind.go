package livetest

import (
	"net/http"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Secret is the key that the program is given.
const Secret = "sk-live-0123456789abcdef"

// Kind is a kind of servers that the program can be sent to by its environment.
type Kind struct {
	// Name is whose format the server speaks.
	Name string
	// Model is what the environment chooses, Key the variable of its key, URL that of its address.
	Model, Key, URL string
	// Converse answers as the model, strictly; Refuse does not.
	Converse wiretest.Answer
	Refuse   func(status int, message string, headers ...string) wiretest.Answer
}

// Kinds are all of them.
var Kinds = []Kind{
	{
		Name: "OpenAI", Model: "openai:gpt-test", Key: "OPENAI_API_KEY", URL: "AGENTC_PROVIDER_OPENAI_BASE_URL",
		Converse: chatwire.Play(replyToOpenAI),
		Refuse: func(status int, message string, headers ...string) wiretest.Answer {
			return chatwire.Refuse(status, "", "", message, headers...)
		},
	},
	{
		Name: "Anthropic", Model: "anthropic:claude-test", Key: "ANTHROPIC_API_KEY", URL: "AGENTC_PROVIDER_ANTHROPIC_BASE_URL",
		Converse: anthropicwire.Play(replyToAnthropic),
		Refuse: func(status int, message string, headers ...string) wiretest.Answer {
			return anthropicwire.Refuse(status, "", message, headers...)
		},
	},
}

// replyToOpenAI replies as a model of OpenAI does.
func replyToOpenAI(r *chatwire.Request) model.Reply {
	said, results := 0, map[string]string{}
	for _, m := range r.Messages {
		switch {
		case m.Role == "assistant":
			said++
		case m.CallID != "" && m.Content != nil:
			results[m.CallID] = *m.Content
		}
	}

	return replyAfter(said, results)
}

// replyToAnthropic replies as a model of Anthropic does.
func replyToAnthropic(r *anthropicwire.Request) model.Reply {
	results := map[string]string{}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			if b.CallID != "" {
				results[b.CallID] = string(b.Content)
			}
		}
	}

	return replyAfter(len(r.Messages)/2, results)
}

// Environment sends the program to a server of the kind.
func (k Kind) Environment(url string) []string {
	return []string{"AGENTC_MODEL_DEFAULT_NAME=" + k.Model, k.URL + "=" + url, k.Key + "=" + Secret}
}

// Troubled are a server's answers on a bad day, and then its own.
func (k Kind) Troubled() []wiretest.Answer {
	return []wiretest.Answer{
		k.Refuse(529, "Overloaded"), wiretest.Cut(k.Converse, 300), k.Refuse(429, "Slow down.", "Retry-After", "1"), k.Converse,
	}
}

// ServeHTTP implements http.Handler: it answers as the model.
func (k Kind) ServeHTTP(w http.ResponseWriter, r *http.Request) { k.Converse.ServeHTTP(w, r) }
