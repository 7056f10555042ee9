package simulate

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
)

// sections are the sections of a script, by kind.
var sections = map[itemKind]scriptdoc.Section{
	kindReply: scriptdoc.Agents, kindAnswer: scriptdoc.Questions, kindResult: scriptdoc.Funcs, kindOutput: scriptdoc.Tools,
	kindVerdict: scriptdoc.Guards,
}

// Document returns the script as a document, with a comment of some lines.
func (s *Script) Document(comment []string) *scriptdoc.Script {
	written := &scriptdoc.Script{Comment: comment}
	for kind, section := range sections {
		for _, list := range s.lists[kind] {
			written.Add(section, list.Name, ir.Map(list.Turns, func(t Turn) scriptdoc.Answer { return t.scriptAnswer(kind) })...)
		}
	}

	return written
}

// itFails is the text of all errors.
const itFails = "it fails"

// scriptAnswer returns a turn in the list of a kind as an answer of a script.
func (t Turn) scriptAnswer(kind itemKind) scriptdoc.Answer {
	switch {
	case kind == kindVerdict:
		return scriptdoc.Verdict{OK: t.Value == "true"}
	case kind == kindAnswer && t.Fails:
		return scriptdoc.Timeout
	case kind == kindAnswer:
		return scriptdoc.TextReply(t.Say)
	case kind == kindReply:
		return t.scriptTurn()
	case t.Fails:
		return scriptdoc.Failure{Message: itFails}
	}

	return scriptdoc.Result{Value: json.RawMessage(t.Value)}
}

func (t Turn) scriptTurn() scriptdoc.Turn {
	if t.Fails {
		return scriptdoc.Turn{Error: &scriptdoc.ModelError{Status: 400, Message: itFails}, Signal: t.Signal}
	}
	turn := scriptdoc.Turn{Say: t.Say, Signal: t.Signal}
	if t.Calls != "" {
		if err := json.Unmarshal([]byte(t.Calls), &turn.Calls); err != nil {
			panic(err) // the text comes from encodeCalls
		}
	}
	if t.Value != "" {
		turn.Say = ""
		turn.Finish = &scriptdoc.Finish{Key: t.Key, Value: json.RawMessage(t.Value)}
	}

	return turn
}
