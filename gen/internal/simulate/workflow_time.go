package simulate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// A script takes no time but that of waits, which is known, and the answer that a question has no
// answer in time. So the time of a step is over on paths that wait for longer inside of it, and on
// those that leave a question open. Such a path leaves everything inside of the step, as one of
// [interp.Ends] that has returned.

// deadline is the end of the time of a step.
type deadline struct {
	// task is the step; nil without one.
	task *ir.Task
	// left is how much of the time is left.
	left time.Duration
	// isOutside is set if the step is around a branch in which the path is.
	isOutside bool
}

// nextDeadline returns the next deadline of the steps around a path: of several the outermost.
func (p *workPath) nextDeadline() deadline {
	var next deadline
	isOutside := false
	for f := p.frame; f != nil; f = f.outer {
		isOutside = isOutside || f.isApart
		if !f.hasDeadline() {
			continue
		}
		t := f.subject.(*ir.Task)
		left := t.Within - (p.waited - f.waited)
		if next.task == nil || left <= next.left {
			next = deadline{t, left, isOutside}
		}
	}

	return next
}

// hasDeadline reports whether the frame is an attempt of a step whose time is limited, and not its
// fallback.
func (f *frame) hasDeadline() bool {
	t, isTask := f.subject.(*ir.Task)

	return isTask && t.Within > 0 && f.attempt <= t.Retries+1
}

// timeKey distinguishes paths with deadlines by the time of their waits.
func (p *workPath) timeKey() string {
	if p.waited == 0 {
		return ""
	}

	return strconv.FormatInt(int64(p.waited), 36)
}

// wait returns the paths after a wait, and those on which the time of a step is over before. In a
// branch of such a step it is not known which of the branches ends it, so that such a path is not
// followed.
func (s *workSearch) wait(t *ir.Task, do *ir.PassOn, in paths) (e ends) {
	for _, p := range in {
		next, until := *p, p.nextDeadline()
		length, isOpen, err := p.run.waitLength(do)
		switch {
		case err != nil:
			e.Failed = append(e.Failed, s.failForValue(t, p, err))
		case isOpen || length == 0 || until.task == nil:
			e.Done = append(e.Done, p.asOpenIf(isOpen))
		case length < until.left:
			next.waited += length
			e.Done = append(e.Done, &next)
		case until.isOutside:
			s.n.cut = tooMany
		default:
			e.Returned = append(e.Returned, next.runOutOfTime(until.task))
		}
	}

	return e
}

// WaitBetween returns the failed paths after the wait before the next attempt of a task, and those
// on which the time of a step is over before.
func (s *workSearch) WaitBetween(t *ir.Task, failed paths) (waited, late paths) {
	for _, p := range failed {
		next, until := *p, p.nextDeadline()
		attempt := p.frameOf(t).attempt
		length := waitBefore(t, attempt)
		switch {
		case attempt > t.Retries || length == 0 || until.task == nil:
			waited = append(waited, p)
		case length < until.left:
			next.waited += length
			waited = append(waited, &next)
		case until.isOutside:
			s.n.cut = tooMany
		default:
			next.err = nil
			late = append(late, next.runOutOfTime(until.task))
		}
	}

	return waited, late
}

// waitBefore returns how long a script waits after a failed attempt: only a declared wait counts,
// which doubles with each attempt.
func waitBefore(t *ir.Task, attempt int) time.Duration {
	most := cmp.Or(t.MaxBackoff, max(defaultMaxBackoff, t.Backoff))
	length := t.Backoff
	for range attempt - 1 {
		if length >= most {
			break
		}
		length *= 2
	}

	return min(length, most)
}

// defaultMaxBackoff is the longest wait between attempts if no other one is declared.
const defaultMaxBackoff = 30 * time.Second

// waitLength returns how long a step waits. isOpen is true if only a run knows it: it depends on the
// run's values, or on its clock.
func (r *workRun) waitLength(do *ir.PassOn) (length time.Duration, isOpen bool, err error) {
	if do.WaitText == nil {
		return do.Wait, false, nil
	}
	text := r.render(do.WaitText.Parts)
	if strings.Contains(text, unknownMark) {
		return 0, true, nil
	}
	until, length, err := workflow.ParseWait(text)

	return length, !until.IsZero(), err
}

// runOutOfTime makes the path one on which the time of a step is over.
func (p *workPath) runOutOfTime(t *ir.Task) *workPath {
	p.lateTask = t

	return p
}

// addTimeouts adds the paths on which a question has no answer in time: they fail, or continue
// with the answer that the question has then, or the time of a step is over before.
func (s *workSearch) addTimeouts(t *ir.Task, do *ir.Ask, in paths, e ends) ends {
	for _, p := range in {
		until := p.nextDeadline()
		isLimited := until.task != nil && (do.Timeout == 0 || until.left <= do.Timeout)
		if do.Timeout == 0 && !isLimited {
			continue
		}
		late := p.clone().withItems(item{kind: kindAnswer, name: t.Name.Value, turn: Turn{Fails: true}})
		switch {
		case isLimited && until.isOutside: // it is not known which of the branches ends the step
		case isLimited:
			e.Returned = append(e.Returned, late.runOutOfTime(until.task))
		case do.CanTimeOut():
			err := &runtime.TimeoutError{What: "the answer to question " + t.Name.Value, After: do.Timeout}
			e.Failed = append(e.Failed, late.withError(err))
		default:
			late.value = parseValue(do.OnTimeout.Value)
			e.Done = append(e.Done, late.withCase(t, CaseTimeout, ""))
		}
	}

	return e
}

// Expire returns the paths on which the time of a task is over, after its last attempt. They fail,
// if the task has no output then.
func (s *workSearch) Expire(t *ir.Task, _ paths, e ends) (late paths, others ends) {
	isLate := func(p *workPath) bool { return p.lateTask == t }
	for _, p := range ir.Where(e.Returned, isLate) {
		next, f := *p, *p.frameOf(t)
		f.attempt = t.Retries + 1
		next.frame, next.run, next.value, next.lateTask = &f, f.run, f.value, nil
		if t.CanTimeOut() {
			next.failedTask = t
			next.err = s.stepError(t, next.run, &runtime.TimeoutError{What: "step " + strconv.Quote(t.Name.Value), After: t.Within})
		}
		late = append(late, &next)
	}
	e.Returned = slices.DeleteFunc(slices.Clone(e.Returned), isLate)

	return late, e
}
