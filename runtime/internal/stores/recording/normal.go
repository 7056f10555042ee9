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

// normalText is s without secrets, each of which becomes the variable that holds it, and as JSON can hold it.
func (n normal) normalText(s string) string {
	if n.secrets != nil {
		s = n.secrets().Replace(s, func(name string) string { return "${" + name + "}" })
	}

	return strings.ToValidUTF8(s, "\uFFFD")
}

func (n normal) normalRequest(r *model.Request) *request {
	q := &request{system: n.normalText(r.System), schema: value(n.normalText(r.Schema))}
	if m := r.Model; m != nil {
		q.settings = m.Settings
		if !strings.HasPrefix(m.Name, Provider+":") {
			q.model = m.Name
		}
	}
	for _, t := range r.Tools {
		q.tools = append(q.tools, tool{n.normalText(t.Name), n.normalText(t.Description), value(n.normalText(t.Schema))})
	}
	ids := numbering{}
	q.messages = make([]message, len(r.Messages))
	for i := range r.Messages {
		q.messages[i] = n.normalMessage(&r.Messages[i], &ids)
	}

	return q
}

func (n normal) normalMessage(m *model.Message, ids *numbering) message {
	normal := message{Role: m.Role, Text: n.normalText(m.Text), Name: n.normalText(m.Name), Failed: m.Failed}
	if m.Role == model.RoleTool {
		normal.Call = ids.numberOf(m.CallID)
	}
	if m.Role == model.RoleAssistant {
		normal.Calls = n.normalCalls(m.Calls, ids)
	}

	return normal
}

func (n normal) normalCalls(calls []model.ToolCall, ids *numbering) []call {
	if len(calls) == 0 {
		return nil
	}
	ids.startTurn()
	normal := make([]call, len(calls))
	for i, c := range calls {
		normal[i] = call{ids.numberCall(c.ID), n.normalText(c.Name), value(n.normalText(c.Args))}
	}

	return normal
}

// normalReply is what the model answered to a request with messages.
func (n normal) normalReply(messages []message, r *model.Reply) *reply {
	ids := numbering{}
	for i := range messages {
		ids.count += len(messages[i].Calls)
	}

	return &reply{
		Text: n.normalText(r.Text), Calls: n.normalCalls(r.Calls, &ids), Stop: n.normalText(r.StopReason), Model: n.normalText(r.Model),
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

func (n *numbering) startTurn() { n.open = map[string][]string{} }

func (n *numbering) numberCall(id string) string {
	n.count++
	number := strconv.Itoa(n.count)
	n.open[id] = append(n.open[id], number)

	return number
}

// numberOf returns the number of the call that a result is for; "" if there is no such call.
func (n *numbering) numberOf(id string) string {
	waiting := n.open[id]
	if len(waiting) == 0 {
		return ""
	}
	n.open[id] = waiting[1:]

	return waiting[0]
}
