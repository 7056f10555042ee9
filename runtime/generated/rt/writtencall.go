package rt

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// callMarks are what the formats of models write before a call of a tool, or, in the harmony
// format, before every part of a reply. A server that knows the format of its model takes them out
// and reports calls. What begins with one is no answer, also where the name of the tool is none
// that is offered.
var callMarks = []string{
	"<tool_call", "<function=", "<function_call", "<invoke ", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_call", "<｜tool▁call",
	"<|channel|>", "<|start|>",
}

// missingParser describes what a server lacks if it passes calls on as text.
const missingParser = "the server has no parser for the tool calls of this model (vLLM: --enable-auto-tool-choice and " +
	"--tool-call-parser; llama.cpp: --jinja)"

// writtenCall reports whether text is a call of a tool that was offered, written as text: little
// more than the name of the tool with what a call has around it, in whatever format; or it ends
// with a block that a mark of calls begins on a line of its own. A value that fits the agent's
// output schema is that value.
func (l *loop) writtenCall(text string) bool {
	text = trimInvisible(text)
	plain := trimFence(text)
	if l.fitsOutput(plain) {
		return false
	}
	repaired, isJSON := jsontext.Repair(plain)
	if isJSON {
		text = repaired
	}
	for _, mark := range callMarks {
		if strings.HasPrefix(plain, mark) {
			return true
		}
	}

	return l.scanCalls(text).isCall() || l.endsWithCall(text)
}

// fitsOutput reports whether a text is JSON that fits the agent's output schema.
func (l *loop) fitsOutput(text string) bool {
	isJSON := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")

	return isJSON && l.spec.Output != nil && l.spec.Output.Check(json.RawMessage(text)) == nil
}

func (l *loop) scanCalls(text string) *callScan {
	s := &callScan{text: text, offers: l.offersTool, hasCallForm: l.isCallValue}
	s.scanCalls()

	return s
}

// isCallValue reports whether JSON is a call in one of the forms that models write.
func (l *loop) isCallValue(v *JSON) bool {
	return l.callForm(v) || l.finishForm(v) || l.memberForm(v)
}

// endsWithCall reports whether a text ends with a block that calls a tool and begins, on a line of
// its own, with a mark of calls.
func (l *loop) endsWithCall(text string) bool {
	for end := len(text); end > 0; {
		at := strings.LastIndexByte(text[:end], '\n')
		line := text[at+1 : end]
		mark := line[:markEnd(line)]
		name, _, closes := splitMark(mark)
		if mark != "" && !closes && namesCall(name) {
			s := l.scanCalls(text[at+1:])

			return s.found && s.prose == 0 && !s.block
		}
		end = max(at, 0)
	}

	return false
}

// callForm reports whether JSON is a call of a tool that is offered, or a list of such calls:
// {"name": …, "arguments": …} or one of the forms around that. A member "tool" names a tool even
// beside arguments that are members themselves.
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

	names, isLoose := nameKeys, v.hasMember("tool") || v.hasMember("tool_name")
	if isLoose {
		names = toolKeys
	}
	var named *JSON
	hasArgs, others := false, false
	for name, member := range v.Members() {
		switch {
		case slices.Contains(names, name):
			if named != nil {
				return false
			}
			named = member
		case slices.Contains(argumentKeys, name):
			hasArgs = true
		case !slices.Contains(callKeys, name):
			others = true
		}
	}
	switch {
	case named == nil || others && (hasArgs || !isLoose):
		return false
	case named.kind == valueText:
		return l.offersTool(named.Text())
	}

	return !hasArgs && !others && l.callForm(named)
}

var (
	// toolKeys are the members of JSON that name the tool of a call and nothing else, and nameKeys
	// all that name one.
	toolKeys = []string{"tool", "tool_name"}
	nameKeys = append([]string{"action", "function", "function_name", "name", "recipient_name", "tool_calls"}, toolKeys...)
	// argumentKeys are those that hold its arguments, and callKeys those that say something else of
	// it.
	argumentKeys = []string{"action_input", "args", "arguments", "input", "kwargs", "parameters", "params", "tool_input"}
	callKeys     = []string{"id", "index", "type"}
)

// finishForm reports whether JSON is the arguments of a finish: a key that is known here, and a
// value.
func (l *loop) finishForm(v *JSON) bool {
	if v.kind != valueObject || v.Len() != 2 || !v.hasMember("value") {
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

// memberForm reports whether JSON is an object whose only member is named as a tool and has its
// arguments: {"finish": {"value": …}}. A tool whose name is a word of the language does not count.
func (l *loop) memberForm(v *JSON) bool {
	if v.kind != valueObject || v.Len() != 1 {
		return false
	}
	for name, member := range v.Members() {
		if member.kind != valueObject || !l.offersTool(name) {
			return false
		}

		return hasNameForm(name) || name == toolFinish && member.hasMember("value")
	}

	return false
}

func (l *loop) offersTool(name string) bool { return l.tools.isOffered(l.tools.meantName(name)) }

// repairWritten reports to the model that a call in a text calls nothing. The event and the error
// also name what the server lacks, which the model cannot change.
func (l *loop) repairWritten(reply *model.Reply) error {
	const problem = "a call of a tool was written as text, and calls nothing"
	known := problem + ": " + missingParser
	cause := error(&runtime.MissingFinishError{Agent: l.spec.Agent, Valid: l.legal.keys, Text: l.last, Problem: known})
	if l.repairs.called {
		cause = l.invalidTransition("", known)
	}
	if err := l.finishError(known, cause); err != nil {
		return err
	}
	advice := "Call tools by the interface for tools, not in a text. " + l.finishAdvice()
	l.messages = addObjection(l.messages, reply, "This could not be used: "+problem, advice)

	return nil
}
