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

// Injected is what untrusted text is in scripts, and trusted what all other texts are.
const (
	Injected = "INJECTED"
	trusted  = "fine"
)

// Input is what the run of the script is given.
func (p Path) Input() string {
	if p.Steps[0].Given && p.Steps[0].field == "" {
		return Injected
	}

	return trusted
}

// Context is the initial context of the run of the script, as JSON; "" for none.
func (p Path) Context() string {
	if p.Steps[0].field == "" {
		return ""
	}
	text, _ := json.Marshal(map[string]string{p.Steps[0].field: Injected}) // texts are always JSON

	return string(text)
}

// Script returns a script, as JSON, with which a run takes the path: the text [Injected] gets from the source to the deed. The error says
// why a script cannot say so.
func (p Path) Script() ([]byte, error) {
	w := scriptWriter{&scriptdoc.Script{}}
	for _, s := range p.Steps {
		if s.open != "" {
			return nil, errors.New(s.open)
		}
		if err := w.step(s); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(p.Steps, func(s Step) bool { return s.beside }) {
		if err := w.others(p.root); err != nil {
			return nil, err
		}
	}

	return w.JSON()
}

// scriptWriter makes a script.
type scriptWriter struct{ *scriptdoc.Script }

// someRuns is how often a conversation beside a path runs at most.
const someRuns = 8

// others adds what conversations say that are not on the path, and may run beside it: they finish, and leave loops.
func (w scriptWriter) others(root *ir.Agent) error {
	for _, a := range ir.ReachableFrom(root) {
		if node, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			if err := w.answers(node); err != nil {
				return err
			}
		}
		for _, step := range a.Conversations() {
			name := step.Label(a.Name.Value)
			if w.Has(scriptdoc.Agents, name) {
				continue
			}
			s := Step{talk: &talk{agent: a, label: name, step: step}, fields: map[string]json.RawMessage{}}
			if output := step.Output().Resolved(); output != nil {
				for _, p := range output.Properties {
					if p.Schema.Kind == ir.SchemaBoolean {
						s.fields[p.Name.Value] = json.RawMessage("true")
					}
				}
			}
			turns, err := w.turns(s)
			if err != nil {
				return err
			}
			w.Add(scriptdoc.Agents, name, slices.Repeat(turns, someRuns)...)
		}
	}

	return nil
}

// answers adds what people say to the questions of a workflow that are not on the path.
func (w scriptWriter) answers(node *ir.Flow) (err error) {
	ir.WalkTasks(node.Body, func(t *ir.Task) {
		ask, isAsk := t.Do.(*ir.Ask)
		if !isAsk || w.Has(scriptdoc.Questions, t.Name.Value) {
			return
		}
		answer, fault := fitting(ask.Answer.Schema, false)
		w.Add(scriptdoc.Questions, t.Name.Value, slices.Repeat([]scriptdoc.Answer{replyOf(answer)}, someRuns)...)
		err = errors.Join(err, fault)
	})

	return err
}

func (w scriptWriter) step(s Step) error {
	for _, g := range s.guards {
		w.Add(scriptdoc.Guards, g.name, scriptdoc.Verdict{OK: g.says})
	}
	switch s.Do {
	case "run":
		turns, err := w.turns(s)
		w.Add(scriptdoc.Agents, s.Agent, turns...)

		return err
	case "ask":
		answer, err := fitting(s.ask.Answer.Schema, false)
		w.Add(scriptdoc.Questions, s.Agent[strings.LastIndex(s.Agent, "/")+1:], replyOf(answer))
		return err
	case "call":
		return w.result(s.Calls[0])
	}

	return nil
}

// result is what a tool or a function answers.
func (w scriptWriter) result(c Call) error {
	section := scriptdoc.Tools
	switch {
	case c.tool.recalls || c.tool.remembers:
		return nil
	case c.tool.source == functions || c.tool.effect == "unknown":
		section = scriptdoc.Funcs
	}
	result, err := fitting(c.tool.output, c.Source != "")
	var answer scriptdoc.Answer = scriptdoc.Result{Value: jsonOf(result)}
	if c.Fails {
		answer = scriptdoc.Failure{Message: Injected}
	}
	w.Add(section, c.Tool, answer)
	if c.tool.confirm {
		w.Add(scriptdoc.Questions, c.Tool, scriptdoc.TextReply("yes"))
	}

	return err
}

// turns are those of a conversation. Its model reads the first untrusted result before it goes on.
func (w scriptWriter) turns(s Step) ([]scriptdoc.Answer, error) {
	react, isReact := s.talk.step.Node.(*ir.React)
	value, err := valueOf(s)
	switch {
	case err != nil:
		return nil, err
	case !isReact && s.Fails:
		wrong := scriptdoc.Turn{Say: `"` + Injected + `"`}
		return slices.Repeat([]scriptdoc.Answer{wrong}, s.talk.step.Node.(*ir.Oneshot).Repair+1), nil
	case !isReact:
		return []scriptdoc.Answer{scriptdoc.Turn{Say: asText(value)}}, nil
	}
	var turns []scriptdoc.Answer
	var calls []scriptdoc.Call
	skills := map[string]bool{}
	for _, c := range s.Calls {
		if !skills[c.tool.skill] {
			skills[c.tool.skill] = true
			args := jsonOf(map[string]string{"name": c.tool.skill})
			calls = append(calls, scriptdoc.Call{Name: "read_skill", Args: args})
		}
		args, err := arguments(c)
		if err != nil {
			return nil, err
		}
		calls = append(calls, scriptdoc.Call{Name: c.tool.offered, Args: jsonOf(args)})
		if err := w.result(c); err != nil {
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
	finish := &scriptdoc.Finish{Key: cmp.Or(key, ir.DoneKey), Value: jsonOf(value)}
	if s.Fails {
		if s.talk.step.Output() == nil {
			finish.Key = Injected
		}
		finish.Value = jsonOf(Injected)
	}
	turns = append(turns, scriptdoc.Turn{Calls: calls, Finish: finish})
	if !s.Fails {
		return turns, nil
	}

	return append(turns, slices.Repeat([]scriptdoc.Answer{scriptdoc.Turn{Finish: finish}}, react.Repair)...), nil
}

func replyOf(value any) scriptdoc.Reply { return scriptdoc.Reply{Value: jsonOf(value)} }

// jsonOf returns a value, which JSON can hold, as JSON.
func jsonOf(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was read from JSON
	}

	return text
}

// valueOf is what a conversation finishes with.
func valueOf(s Step) (any, error) {
	if list := s.talk.step.List(); list != nil && (list.Key == "" || ir.FoldKey(list.Key) == ir.FoldKey(s.Key)) {
		if s.none {
			return []any{}, nil
		}
		return []any{word(s.Gives)}, nil
	}
	if s.talk.step.Output() == nil && s.done {
		return "done " + word(s.Gives), nil
	}

	value, err := fitting(s.talk.step.Output(), s.Gives)
	if object, isObject := value.(map[string]any); isObject {
		for name, field := range s.fields {
			object[name] = field
		}
	}

	return value, err
}

func word(injected bool) string {
	if injected {
		return Injected
	}

	return trusted
}

func asText(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	text, _ := json.Marshal(value)

	return string(text)
}

// arguments are those of a call.
func arguments(c Call) (any, error) {
	if c.tool.args != "" {
		return json.RawMessage(strings.ReplaceAll(c.tool.args, "TEXT", word(c.Bad))), nil
	}

	return fitting(c.tool.input, c.Bad)
}

// fitting returns a value that fits a schema, in which the untrusted text is if it has to be.
func fitting(s *ir.Schema, injected bool) (any, error) {
	if s == nil {
		return word(injected), nil
	}
	text, err := sample.Value(s, word(injected))
	if injected && err == nil && !strings.Contains(text, Injected) && s.Kind == ir.SchemaObject {
		whole := *s // what is not required is left out
		whole.Properties = nil
		for _, p := range s.Properties {
			required := *p
			required.Required = true
			whole.Properties = append(whole.Properties, &required)
		}
		text, err = sample.Value(&whole, Injected)
	}
	var value any
	if err == nil {
		err = json.Unmarshal([]byte(text), &value)
	}

	return value, err
}
