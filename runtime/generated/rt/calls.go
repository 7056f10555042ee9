package rt

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// parallelTools bounds the read-only tools that run at a time.
const parallelTools = 8

// result is what a model receives for one of its calls. Results are comparable, byte for byte.
type result struct {
	text    string
	problem string
	// remark is written below the text.
	remark string
	// ran reports whether the engine has run the call, and shown is then how many bytes of the
	// result the model sees at once; 0: all.
	ran   bool
	shown int
}

func (r result) toMessage(call model.ToolCall) model.Message {
	m := model.Message{Role: model.RoleTool, Text: r.text, CallID: call.ID, Name: call.Name}
	if r.problem != "" {
		m.Text, m.Failed = "Error: "+r.problem, true
	}
	if r.remark != "" {
		m.Text += "\n\n" + r.remark
	}

	return m
}

// overflow answers the calls beyond the bound.
var overflow = result{problem: fmt.Sprintf("Not run: a turn may hold at most %d calls.", maxCallsPerTurn)}

// task is a call that has passed every check and waits for its turn.
type task struct {
	at   int
	call runtime.ToolCall
}

// runCalls executes the calls of one turn but for finish, in order; neighbours that only read run
// in parallel. The results are in the order of the calls. An error ends the run.
func (l *loop) runCalls(calls []model.ToolCall) ([]result, error) {
	l.one[0] = result{}
	results := l.one[:]
	if len(calls) > 1 {
		results = make([]result, len(calls))
	}
	var reads []task
	answered := 0
	for i, call := range calls {
		if call.Name == toolFinish {
			continue
		}
		answered++
		if answered > maxCallsPerTurn {
			results[i] = overflow

			continue
		}

		spec, args, own, ok := l.checkCall(call)
		if !ok {
			results[i] = own
			l.noteTool(call.Name, call.Args, own)

			continue
		}
		t := task{i, l.toolCall(call, spec, args)}
		if t.call.Tool.Effect == runtime.EffectRead && !t.call.Tool.Confirm {
			reads = append(reads, t)

			continue
		}
		if err := l.inParallel(reads, results); err != nil {
			return nil, err
		}
		reads = reads[:0]
		if err := l.inOrder(t, results); err != nil {
			return nil, err
		}
	}

	return results, l.inParallel(reads, results)
}

// checkCall finds the tool of a call, and its arguments. ok reports whether it is for the engine to
// run; otherwise own answers it.
func (l *loop) checkCall(call model.ToolCall) (spec *runtime.ToolSpec, args json.RawMessage, own result, ok bool) {
	switch call.Name {
	case toolStart:
		return nil, nil, result{text: l.input}, false
	case toolReadSkill:
		if len(l.spec.Skills) > 0 {
			return nil, nil, l.readSkill(call.Args), false
		}
	case toolReadSkillFile:
		if l.tools.isOffered(toolReadSkillFile) {
			return nil, nil, l.tools.readFile(call.Args), false
		}
	case toolReadResult:
		if l.tools.canReadResults() && l.tools.isOffered(toolReadResult) {
			return nil, nil, l.long.readPiece(call.Args), false
		}
	}

	spec, problem := l.tools.findTool(call.Name)
	if problem != "" {
		return nil, nil, result{problem: problem}, false
	}
	if problem := l.gate.refusal(spec.Name); problem != "" {
		return nil, nil, result{problem: problem + ". " + l.gate.validAdvice()}, false
	}
	args, problem = checkArgs(spec, call)
	if problem != "" {
		return nil, nil, result{problem: problem}, false
	}

	return spec, args, result{}, true
}

// toolCall is what the engine is to run, which counts as an execution.
func (l *loop) toolCall(call model.ToolCall, spec *runtime.ToolSpec, args json.RawMessage) runtime.ToolCall {
	if l.executed == nil {
		l.executed = map[string]int{}
	}
	nth := l.executed[spec.Name]
	l.executed[spec.Name]++

	return runtime.ToolCall{
		Agent: l.spec.Agent, ID: call.ID, Called: call.Name, Tool: spec, Args: args, Vars: l.tools.variables(spec), Nth: nth, Run: l.methodOf(spec),
	}
}

func (l *loop) readSkill(args string) result {
	var named struct{ Name *string }
	if err := json.Unmarshal([]byte(args), &named); err != nil || named.Name == nil {
		return result{problem: `read_skill takes {"name": a skill's name}.`}
	}

	return l.tools.unlockSkill(*named.Name)
}

// checkArgs returns the arguments as JSON, or what is wrong with them.
func checkArgs(spec *runtime.ToolSpec, call model.ToolCall) (args json.RawMessage, problem string) {
	text := orEmptyObject(call.Args)
	if _, err := parseValue(text); err != nil {
		return nil, "The arguments of " + call.Name + " cannot be read: " + err.Error() + ". They must be " + spec.Input
	}

	args = json.RawMessage(text)
	if spec.Check == nil {
		return args, ""
	}
	if err := spec.Check(args); err != nil {
		return nil, "The arguments of " + call.Name + " do not fit: " + err.Error()
	}

	return args, ""
}

// orEmptyObject is what a model wrote as arguments: none at all are an empty object.
func orEmptyObject(args string) string {
	if strings.TrimSpace(args) == "" {
		return "{}"
	}

	return args
}

// methodOf executes a typed tool; nil for a built-in one and one of a server, which are the
// engine's.
func (l *loop) methodOf(spec *runtime.ToolSpec) func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
	if spec.Builtin || spec.Server != "" {
		return nil
	}

	run := l.run // and not l: the loop stays on the stack

	return func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
		if run == nil {
			return runtime.ToolResult{}, fmt.Errorf("tool %q: %w", spec.Name, runtime.ErrNotImplemented)
		}

		return run(ctx, spec.Name, args)
	}
}

func (l *loop) inOrder(t task, results []result) (err error) {
	if t.call.Tool.Confirm {
		allowed, err := l.confirmCall(t.call)
		if err != nil {
			return err
		}
		if !allowed {
			results[t.at] = result{problem: "A person was asked and did not allow this call."}
			l.noteTool(t.call.Tool.Name, string(t.call.Args), results[t.at])

			return nil
		}
	}
	results[t.at], err = executeTool(l.fx, t.call)

	return err
}

func (l *loop) inParallel(tasks []task, results []result) (err error) {
	switch len(tasks) {
	case 0:
		return nil
	case 1:
		results[tasks[0].at], err = executeTool(l.fx, tasks[0].call)

		return err
	}

	ran := make([]result, len(tasks)) // results, and the loop with them, stay on the stack
	err = l.fx.Parallel(len(tasks), parallelTools, func(i int, fx runtime.Effects) (err error) {
		ran[i], err = executeTool(fx, tasks[i].call)

		return err
	})
	for i, t := range tasks {
		results[t.at] = ran[i]
	}

	return err
}

func executeTool(fx runtime.Effects, call runtime.ToolCall) (result, error) {
	got, err := fx.Tool(call)
	if err != nil {
		return result{}, err
	}

	return result{text: got.Text, problem: got.Problem, ran: true, shown: got.Shown}, nil
}

// noteTool notifies the observer of a call that never reached the engine.
func (l *loop) noteTool(name, args string, r result) {
	if l.fx.Watched() {
		l.fx.Note(event.Event{Kind: event.Tool, Agent: l.spec.Agent, Name: wording.Start(name), Args: args, Text: r.text, Problem: r.problem})
	}
}
