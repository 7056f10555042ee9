package rt

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// callMarks are what the formats of models write before a call of a tool, or, in the harmony format, before every part of a reply. A
// server that knows the format of its model takes them out and reports calls.
var callMarks = []string{
	"<tool_call", "<function=", "<function_call", "<invoke ", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_call", "<｜tool▁call",
	"<|channel|>", "<|start|>",
}

// missingParser says what a server lacks that passes calls on as text.
const missingParser = "the server has no parser for the tool calls of this model (vLLM: --enable-auto-tool-choice and " +
	"--tool-call-parser; llama.cpp: --jinja)"

// writtenCall reports whether text is a call of a tool that was offered, written as text: it begins with a mark of the format of a
// model; or all of it is JSON of the form of a call, or a fenced block with either; or it ends with a <tool_call> block, on lines of
// its own, that calls a tool. A mark that is quoted within prose is none.
func (l *loop) writtenCall(text string) bool {
	text = unfence(trimInvisible(text))
	for _, mark := range callMarks {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}

	return l.endsWithCall(text) || l.jsonCall(text)
}

// endsWithCall reports whether a text ends with a block that calls a tool.
func (l *loop) endsWithCall(text string) bool {
	const begin, end = "\n<tool_call>", "</tool_call>"
	text, ok := strings.CutSuffix(text, end)
	at := strings.LastIndex(text, begin)
	if !ok || at < 0 {
		return false
	}
	inside := strings.TrimSpace(text[at+len(begin):])
	if function, ok := strings.CutPrefix(inside, "<function="); ok {
		name, _, _ := strings.Cut(function, ">")

		return l.offers(name)
	}

	call, err := parseValue(inside)

	return err == nil && l.callForm(call)
}

// jsonCall reports whether a text is JSON of the form of a call. A value that fits the agent's output schema is that value.
func (l *loop) jsonCall(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	value, err := parseValue(text)
	if err != nil || l.spec.Output != nil && l.spec.Output.Check(json.RawMessage(text)) == nil {
		return false
	}

	return l.callForm(value) || l.finishForm(value)
}

// callForm reports whether JSON is a call of a tool that is offered, or a list of such calls: {"name": …, "arguments": …} or one of
// the forms around that.
func (l *loop) callForm(v *JSON) bool {
	switch {
	case v.kind == valueList && v.Len() > 0:
		for _, item := range v.Items() {
			if !l.callForm(item) {
				return false
			}
		}

		return true
	case v.kind != valueObject:
		return false
	}

	var named *JSON
	args := false
	for name, member := range v.Members() {
		switch name {
		case "id", "type", "index":
		case "arguments", "parameters", "args", "input":
			args = true
		case "name", "function", "tool_calls":
			if named != nil {
				return false
			}
			named = member
		default:
			return false
		}
	}
	switch {
	case named == nil:
		return false
	case named.kind == valueText:
		return args && l.offers(named.Text())
	}

	return !args && l.callForm(named)
}

// finishForm reports whether JSON is the arguments of a finish: a key that is known here, and a value.
func (l *loop) finishForm(v *JSON) bool {
	if v.kind != valueObject || v.Len() != 2 || !v.has("value") {
		return false
	}
	for name, member := range v.Members() {
		if name == "key" && member.kind == valueText {
			key := member.Text()

			return key == implicitKey || slices.Contains(l.legal.keys, key)
		}
	}

	return false
}

func (l *loop) offers(name string) bool { return l.tools.offers(l.tools.meantName(name)) }

// repairWritten reports to the model that a call in a text calls nothing. The event and the error also say what the server lacks, which
// the model cannot change.
func (l *loop) repairWritten(reply *model.Reply) error {
	const problem = "a call of a tool was written as text, and calls nothing"
	known := problem + ": " + missingParser
	cause := error(&runtime.MissingFinishError{Agent: l.spec.Agent, Valid: l.legal.keys, Text: l.last, Problem: known})
	if l.repairs.called {
		cause = l.invalid("", known)
	}
	if err := l.fault(known, cause); err != nil {
		return err
	}
	advice := "Call tools by the interface for tools, not in a text. " + l.advice()
	l.messages = object(l.messages, reply, "This could not be used: "+problem, advice)

	return nil
}
