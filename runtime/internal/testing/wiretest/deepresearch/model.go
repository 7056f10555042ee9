package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// modelKey is what the model knows its caller by.
const modelKey = "sk-local-0123456789abcdef"

// serveModel replies as a model does to an agent of the research program, by what is in the request
// alone.
func serveModel(address string) http.HandlerFunc {
	answer := chatwire.Play(func(r *chatwire.Request) model.Reply {
		t := talk{address: address, messages: r.Messages}
		reply := t.replyByRole()
		reply.Usage = model.Usage{Input: 10, Output: 5}

		return reply
	})

	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+modelKey {
			chatwire.Refuse(http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "no such key")(w, nil)
			return
		}
		answer.ServeHTTP(w, r)
	}
}

// talk is a conversation as far as it has come.
type talk struct {
	address  string
	messages []chatwire.Message
}

// replyByRole returns the reply of the role that the system's message gives.
func (t talk) replyByRole() model.Reply {
	switch system := t.textAt(0); {
	case strings.Contains(system, "research coordinator"):
		return t.coordinate()
	case strings.Contains(system, "research specialist"):
		return t.research()
	case strings.Contains(system, "research synthesizer"):
		return t.synthesize()
	case strings.Contains(system, "research editor"):
		return t.review()
	}

	return model.Reply{Text: "I do not know who I am."}
}

// coordinate splits the task in two. What was reported to it before decides whether it is a first
// try.
func (t talk) coordinate() model.Reply {
	switch t.countReplies() {
	case 0:
		return t.callTools("start", nil, "read_skill", args{"name": "memory"})
	case 1:
		return t.callTools("tama_mem_get", args{"key": "task"})
	case 2:
		if strings.Contains(t.lastText(), "no value stored") {
			return t.callTools("tama_mem_set", args{"key": "task", "value": "How do people cool cities?"})
		}

		return t.callTools("tama_mem_append", args{"key": "retries", "item": "Name more sources."})
	}

	return t.callTools("finish", args{"key": "parallel", "value": []string{"What do trees do?", "What do roofs do?"}})
}

// link is a page that a search has found.
var link = regexp.MustCompile(`\((http://\S+)\)`)

// research searches, reads what was found, and quotes it.
func (t talk) research() model.Reply {
	key := []args{{"Authorization": "Bearer ${JINA_API_KEY}"}}
	switch t.countReplies() {
	case 0:
		return t.callTools("start", nil, "read_skill", args{"name": "search-web"})
	case 1:
		return t.callTools("tama_http_get", args{"url": "http://169.254.169.254/latest/meta-data/iam/security-credentials/"})
	case 2:
		word := "trees"
		if strings.Contains(t.allTexts("tool")+t.allTexts("user"), "roofs") {
			word = "roofs"
		}

		return t.callTools("tama_http_get", args{"url": t.address + "/search?q=" + word, "headers": key})
	case 3:
		var calls []any
		for _, found := range link.FindAllStringSubmatch(t.lastText(), -1) {
			calls = append(calls, "tama_http_get", args{"url": found[1], "headers": key})
		}
		if calls == nil {
			return t.callTools("finish", args{"key": "done", "value": "nothing was found: " + t.lastText()})
		}

		return t.callTools(calls...)
	}

	var summary strings.Builder
	for _, line := range strings.Split(t.allTexts("tool"), "\n") {
		if strings.Contains(line, "cool") || link.MatchString(line) || strings.Contains(line, "signed in") {
			summary.WriteString(line + "\n")
		}
	}

	return t.callTools("finish", args{"key": "done", "value": summary.String()})
}

// synthesize writes the report, first to where it may not.
func (t talk) synthesize() model.Reply {
	report := "# How people cool cities\n\n" + t.firstContaining("<results>")
	switch t.countReplies() {
	case 0:
		return t.callTools("start", nil, "read_skill", args{"name": "files"}, "read_skill", args{"name": "memory"})
	case 1:
		return t.callTools("tama_files_write", args{"path": "../report.md", "content": report})
	case 2:
		return t.callTools("tama_files_write", args{"path": "report.md", "content": report}, "tama_mem_set", args{"key": "report", "value": report})
	}

	return t.callTools("finish", args{"key": "done", "value": report})
}

// review sends the first report back, and gives the second one.
func (t talk) review() model.Reply {
	switch t.countReplies() {
	case 0:
		return t.callTools("read_skill", args{"name": "memory"})
	case 1:
		return t.callTools("tama_mem_get", args{"key": "retries"})
	case 2:
		if strings.Contains(t.lastText(), "no value stored") {
			return t.callTools("finish", args{"key": "retry", "value": "Name more sources."})
		}

		return t.callTools("tama_mem_get", args{"key": "report"})
	}

	return t.callTools("finish", args{"key": "approved", "value": t.lastText()})
}

// args are the arguments of a call.
type args map[string]any

// callTools calls tools: names and arguments in turn.
func (t talk) callTools(namesAndArgs ...any) (reply model.Reply) {
	for i := 0; i < len(namesAndArgs); i += 2 {
		text := []byte("{}")
		if given, _ := namesAndArgs[i+1].(args); given != nil {
			text, _ = json.Marshal(given) // texts and lists of them
		}
		reply.Calls = append(reply.Calls, model.ToolCall{
			ID: fmt.Sprintf("call_%d_%d", t.countReplies(), i/2), Name: namesAndArgs[i].(string), Args: string(text),
		})
	}

	return reply
}

// countReplies returns how often the model has replied.
func (t talk) countReplies() (n int) {
	for _, m := range t.messages {
		if m.Role == "assistant" {
			n++
		}
	}

	return n
}

func (t talk) textAt(i int) string {
	if t.messages[i].Content == nil {
		return ""
	}

	return *t.messages[i].Content
}

// lastText is the last message.
func (t talk) lastText() string { return t.textAt(len(t.messages) - 1) }

// firstContaining returns the first message that contains a text.
func (t talk) firstContaining(text string) string {
	for i := range t.messages {
		if strings.Contains(t.textAt(i), text) {
			return t.textAt(i)
		}
	}

	return ""
}

// allTexts returns the texts of all messages of a role.
func (t talk) allTexts(role string) string {
	var all strings.Builder
	for i, m := range t.messages {
		if m.Role == role {
			all.WriteString(t.textAt(i) + "\n")
		}
	}

	return all.String()
}
