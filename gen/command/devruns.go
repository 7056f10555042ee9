package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/event"
)

// devRun is a run as the server describes it.
type devRun struct {
	Run     string          `json:"run,omitempty"`
	Agent   string          `json:"agent,omitempty"`
	Input   string          `json:"input"`
	Context json.RawMessage `json:"context,omitempty"`
	Status  string          `json:"status,omitempty"`
	Begun   time.Time       `json:"begun,omitzero"`
	Problem struct {
		Message string `json:"message"`
	} `json:"problem,omitzero"`
	Questions []struct {
		ID      string `json:"question"`
		Address string `json:"address"`
		Prompt  string `json:"prompt"`
	} `json:"questions,omitempty"`
	Result struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"result,omitzero"`
}

var (
	errNotBuilt = errors.New("the program is not built yet")
	errEnded    = errors.New("the program is not running; save a file to build and start it again")
)

// callServer sends a request to the program that serves, and decodes its reply.
func (d *dev) callServer(ctx context.Context, method, path string, body, reply any) error {
	switch {
	case d.server == nil && d.serving != nil && !d.busy:
		return errEnded
	case d.server == nil:
		return errNotBuilt
	}
	ctx, cancel := context.WithTimeout(ctx, longestStart)
	defer cancel()

	return d.server.call(ctx, method, path, body, reply)
}

// newestRun returns the run that was started last, of the agent in --agent, or nil.
func (d *dev) newestRun(ctx context.Context) (*devRun, error) {
	var list struct{ Runs []devRun }
	query := "runs?limit=1"
	if agent := d.p.chosenAgent(d.c); agent != "" {
		query += "&agent=" + url.QueryEscape(agent)
	}
	if err := d.callServer(ctx, "GET", query, nil, &list); err != nil || len(list.Runs) == 0 {
		return nil, err
	}
	run := &devRun{}

	return run, d.callServer(ctx, "GET", "runs/"+list.Runs[0].Run, nil, run)
}

// showFirstRun is called after the first start of a program. It starts the task of the command
// line, or shows the newest run.
func (d *dev) showFirstRun(ctx context.Context) {
	d.printLine("%s", d.usage)
	if d.task != nil {
		task := *d.task
		d.task = nil
		d.startRun(ctx, &devRun{Agent: d.p.chosenAgent(d.c), Input: task})
		return
	}
	if last, err := d.newestRun(ctx); err == nil && last != nil {
		d.printLine("run %s: %s", last.Run, last.Status)
		d.page.updateState(func(s *devState) { s.Run = last.Run })
	}
}

// startRun starts a run.
func (d *dev) startRun(ctx context.Context, like *devRun) {
	started := devRun{}
	body := devRun{Agent: like.Agent, Input: like.Input, Context: like.Context}
	if err := d.callServer(ctx, "POST", "runs", body, &started); err != nil {
		d.showError(err)
		return
	}
	d.followRun(ctx, &started)
}

// continueNewestRun forks the newest run at the first effect that an edit changes.
func (d *dev) continueNewestRun(ctx context.Context) {
	last, err := d.newestRun(ctx)
	if err == nil && last == nil {
		return
	}
	if err == nil {
		d.forkRun(ctx, last.Run, map[string]any{"changed": true})
		return
	}
	d.showError(err)
}

// forkRun copies a run and continues the copy.
func (d *dev) forkRun(ctx context.Context, run string, options map[string]any) {
	copied := devRun{}
	if err := d.callServer(ctx, "POST", "runs/"+run+"/forks", options, &copied); err != nil {
		d.showError(fmt.Errorf("run %s cannot be continued: %w; r runs its task again", run, err))
		return
	}
	d.followRun(ctx, &copied)
}

// followRun shows a run and prints its events.
func (d *dev) followRun(ctx context.Context, run *devRun) {
	d.page.updateState(func(s *devState) { s.Run, s.Effects = run.Run, "" })
	d.printLine("run %s", run.Run)
	d.stopFollowing()
	var following context.Context
	following, d.stopFollowing = context.WithCancel(ctx)
	server := d.server
	d.startGuarded(func() {
		effects := &devEffects{begun: run.Begun}
		err := server.readEvents(following, run.Run, func(e map[string]any) {
			if line := effects.countEvent(e); line != "" {
				d.printLine("%s", line)
			}
		})
		if err == nil {
			err = server.call(following, "GET", "runs/"+run.Run, nil, run)
		}
		if following.Err() != nil || err != nil && server.hasEnded() { // in the last case restartWhenEnded reports it
			return
		}
		d.work <- func(context.Context) {
			if err != nil {
				d.showError(err)
				return
			}
			d.page.updateState(func(s *devState) { s.Effects = effects.String() })
			d.reportEnd(run, effects)
		}
	})
}

// reportEnd prints how a run has ended, or its open questions.
func (d *dev) reportEnd(run *devRun, effects *devEffects) {
	d.printLine("%s: %s", run.Status, effects)
	switch {
	case len(run.Questions) > 0:
		for _, q := range run.Questions {
			d.printLine("%s #%s: %s", q.ID, q.Address, q.Prompt)
		}
	case run.Problem.Message != "":
		d.printLine("%s", run.Problem.Message)
	default:
		d.printLine("%s", strings.TrimSpace(run.Result.Value))
	}
}

// readEvents calls observe with each event of a run until the run ends or pauses.
func (s *devServer) readEvents(ctx context.Context, run string, observe func(map[string]any)) error {
	response, err := s.sendRequest(ctx, "GET", "runs/"+run+"/events?from=1", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for lines := bufio.NewReader(response.Body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil // the run or the server has ended; the status of the run shows which
		}
		var e map[string]any
		if json.Unmarshal(line, &e) == nil {
			observe(e)
		}
	}
}

// devEffects counts the effects of a run, replayed and new ones separately.
type devEffects struct {
	// begun is when the run began; older events were copied into it.
	begun           time.Time
	replayed, fresh int
	cost            float64
}

// countEvent counts an event and returns a line that describes it, or "".
func (n *devEffects) countEvent(e map[string]any) string {
	text := func(name string) string { return fmt.Sprint(cmp.Or(e[name], any(""))) }
	kind := event.Kind(text("event"))
	isEffect := kind == event.Model || kind == event.Tool || kind == event.Answer
	if at, err := time.Parse(time.RFC3339Nano, text("time")); err == nil && at.Before(n.begun) {
		if isEffect {
			n.replayed++
		}
		return ""
	}
	if isEffect {
		n.fresh++
	}
	switch kind {
	case event.Model:
		if cost, ok := e["cost"].(float64); ok {
			n.cost += cost
		}
		return fmt.Sprintf("#%s model %s (%s)", text("address"), text("agent"), text("model"))
	case event.Tool:
		return fmt.Sprintf("#%s tool %s", text("address"), text("name"))
	case event.Answer:
		return fmt.Sprintf("#%s answer %s: %s", text("address"), text("question"), text("value"))
	case event.Retry, event.Repair:
		return fmt.Sprintf("#%s %s: %s%s", text("address"), kind, text("error"), text("problem"))
	case event.Transition:
		return fmt.Sprintf("%s: %s -%s-> %s", text("machine"), text("from"), text("key"), text("to"))
	}

	return ""
}

// String summarizes the effects and their cost.
func (n *devEffects) String() string {
	text := words.Count(n.fresh, "effect")
	if n.replayed > 0 {
		text += fmt.Sprintf(", %d replayed", n.replayed)
	}
	if n.cost > 0 {
		text += fmt.Sprintf(", $%.4f", n.cost)
	}

	return text
}

// answerQuestion answers the first question of a run.
func (d *dev) answerQuestion(ctx context.Context, run *devRun, text string) {
	if len(run.Questions) == 0 {
		d.printLine("run %s has no open question", run.Run)
		return
	}
	q := run.Questions[0]
	body := map[string]any{"question": q.ID, "address": q.Address, "value": text}
	if err := d.callServer(ctx, "POST", "runs/"+run.Run+"/answers", body, run); err != nil {
		d.showError(err)
		return
	}
	d.followRun(ctx, run)
}
