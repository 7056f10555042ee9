package core

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/recording"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// everyReplay is a model of a run in which Config.Replay answers for all of them. What it would be is only asked to distinguish requests:
// it need not be there. The caller has r.mu.
func (r *run) everyReplay(choice *model.Choice) *openModel {
	if r.replay == nil {
		r.replay = r.engine.config.Replay.Play(r.redactor)
	}

	first := &openModel{choice: r.meantChoice(choice), replay: r.replay}
	if m, err := Resolve(r.program, choice, r.engine.config.Env); err == nil {
		last := first
		for i := range m.Fallback {
			last.next = &openModel{choice: m.Fallback[i].Choice(m.Role), replay: r.replay}
			last = last.next
		}
	}

	return first
}

// playback is the player of a recording: one that is compiled in, else, if the environment names it, of a file. The caller has r.mu.
func (r *run) playback(m model.Model) (*recording.Player, error) {
	recorded, err := r.recorded(m)
	if err != nil {
		return nil, err
	}

	return recorded.Play(r.redactor), nil
}

func (r *run) recorded(m model.Model) (*recording.Recording, error) {
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

// isPlayed says that models of a provider need neither a key nor variables, and cost nothing: scripts and recordings.
func isPlayed(provider string) bool {
	return provider == scriptProvider || provider == recording.Provider
}

// replyFromRecording lets a recording answer, whose text is reported at once.
func (t *modelTurn) replyFromRecording(p *recording.Player, request model.Request) (model.Reply, error) {
	request = t.withoutRemark(request)
	reply, err := p.Model(&request, t.fx.Address())
	if err == nil && reply.Text != "" && t.fx.run.engine.config.Observer != nil {
		t.fx.run.noteDelta(request.Agent, t.fx.Address(), reply.Text)
	}

	return reply, err
}

// skipReplies lets a recording go on behind what it has played to a request in an earlier process, as its model and the fallbacks of that
// were asked then.
func (t *modelTurn) skipReplies(m *openModel, request model.Request, attempts int) {
	request = t.withoutRemark(request)
	for ; m != nil; m = m.next {
		request.Model = m.choice
		for attempt := 1; ; attempt++ {
			if attempts--; attempts < 0 {
				return
			}
			_, err := m.replay.Model(&request, t.fx.Address())
			if err == nil || isRecordingMiss(err) { // what was live then is not in the recording
				return
			}
			if retryableError(t.fx.run.engine.config.Retry, err, attempt) == nil {
				break
			}
		}
	}
}

// isRecordingMiss says that an error reports a recording that does not fit: it is not a result of the model.
func isRecordingMiss(err error) bool {
	var miss *recording.MissError
	var spent *recording.SpentError

	return errors.As(err, &miss) || errors.As(err, &spent)
}

// skipTurns lets a script, or a recording, go on behind the turns that it has played in an earlier process.
func (t *modelTurn) skipTurns(request model.Request, r *journal.Record) {
	m := t.first
	switch {
	case m.replay != nil:
		t.skipReplies(m, request, attemptsOf(r))

		return
	case m.player == nil:
		return
	}
	for i := range attemptsOf(r) {
		var over *runtime.ScriptError
		if _, err := t.replyFromScript(m.player, request, i, true); errors.As(err, &over) {
			return
		}
	}
}

// maxAttempts bounds what is believed of a journal that another program has written.
const maxAttempts = 1000

// attemptsOf is how often a model was asked before there was a result: not at all if a budget was spent.
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
