package core

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// everyReplay returns a model of a run whose models are all answered by Config.Replay. It is only
// resolved so that requests can be distinguished: it need not exist. The caller has r.mu.
func (r *run) everyReplay(choice *model.Choice) *openModel {
	if r.replay == nil {
		r.replay = r.engine.config.Replay.Play(r.redactor)
	}

	first := &openModel{choice: r.resolveChoice(choice), replay: r.replay}
	if m, err := Resolve(r.program, choice, r.engine.config.Env); err == nil {
		last := first
		for i := range m.Fallback {
			last.next = &openModel{choice: m.Fallback[i].Choice(m.Role), replay: r.replay}
			last = last.next
		}
	}

	return first
}

// openRecording returns the player of a recording: a compiled-in one, else a file that the
// environment names. The caller has r.mu.
func (r *run) openRecording(m model.Model) (*recording.Player, error) {
	recorded, err := r.readRecording(m)
	if err != nil {
		return nil, err
	}

	return recorded.Play(r.redactor), nil
}

func (r *run) readRecording(m model.Model) (*recording.Recording, error) {
	if r.program != nil {
		if text, ok := r.program.Recordings[m.ID]; ok {
			return recording.Read(strings.NewReader(text), m.ID)
		}
	}
	recorded, err := recording.ReadFile(m.ID)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &runtime.BadSettingError{
			Name: "model", Value: m.Name, Problem: "names a recording that is not compiled in, and there is no such file",
		}
	}

	return recorded, err
}

// isPlayed reports whether the models of a provider are scripts or recordings, which need neither a
// key nor variables, and cost nothing.
func isPlayed(provider string) bool {
	return provider == scriptProvider || provider == recording.Provider
}

// replyFromRecording returns the reply of a recording, whose text is reported at once.
func (t *modelTurn) replyFromRecording(p *recording.Player, request *model.Request) (model.Reply, error) {
	own := t.withoutRemark(request)
	reply, err := p.Model(&own, t.fx.Address())
	if err == nil && reply.Text != "" && t.fx.run.engine.config.Observer != nil {
		t.fx.run.events.reportDelta(request.Agent, t.fx.Address(), reply.Text)
	}

	return reply, err
}

// skipReplies has a recording skip the replies that it has given in an earlier process, whose turn
// made a number of calls.
func (t *modelTurn) skipReplies(request *model.Request, calls int) {
	own := t.withoutRemark(request)
	for m := t.first; m != nil; m = m.next {
		own.Model = m.choice
		for attempt := 1; ; attempt++ {
			if calls == 0 {
				return
			}
			calls--
			_, err := m.replay.Model(&own, t.fx.Address())
			if err == nil || isRecordingMiss(err) { // what was live then is not in the recording
				return
			}
			if !canRetry(t.fx.run.engine.config.Retry, err, attempt) {
				break
			}
		}
	}
}

// isRecordingMiss reports whether an error is caused by a recording that does not match, and so is
// not a result of the model.
func isRecordingMiss(err error) bool {
	var miss *recording.MissError
	var spent *recording.SpentError

	return errors.As(err, &miss) || errors.As(err, &spent)
}

// skipTurns has a script, or a recording, skip the replies that it has given in an earlier process.
func (t *modelTurn) skipTurns(request *model.Request, r *journal.Record) {
	calls := attemptsOf(r)
	switch m := t.first; {
	case m.replay != nil:
		t.skipReplies(request, calls)
	case m.player != nil:
		t.skipScript(m.player, request, calls)
	}
}

// skipScript has a script skip replies, up to its end.
func (t *modelTurn) skipScript(player *script.Player, request *model.Request, calls int) {
	for attempt := 1; attempt <= calls; attempt++ {
		_, err := t.replyFromScript(player, request, attempt, true)
		var end *runtime.ScriptError
		if errors.As(err, &end) {
			return
		}
	}
}

// maxAttempts is the largest number of calls that is read from a journal, which another program may
// have written.
const maxAttempts = 1000

// attemptsOf returns how often models were called before there was a result: 0 if a budget was used
// up.
func attemptsOf(r *journal.Record) int {
	attempts, ok := r.Get("attempts")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(attempts)
	if err != nil || n < 0 {
		return 1
	}

	return min(n, maxAttempts)
}
