package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// resumeInBackground continues a run in the background, on behalf of from. The error is why it does
// not continue.
func (s *Server) resumeInBackground(run string, from origin, o core.ResumeOptions) error {
	before := s.countProcesses(run)
	j, err := s.newJob(run, from.by, s.program, false)
	if err != nil {
		return err
	}
	go s.runJob(j, goOn(from, o))
	if err := j.waitForBegin(); err != nil && s.countProcesses(run) == before {
		return err
	}

	return nil // one that has ended as it did before has nothing new to say, but has gone on
}

// countProcesses returns how many processes have worked on a run.
func (s *Server) countProcesses(run string) int {
	h, err := s.histories.readHead(s.ctx, s.store, run)
	if err != nil {
		return 0 // an attempt to continue it reports the problem
	}

	return h.processes
}

// traceOf is where in a distributed trace a request is; "" if it does not say.
func traceOf(r *http.Request) string { return r.Header.Get("Traceparent") }

func originOf(r *http.Request) origin { return origin{callerOf(r).Name(), traceOf(r)} }

func (s *Server) resumeRun(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	in, err := readBody[wire.Resume](w, r)
	if err != nil {
		return err
	}
	defer s.lockRun(run)()
	t, status, err := s.readRun(r.Context(), run)
	if err != nil {
		return err
	}
	for _, right := range access.ResumeRights(t.WasCancelled(), in.ForceShape) {
		if err := s.permitRun(r.Context(), callerOf(r), run, right); err != nil {
			return err
		}
	}
	switch {
	case status == client.Done:
		return s.answerWith(w, r, http.StatusOK, run, nil)
	}
	if err := s.resumeInBackground(run, originOf(r), core.ResumeOptions{ForceShape: in.ForceShape}); err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusOK, run, nil)
}

func (s *Server) serveAnswer(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	in, err := readBody[client.Reply](w, r)
	if err != nil {
		return err
	}
	in.Run = run
	problem, err := s.answerQuestion(r.Context(), callerOf(r), traceOf(r), in)
	if err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusOK, run, problem)
}

// answerQuestion records an answer of the caller, and resumes the run if it should, on behalf of from, a place in a trace. problem is why it does
// not resume. Errors: *access.RightError, *requestError for the name of another, those of [core.Engine.Answer].
func (s *Server) answerQuestion(ctx context.Context, who access.Caller, from string, in client.Reply) (problem, err error) {
	run := in.Run
	if err := s.permitRun(ctx, who, run, access.Answer); err != nil {
		return nil, err
	}
	by, err := checkBy(who, in.By)
	if err != nil {
		return nil, err
	}
	defer s.lockRun(run)()
	id := in.Question
	if in.Address != "" {
		id += "#" + in.Address
	}
	engine := s.idle
	j := s.jobOf(run)
	if j != nil {
		engine = j.engine // other branches may be at work
	}
	stayPaused := in.Resume != nil && !*in.Resume
	permit := func(question string) error { return who.Check(access.Answer, access.Target{Question: question}) }
	given := question.Given{
		Run: run, Question: id, Value: string(in.Value), By: by, StayPaused: stayPaused, Permit: permit,
	}
	if err := s.recordAnswer(ctx, engine, given); err != nil {
		return nil, err
	}
	s.log.Info("question answered", logFields("run", run, "question", in.Question, "by", by)...)
	switch {
	case stayPaused:
		return nil, nil
	case j != nil && j.goOnAgain(origin{by, from}):
		return nil, nil
	case j != nil:
		<-j.done
	}
	err = s.resumeInBackground(run, origin{by, from}, core.ResumeOptions{})
	if err == nil || errors.Is(err, journal.ErrRunLocked) {
		return nil, nil // another process resumes it, or judges another answer: then the next search finds the run
	}

	return core.NotResumed(err), nil
}

// A process also owns a run while it judges an answer. So an answer to a run that is owned is tried again for some time.
const (
	answerRetryTime  = 2 * time.Second
	answerRetryPause = 20 * time.Millisecond
)

// recordAnswer records an answer, and waits a short time for the run if another process owns it.
func (s *Server) recordAnswer(ctx context.Context, engine *core.Engine, a question.Given) error {
	for deadline := time.Now().Add(answerRetryTime); ; {
		err := engine.RecordAnswer(ctx, s.program, a)
		if !errors.Is(err, journal.ErrRunLocked) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(answerRetryPause):
		}
	}
}

func (s *Server) serveCancel(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	if err := s.cancelRun(r.Context(), callerOf(r), run); err != nil {
		return err
	}

	return s.answerWith(w, r, http.StatusAccepted, run, nil)
}

// cancelRun ends a run, as [core.Engine.Cancel] does: a run that this server executes ends at its next safe point or, at
// the second request, at once. Errors: *access.RightError, those of [core.Engine.Cancel].
func (s *Server) cancelRun(ctx context.Context, who access.Caller, run string) error {
	if err := s.permitRun(ctx, who, run, access.Cancel); err != nil {
		return err
	}
	by := who.Name()
	defer s.lockRun(run)()
	engine := s.idle
	switch j := s.jobOf(run); {
	case j == nil:
	case j.hasPlace() && j.stop.Requested(): // it is to end already, and a caller will not wait for that
		j.stop.Now(&runtime.CancelledError{By: by, Reason: "at once"})
		return nil
	case j.hasPlace():
		engine = j.engine
	default:
		j.stop.Now(&runtime.CancelledError{By: by})
		<-j.done // it has not begun to be worked on
	}

	isLeft := engine == s.idle
	if isLeft {
		owned, err := s.store.Owned(ctx, run)
		isLeft = !owned && err == nil // else the process that has it reports its end
	}
	err := engine.Cancel(ctx, s.program, run, by)
	if err == nil && isLeft {
		s.reportCancelled(ctx, run, by)
	}

	return err
}

func (s *Server) sendSignal(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	in, err := readBody[wire.Signal](w, r)
	if err != nil {
		return err
	}
	if in.Kind == "" {
		return newRequestError(http.StatusBadRequest, "BodyError", "kind is missing: it names what has happened")
	}
	j := s.jobOf(run)
	if j == nil {
		if _, _, err := s.readRun(r.Context(), run); err != nil {
			return err
		}
		return newRequestError(http.StatusConflict, "NotRunningError", "run %s is not at work here, and receives no signals", run)
	}
	who := callerOf(r)
	may := func(machine string) bool { return who.Check(access.Fire, access.Target{Machine: machine}) == nil }
	if !j.signals.SendTo(signals.Signal{Kind: in.Kind, Value: in.Value}, may) {
		const text = "no machine of run %s that the caller may signal has a rule for %q in its state"
		return newRequestError(http.StatusConflict, "SignalError", text, run, in.Kind)
	}

	return writeJSON(w, http.StatusAccepted, wire.Taken{Taken: true})
}

func (s *Server) serveFork(w http.ResponseWriter, r *http.Request) error {
	run := r.PathValue("run")
	in, err := readBody[wire.Fork](w, r)
	if err != nil {
		return err
	}
	o := core.ForkOptions{Reply: replyOf(in.Reply), By: callerOf(r).Name(), StayPaused: in.Resume != nil && !*in.Resume}
	fork, err := s.forkRun(r.Context(), run, in, o)
	if err != nil {
		return err
	}
	s.log.Info("run forked", logFields("run", fork, "from", run, "at", in.At, "by", o.By)...)
	var problem error
	if !o.StayPaused {
		problem = s.resumeInBackground(fork, originOf(r), core.ResumeOptions{})
	}

	return s.answerWith(w, r, http.StatusCreated, fork, problem)
}

// forkRun makes the copy of a run.
func (s *Server) forkRun(ctx context.Context, run string, in wire.Fork, o core.ForkOptions) (fork string, err error) {
	switch {
	case in.At == "" && !in.Changed:
		return "", newRequestError(http.StatusBadRequest, "BodyError", "at is missing, the address of an effect; or changed")
	case !in.Changed:
		return s.idle.Fork(ctx, s.program, run, in.At, o)
	case in.At != "" || in.Reply != nil:
		return "", newRequestError(http.StatusBadRequest, "BodyError", "changed excludes at and reply")
	}
	fork, _, err = s.idle.ForkChanged(ctx, s.program, run, o)

	return fork, err
}

// replyOf is a reply as engines take it: text as it is, anything else as JSON; nil without one.
func replyOf(given json.RawMessage) []byte {
	var text string
	if json.Unmarshal(given, &text) == nil {
		return []byte(text)
	}

	return given
}
