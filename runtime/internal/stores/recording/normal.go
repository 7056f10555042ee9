package recording

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/model"
)

// request is what a model was asked, without what differs from run to run: secrets, the ids of calls, whatever a provider wants back.
type request struct {
	// model is provider:model; "" if that is not known, and then it is any.
	model    string
	settings model.Settings
	system   string
	tools    []tool
	schema   value
	messages []message
}

// modelID is the model without its provider: the same model behind another address is the same.
func modelID(name string) string {
	_, id, named := strings.Cut(name, ":")
	if !named {
		return name
	}

	return id
}

// normal takes out of requests and replies what differs from run to run.
type normal struct {
	// secrets gives what takes them out; nil if there are none. It is asked each time: the next model may bring a key.
	secrets func() *redact.Redactor
}

// text is s without secrets, each of which becomes the variable that holds it, and as JSON can hold it.
func (n normal) text(s string) string {
	if n.secrets != nil {
		s = n.secrets().Replace(s, func(name string) string { return "${" + name + "}" })
	}

	return strings.ToValidUTF8(s, "\uFFFD")
}

func (n normal) request(r *model.Request) *request {
	q := &request{system: n.text(r.System), schema: value(n.text(r.Schema))}
	if m := r.Model; m != nil {
		q.settings = m.Settings
		if !strings.HasPrefix(m.Name, Provider+":") {
			q.model = m.Name
		}
	}
	for _, t := range r.Tools {
		q.tools = append(q.tools, tool{n.text(t.Name), n.text(t.Description), value(n.text(t.Schema))})
	}
	ids := numbering{}
	q.messages = make([]message, len(r.Messages))
	for i := range r.Messages {
		q.messages[i] = n.message(&r.Messages[i], &ids)
	}

	return q
}

func (n normal) message(m *model.Message, ids *numbering) message {
	normal := message{Role: m.Role, Text: n.text(m.Text), Name: n.text(m.Name), Failed: m.Failed}
	if m.Role == model.RoleTool {
		normal.Call = ids.answered(m.CallID)
	}
	if m.Role == model.RoleAssistant {
		normal.Calls = n.calls(m.Calls, ids)
	}

	return normal
}

func (n normal) calls(calls []model.ToolCall, ids *numbering) []call {
	if len(calls) == 0 {
		return nil
	}
	ids.turn()
	normal := make([]call, len(calls))
	for i, c := range calls {
		normal[i] = call{ids.asked(c.ID), n.text(c.Name), value(n.text(c.Args))}
	}

	return normal
}

// reply is what the model answered to a request with messages.
func (n normal) reply(messages []message, r *model.Reply) *reply {
	ids := numbering{}
	for i := range messages {
		ids.count += len(messages[i].Calls)
	}

	return &reply{
		Text: n.text(r.Text), Calls: n.calls(r.Calls, &ids), Stop: n.text(r.StopReason), Model: n.text(r.Model),
		Usage: usage(r.Usage), Cost: r.Cost,
	}
}

// numbering gives calls the numbers that they have in their conversation, from 1, instead of ids by chance. Where several calls of one
// turn share an id their results come in the order of the calls.
type numbering struct {
	count int
	// open are the calls of the newest turn that have no result yet, by id.
	open map[string][]string
}

func (n *numbering) turn() { n.open = map[string][]string{} }

func (n *numbering) asked(id string) string {
	n.count++
	number := strconv.Itoa(n.count)
	n.open[id] = append(n.open[id], number)

	return number
}

// answered is the number of the call that a result is for; "" if there is no such call.
func (n *numbering) answered(id string) string {
	waiting := n.open[id]
	if len(waiting) == 0 {
		return ""
	}
	n.open[id] = waiting[1:]

	return waiting[0]
}
