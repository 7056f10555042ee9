package core

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// ForkOptions describe a fork.
type ForkOptions struct {
	// Reply takes the place of what the effect reached: of a model its text, or JSON
	// {"text":…,"calls":[{"name":…,"args":{…}}]}; of a tool its result; of a function its value as
	// JSON; of a person the answer; of a guard JSON {"ok":…,"reason":…}. nil: the effect is carried
	// out again.
	Reply []byte
	// By is the name of who forks the run, and so gives the reply; "" if it is not known.
	By string
	// StayPaused has servers leave the fork paused until it is resumed by a request.
	StayPaused bool
}

// unknownForker is recorded as the person who has given the reply of a fork, if the name is not
// known.
const unknownForker = "fork"

// Fork makes a new run that has done what a run had done before the effect at an address began, and
// what was under way then, and goes on otherwise from there when it is resumed. The run itself
// stays as it is. A run with a damaged journal can be forked at any effect before the damage.
//
// Errors: ErrNoStore, UnknownAddressError, WrongProgramError, journal.ErrUnknownRun and others of
// package journal.
func (e *Engine) Fork(ctx context.Context, p *compiled.Program, run, at string, o ForkOptions) (newRun string, err error) {
	j, damage := e.readJournal(ctx, run)
	if j == nil {
		return "", damage
	}
	h := replay.Read(j)
	if _, _, err := checkProgram(h, p, run, true); err != nil {
		return "", err
	}
	prior := h.Effects[at]
	switch {
	case !prior.HasBegun() && damage != nil:
		return "", fmt.Errorf("%w; before that the run has no effect %s", damage, at)
	case !prior.HasBegun():
		return "", unknownAddress(run, at, "the run has no such effect")
	}
	records := replay.RecordsBefore(j.Records, prior, at)
	if o.Reply != nil {
		result, err := replacedResult(run, at, prior, o)
		if err != nil {
			return "", err
		}
		result.Time = e.config.Clock.Now().UTC()
		records = append(records, *prior.Intent, result)
	}
	newRun = e.config.RunID()

	return newRun, e.copyRun(ctx, e.forkRecord(h.Begin, newRun, at, o.By), records, o.StayPaused)
}

// forkRecord returns the first record of a fork. The fork is a run of the caller who made it.
func (e *Engine) forkRecord(begin *journal.Record, newRun, at, by string) journal.Record {
	fields := slices.DeleteFunc(slices.Clone(begin.Fields), func(f journal.Field) bool {
		return f.Name == "forked_from" || f.Name == "forked_at" || f.Name == "by"
	})

	return journal.Record{
		Type: journal.Begin, Time: e.config.Clock.Now().UTC(), Name: newRun,
		Fields: append(fields, field.Optional("by", by, "forked_from", begin.Name, "forked_at", at)...),
	}
}

// copyRun makes a run of records. If it stays paused, it ends like a run that pauses.
func (e *Engine) copyRun(ctx context.Context, begin journal.Record, records []journal.Record, stayPaused bool) error {
	w, err := journal.Create(ctx, e.config.Store, begin.Name, begin)
	if err != nil {
		return err
	}
	seq := 0
	for i := range records {
		w.Append(records[i])
		if number, err := strconv.Atoi(records[i].Value("seq")); err == nil && records[i].Type == journal.Event {
			seq = max(seq, number)
		}
	}
	if stayPaused {
		now := e.config.Clock.Now()
		w.Append(eventRecord(&event.Event{Kind: event.End, Status: replay.StatusPaused, Seq: seq + 1, Time: now}))
		w.Append(journal.Record{Type: journal.End, Time: now.UTC(), Name: replay.StatusPaused, Fields: field.Optional(question.FieldStayPaused, "true")})
	}

	return w.Close()
}

// replacedResult returns the result of an effect with another reply.
func replacedResult(run, at string, prior *replay.Effect, o ForkOptions) (journal.Record, error) {
	unfit := func(problem string) error {
		return unknownAddress(run, at, problem)
	}
	if prior.Intent == nil {
		return journal.Record{}, unfit(prior.Describe() + " has no reply that could be another")
	}
	r := journal.Record{Type: journal.Result, Address: at, Name: prior.Intent.Name}
	text := strings.TrimSuffix(string(o.Reply), "\n")
	switch prior.Intent.Name {
	case replay.KindModel:
		reply := parseReplacement(at, text)
		r.Fields = replyFields(&reply)
	case replay.KindTool:
		// What was JSON stays JSON, if it can be read as that.
		isJSON := prior.Result != nil && prior.Result.Value("json") == "true" && json.Valid([]byte(text))
		tool := toolEffect{}
		if prior.Result != nil { // the model sees as much of it at once
			_ = tool.readResult(prior.Result)
		}
		tool.result = runtime.ToolResult{Text: text, JSON: isJSON, Shown: tool.result.Shown}
		r.Fields = append(tool.resultFields(), memoryField(prior)...)
	case replay.KindCall:
		if !json.Valid([]byte(text)) {
			return r, unfit("the value of " + prior.Describe() + " must be JSON")
		}
		r.Fields = field.Optional("value", text)
	case replay.KindAsk:
		var q recordedQuestion
		_ = json.Unmarshal([]byte(prior.Intent.Value("args")), &q) // what cannot be read has no choices
		value, ok := runtime.Question{Choices: q.Choices}.Choose(text)
		if !ok {
			return r, &runtime.AnswerError{Run: run, Question: q.ID, Answer: text, Choices: q.Choices}
		}
		r.Fields = field.Optional("value", value, "by", cmp.Or(o.By, unknownForker))
	case replay.KindGuard:
		var verdict struct {
			OK     bool
			Reason string
		}
		if err := jsontext.Strictly([]byte(text), &verdict); err != nil {
			return r, unfit(fmt.Sprintf(`the verdict of %s must be {"ok":…,"reason":…}: %v`, prior.Describe(), err))
		}
		r.Fields = field.Optional("ok", field.Bool(verdict.OK), "reason", verdict.Reason)
	default:
		return r, unfit(prior.Describe() + " has no reply that could be another")
	}

	return r, nil
}

// memoryField returns the field of a tool's result that the memory has answered: what it has stored
// is stored in the fork, too.
func memoryField(prior *replay.Effect) []journal.Field {
	if prior.Result == nil {
		return nil
	}

	return field.Optional("memory", prior.Result.Value("memory"))
}

// parseReplacement parses the reply with which a fork replaces the one of a model: text, or JSON as
// described at ForkOptions.
func parseReplacement(at, text string) model.Reply {
	var said struct {
		Text  string
		Calls []struct {
			ID, Name string
			Args     json.RawMessage
		}
	}
	reply := model.Reply{Text: text, StopReason: "stop", Model: "fork"}
	if jsontext.Strictly([]byte(text), &said) != nil {
		return reply
	}
	reply.Text = said.Text
	for i, call := range said.Calls {
		args := string(call.Args)
		var quoted string
		if json.Unmarshal(call.Args, &quoted) == nil {
			args = quoted
		}
		if call.ID == "" {
			call.ID = fmt.Sprintf("fork-%s-%d", at, i+1)
		}
		reply.Calls = append(reply.Calls, model.ToolCall{ID: call.ID, Name: call.Name, Args: args})
		reply.StopReason = "tool_calls"
	}

	return reply
}
