package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// showRequest prints what a model was asked at an address of a run.
func showRequest(c *cli.Call, p *compiled.Program, store journal.Store, word string) int {
	run, code, ok := pickRun(c, p, store, word)
	if !ok {
		return code
	}
	if p == nil {
		return noProgram(c, run)
	}
	request, err := core.New(core.Config{Store: store}).Request(context.Background(), p, run, c.Flag("at"))
	if err != nil {
		return c.Errorf(codeOf(err), "%s", cleanLines(err.Error()))
	}
	if c.On("json") {
		err = printLines(c.Stdout, []requestLine{requestLineOf(run, c.Flag("at"), request)})
	} else {
		_, err = fmt.Fprint(c.Stdout, requestText(request))
	}
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}

	return cli.Done
}

// requestLine is a request to a model as JSON.
type requestLine struct {
	Run         string        `json:"run"`
	Address     string        `json:"address"`
	Agent       string        `json:"agent"`
	Model       string        `json:"model,omitempty"`
	Temperature *float64      `json:"temperature,omitempty"`
	MaxTokens   *int          `json:"max_tokens,omitempty"`
	System      string        `json:"system,omitempty"`
	Messages    []messageLine `json:"messages"`
	Tools       []toolLine    `json:"tools,omitempty"`
	Schema      any           `json:"schema,omitempty"`
}

type messageLine struct {
	Role   model.Role `json:"role"`
	Text   string     `json:"text,omitempty"`
	Calls  []callLine `json:"calls,omitempty"`
	Call   string     `json:"call,omitempty"`
	Name   string     `json:"name,omitempty"`
	Failed bool       `json:"failed,omitempty"`
}

type callLine struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args any    `json:"args,omitempty"`
}

type toolLine struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      any    `json:"schema,omitempty"`
}

func requestLineOf(run, address string, r *model.Request) requestLine {
	line := requestLine{
		Run: run, Address: address, Agent: r.Agent, Model: r.Model.Name, Temperature: r.Model.Temperature, MaxTokens: r.Model.MaxTokens,
		System: r.System, Messages: []messageLine{}, Schema: asJSON(r.Schema),
	}
	for _, m := range r.Messages {
		message := messageLine{Role: m.Role, Text: m.Text, Call: m.CallID, Name: m.Name, Failed: m.Failed}
		for _, call := range m.Calls {
			message.Calls = append(message.Calls, callLine{call.ID, call.Name, asJSON(call.Args)})
		}
		line.Messages = append(line.Messages, message)
	}
	for _, t := range r.Tools {
		line.Tools = append(line.Tools, toolLine{t.Name, t.Description, asJSON(t.Schema)})
	}

	return line
}

// asJSON is a text as the JSON that it is, or as text if it is none; nil for "".
func asJSON(text string) any {
	switch {
	case text == "":
		return nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}

	return text
}

// requestText is a request to a model for people to read: a heading for each of its parts, and their texts indented.
func requestText(r *model.Request) string {
	var b strings.Builder
	part := func(heading string, texts ...string) {
		b.WriteString(clean(heading) + "\n")
		for _, text := range texts {
			if text != "" {
				b.WriteString("  " + strings.ReplaceAll(cleanLines(strings.TrimSuffix(text, "\n")), "\n", "\n  ") + "\n")
			}
		}
	}
	settings := ""
	if r.Model.Temperature != nil {
		settings += fmt.Sprintf(", temperature %g", *r.Model.Temperature)
	}
	if r.Model.MaxTokens != nil {
		settings += fmt.Sprintf(", at most %d tokens", *r.Model.MaxTokens)
	}
	part(joined(" ", "agent "+r.Agent+" asks model", r.Model.Name) + settings)
	if r.System != "" {
		part("system", r.System)
	}
	for _, m := range r.Messages {
		heading := string(m.Role)
		if m.Role == model.RoleTool {
			heading = joined(" ", "result of", m.Name, m.CallID)
			if m.Failed {
				heading += ", failed"
			}
		}
		texts := []string{m.Text}
		for _, call := range m.Calls {
			texts = append(texts, joined(" ", "calls", call.Name, call.ID, call.Args))
		}
		part(heading, texts...)
	}
	for _, t := range r.Tools {
		part("tool "+t.Name, t.Description, t.Schema)
	}
	if r.Schema != "" {
		part("schema of the answer", r.Schema)
	}

	return b.String()
}
