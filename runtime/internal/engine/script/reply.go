package script

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// turnReply returns the i-th turn of a list as the reply to a request.
func turnReply(l *list[turn], i int, request model.Request) (model.Reply, error) {
	t := l.items[i]
	if t.failed != nil {
		return model.Reply{}, &model.Error{
			Class: t.failed.class, Status: t.failed.status, Message: t.failed.message,
			RetryAfter: t.failed.retryAfter, Agent: request.Agent, Model: modelName(request),
		}
	}

	answer := model.Reply{Model: modelName(request), StopReason: "stop"}
	if t.say != nil {
		answer.Text = text{content: *t.say}.fillInput(request.Input)
	}
	for _, c := range t.calls {
		answer.Calls = append(answer.Calls, toolCall(request, len(answer.Calls), c.name, c.args.fillInput(request.Input)))
	}
	if t.finish != nil {
		if len(request.Tools) == 0 {
			return finishAsText(l, i, request, answer)
		}
		answer.Calls = append(answer.Calls, toolCall(request, len(answer.Calls), "finish", t.finish.args.fillInput(request.Input)))
	}
	if len(answer.Calls) > 0 {
		answer.StopReason = "tool_calls"
	}

	return answer, nil
}

// modelName is script, or script:FILE where the request names it.
func modelName(request model.Request) string {
	const provider = "script"
	if request.Model != nil && strings.HasPrefix(request.Model.Name, provider+":") {
		return request.Model.Name
	}

	return provider
}

func toolCall(request model.Request, i int, name, args string) model.ToolCall {
	id := "call-" + strconv.Itoa(request.Turn+1) + "-" + strconv.Itoa(i+1)

	return model.ToolCall{ID: id, Name: name, Args: args}
}

// finishAsText answers an agent that has no tools: its reply is the value, and its key is done
// whatever it says.
func finishAsText(l *list[turn], i int, request model.Request, answer model.Reply) (model.Reply, error) {
	f := l.items[i].finish
	if l.items[i].say != nil {
		return answer, l.errorAt(i+1, fmt.Sprintf("agent %q has no tools and replies with one text: say or finish, not both", request.Agent))
	}
	if !f.args.json {
		answer.Text = f.args.fillInput(request.Input)

		return answer, nil
	}
	if key := unquoteText(f.key); f.key != nil && key != "done" && key != "result" {
		return answer, l.errorAt(i+1, fmt.Sprintf("agent %q is oneshot and always finishes with key done, not with %s",
			request.Agent, compactJSON(f.key)))
	}
	if f.value != nil {
		answer.Text = textOf(f.value).fillInput(request.Input)
	}

	return answer, nil
}
