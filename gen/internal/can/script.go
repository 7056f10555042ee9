package can

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
)

// Injected is untrusted text in scripts, and trusted any other text.
const (
	Injected = "INJECTED"
	trusted  = "fine"
)

// Input returns the input of the script's run.
func (p Path) Input() string {
	if p.Steps[0].Given && p.Steps[0].field == "" {
		return Injected
	}

	return trusted
}

// Context returns the initial context of the script's run, as JSON; "" without one.
func (p Path) Context() string {
	if p.Steps[0].field == "" {
		return ""
	}
	text, _ := json.Marshal(map[string]string{p.Steps[0].field: Injected}) // texts are always JSON

	return string(text)
}

// Script returns a script, as JSON, with which a run takes the path: the text [Injected] reaches
// the action from its source. The error is the reason why no script can do it.
func (p Path) Script() ([]byte, error) {
	w := scriptWriter{&scriptdoc.Script{}}
	for _, s := range p.Steps {
		if s.openReason != "" {
			return nil, errors.New(s.openReason)
		}
		err := w.addStep(s)
		if err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(p.Steps, func(s Step) bool { return s.isParallel }) {
		err := w.addOthers(p.root)
		if err != nil {
			return nil, err
		}
	}

	return w.JSON()
}

// scriptWriter writes a script.
type scriptWriter struct{ *scriptdoc.Script }

// maxOtherRuns is the maximal number of runs of a conversation next to a path.
const maxOtherRuns = 8

// addOthers adds answers for conversations that are not on the path, and may run in parallel to it.
// They finish, and leave loops.
func (w scriptWriter) addOthers(root *ir.Agent) error {
	for _, a := range ir.ReachableFrom(root) {
		if node, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			err := w.addAnswers(node)
			if err != nil {
				return err
			}
		}
		for _, step := range a.Conversations() {
			name := step.Label(a.Name.Value)
			if w.Has(scriptdoc.Agents, name) {
				continue
			}
			s := Step{conversation: &conversation{agent: a, label: name, step: step}, fields: map[string]json.RawMessage{}}
			if output := step.Output().Resolved(); output != nil {
				for _, p := range output.Properties {
					if p.Schema.Kind == ir.SchemaBoolean {
						s.fields[p.Name.Value] = json.RawMessage("true")
					}
				}
			}
			turns, err := w.conversationTurns(s)
			if err != nil {
				return err
			}
			w.Add(scriptdoc.Agents, name, slices.Repeat(turns, maxOtherRuns)...)
		}
	}

	return nil
}

// addAnswers adds answers to the questions of a workflow that are not on the path.
func (w scriptWriter) addAnswers(node *ir.Flow) (err error) {
	ir.WalkTasks(node.Body, func(t *ir.Task) {
		ask, isAsk := t.Do.(*ir.Ask)
		if !isAsk || w.Has(scriptdoc.Questions, t.Name.Value) {
			return
		}
		answer, fault := sampleValue(ask.Answer.Schema, false)
		w.Add(scriptdoc.Questions, t.Name.Value, slices.Repeat([]scriptdoc.Answer{encodeReply(answer)}, maxOtherRuns)...)
		err = errors.Join(err, fault)
	})

	return err
}

func (w scriptWriter) addStep(s Step) error {
	for _, g := range s.guards {
		w.Add(scriptdoc.Guards, g.name, scriptdoc.Verdict{OK: g.says})
	}
	switch s.Do {
	case "run":
		turns, err := w.conversationTurns(s)
		w.Add(scriptdoc.Agents, s.Agent, turns...)

		return err
	case "ask":
		answer, err := sampleValue(s.ask.Answer.Schema, false)
		w.Add(scriptdoc.Questions, s.Agent[strings.LastIndex(s.Agent, "/")+1:], encodeReply(answer))
		return err
	case "call":
		return w.addResult(s.Calls[0])
	}

	return nil
}

// addResult adds the result of a tool or a function.
func (w scriptWriter) addResult(c Call) error {
	section := scriptdoc.Tools
	switch {
	case c.tool.readsMemory || c.tool.writesMemory:
		return nil
	case c.tool.source == functions || c.tool.effect == "unknown":
		section = scriptdoc.Funcs
	}
	result, err := sampleValue(c.tool.output, c.Source != "")
	var answer scriptdoc.Answer = scriptdoc.Result{Value: encodeJSON(result)}
	if c.Fails {
		answer = scriptdoc.Failure{Message: Injected}
	}
	w.Add(section, c.Tool, answer)
	if c.tool.confirm {
		w.Add(scriptdoc.Questions, c.Tool, scriptdoc.TextReply("yes"))
	}

	return err
}

// conversationTurns returns the turns of a conversation. Its model reads the first untrusted result
// before it continues.
func (w scriptWriter) conversationTurns(s Step) ([]scriptdoc.Answer, error) {
	react, isReact := s.conversation.step.Node.(*ir.React)
	value, err := finishValue(s)
	switch {
	case err != nil:
		return nil, err
	case !isReact && s.Fails:
		wrong := scriptdoc.Turn{Say: `"` + Injected + `"`}
		return slices.Repeat([]scriptdoc.Answer{wrong}, s.conversation.step.Node.(*ir.Oneshot).Repair+1), nil
	case !isReact:
		return []scriptdoc.Answer{scriptdoc.Turn{Say: formatAsText(value)}}, nil
	}
	var turns []scriptdoc.Answer
	var calls []scriptdoc.Call
	skills := map[string]bool{}
	for _, c := range s.Calls {
		if !skills[c.tool.skill] {
			skills[c.tool.skill] = true
			args := encodeJSON(map[string]string{"name": c.tool.skill})
			calls = append(calls, scriptdoc.Call{Name: "read_skill", Args: args})
		}
		args, err := callArguments(c)
		if err != nil {
			return nil, err
		}
		calls = append(calls, scriptdoc.Call{Name: c.tool.offeredName, Args: encodeJSON(args)})
		err = w.addResult(c)
		if err != nil {
			return nil, err
		}
		if c.Source != "" && len(turns) == 0 {
			turns, calls = append(turns, scriptdoc.Turn{Calls: calls}), nil
		}
	}
	key := s.Key
	if key == ir.CatchAll {
		key = "other"
	}
	if key == "" && len(react.Keys) > 0 {
		key = react.Keys[0].Value
	}
	finish := &scriptdoc.Finish{Key: cmp.Or(key, ir.DoneKey), Value: encodeJSON(value)}
	if s.Fails {
		if s.conversation.step.Output() == nil {
			finish.Key = Injected
		}
		finish.Value = encodeJSON(Injected)
	}
	turns = append(turns, scriptdoc.Turn{Calls: calls, Finish: finish})
	if !s.Fails {
		return turns, nil
	}

	return append(turns, slices.Repeat([]scriptdoc.Answer{scriptdoc.Turn{Finish: finish}}, react.Repair)...), nil
}

func encodeReply(value any) scriptdoc.Reply { return scriptdoc.Reply{Value: encodeJSON(value)} }

// encodeJSON encodes a value that is valid in JSON.
func encodeJSON(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was read from JSON
	}

	return text
}

// finishValue returns the value with which a conversation finishes.
func finishValue(s Step) (any, error) {
	if list := s.conversation.step.List(); list != nil && (list.Key == "" || ir.FoldKey(list.Key) == ir.FoldKey(s.Key)) {
		if s.isEmptyList {
			return []any{}, nil
		}
		return []any{sampleText(s.Gives)}, nil
	}
	if s.conversation.step.Output() == nil && s.startsWithDone {
		return "done " + sampleText(s.Gives), nil
	}

	value, err := sampleValue(s.conversation.step.Output(), s.Gives)
	if object, isObject := value.(map[string]any); isObject {
		for name, field := range s.fields {
			object[name] = field
		}
	}

	return value, err
}

func sampleText(injected bool) string {
	if injected {
		return Injected
	}

	return trusted
}

func formatAsText(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	text, _ := json.Marshal(value)

	return string(text)
}

// callArguments returns the arguments of a call.
func callArguments(c Call) (any, error) {
	if c.tool.args != "" {
		return json.RawMessage(strings.ReplaceAll(c.tool.args, "TEXT", sampleText(c.Bad))), nil
	}

	return sampleValue(c.tool.input, c.Bad)
}

// sampleValue returns a value that fits a schema, with the untrusted text if injected is true.
func sampleValue(s *ir.Schema, injected bool) (any, error) {
	if s == nil {
		return sampleText(injected), nil
	}
	text, err := sample.MakeValue(s, sampleText(injected))
	if injected && err == nil && !strings.Contains(text, Injected) && s.Kind == ir.SchemaObject {
		whole := *s // optional properties would be omitted
		whole.Properties = nil
		for _, p := range s.Properties {
			required := *p
			required.Required = true
			whole.Properties = append(whole.Properties, &required)
		}
		text, err = sample.MakeValue(&whole, Injected)
	}
	var value any
	if err == nil {
		err = json.Unmarshal([]byte(text), &value)
	}

	return value, err
}
