package core

import (
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// ConflictError is a configuration in which several things are to answer instead of models.
type ConflictError struct {
	// Fields are those of Config.
	Fields []string
}

func (e *ConflictError) Error() string {
	return "only one thing answers instead of models, and these are set: " + strings.Join(e.Fields, ", ")
}

// conflict reports that several things are to answer.
func (c *Config) conflict() error {
	e := &ConflictError{}
	for _, field := range []struct {
		name string
		set  bool
	}{{"Model", c.Model != nil}, {"Script", c.Script != ""}, {"Replay", c.Replay != nil}} {
		if field.set {
			e.Fields = append(e.Fields, field.name)
		}
	}
	if len(e.Fields) < 2 {
		return nil
	}

	return e
}

// startRecording makes the run known to who records.
func (r *run) startRecording(to *recording.Recorder) (err error) {
	if to == nil {
		return nil
	}
	program, shape := "", ""
	if r.program != nil {
		program, shape = r.program.Name, r.program.Shape
	}
	r.recorder, err = to.Begin(program, shape, r.redactor)

	return err
}

// take records an attempt to ask a model. One that the end of the run, or of its time, has ended says nothing of the model.
func (t *modelTurn) take(m *openModel, request model.Request, reply model.Reply, err error) {
	if t.run.recorder == nil || err != nil && t.stopped() != nil {
		return
	}
	t.run.price(&request, &reply)
	request = t.bare(request)
	if m == nil {
		request.Model = t.run.meant(request.Model)
	}
	t.run.recorder.Record(t.Address(), &request, reply, err)
}

// bare is a request without what the engine has added to it: what a budget has left is never the same twice.
func (t *modelTurn) bare(request model.Request) model.Request {
	request.Messages = request.Messages[:t.length]

	return request
}

// meant is the model that a choice would mean, where none is opened; the choice itself if it means none.
func (r *run) meant(choice *model.Choice) *model.Choice {
	if choice == nil {
		choice = &noChoice
	}
	m, err := Resolve(r.program, choice, r.engine.config.Env)
	if err != nil {
		return choice
	}

	return m.Choice(m.Role)
}

// export records a turn that a journal has. One of an older runtime does not say why attempts have failed: there, a call that was repeated
// until it was given up has failed as often as it would again; why one that succeeded was repeated, or put to another model, nobody has kept.
func (t *modelTurn) export(request *model.Request, reply model.Reply, err error, r *journal.Record) {
	request.Model = t.run.meant(request.Model)
	if attemptsOf(r) == 0 {
		return // a budget was spent
	}
	if lost := failuresOf(r); lost != nil {
		t.exportFailures(request, lost)
		if err == nil {
			t.run.recorder.Record(t.Address(), request, reply, nil)
		}

		return
	}
	var all *model.FallbackError
	if !errors.As(err, &all) {
		t.exportFailing(request, reply, err)

		return
	}
	for _, tried := range all.Tried {
		choice := *request.Model
		choice.Name = tried.Model
		request.Model = &choice
		t.exportFailing(request, model.Reply{}, tried.Err)
	}
}

// exportFailing records a call, as often as it is made until it is given up.
func (t *modelTurn) exportFailing(request *model.Request, reply model.Reply, err error) {
	for attempt := 1; ; attempt++ {
		t.run.recorder.Record(t.Address(), request, reply, err)
		if t.run.engine.config.Retry.repeats(err, attempt) == nil {
			return
		}
	}
}
