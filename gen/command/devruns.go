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

// devRun is what agentc dev reads of a run.
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

// ask makes a request of the program that serves.
func (d *dev) ask(ctx context.Context, method, path string, body, reply any) error {
	switch {
	case d.server == nil && d.serving != nil && !d.busy:
		return errEnded
	case d.server == nil:
		return errNotBuilt
	}
	ctx, cancel := context.WithTimeout(ctx, longestStart)
	defer cancel()

	return d.server.ask(ctx, method, path, body, reply)
}

// newest is the run that was started last, of the agent that --agent names; nil if there is none.
func (d *dev) newest(ctx context.Context) (*devRun, error) {
	var list struct{ Runs []devRun }
	query := "runs?limit=1"
	if agent := d.p.chosen(d.c); agent != "" {
		query += "&agent=" + url.QueryEscape(agent)
	}
	if err := d.ask(ctx, "GET", query, nil, &list); err != nil || len(list.Runs) == 0 {
		return nil, err
	}
	run := &devRun{}

	return run, d.ask(ctx, "GET", "runs/"+list.Runs[0].Run, nil, run)
}

// begin is what follows the first start of a program: the task of the command line is run, or the
// newest run shown.
func (d *dev) begin(ctx context.Context) {
	d.say("%s", d.usage)
	if d.task != nil {
		task := *d.task
		d.task = nil
		d.run(ctx, &devRun{Agent: d.p.chosen(d.c), Input: task})
		return
	}
	if last, err := d.newest(ctx); err == nil && last != nil {
		d.say("run %s: %s", last.Run, last.Status)
		d.page.change(func(s *devState) { s.Run = last.Run })
	}
}

// run starts a run.
func (d *dev) run(ctx context.Context, like *devRun) {
	started := devRun{}
	body := devRun{Agent: like.Agent, Input: like.Input, Context: like.Context}
	if err := d.ask(ctx, "POST", "runs", body, &started); err != nil {
		d.fail(err)
		return
	}
	d.follow(ctx, &started)
}

// goOn continues the newest run as an edit has it, from the first effect that the edit changes.
func (d *dev) goOn(ctx context.Context) {
	last, err := d.newest(ctx)
	if err == nil && last == nil {
		return
	}
	if err == nil {
		d.fork(ctx, last.Run, map[string]any{"changed": true})
		return
	}
	d.fail(err)
}

// fork makes a copy of a run that goes on.
func (d *dev) fork(ctx context.Context, run string, how map[string]any) {
	copied := devRun{}
	if err := d.ask(ctx, "POST", "runs/"+run+"/forks", how, &copied); err != nil {
		d.fail(fmt.Errorf("run %s does not go on: %w; r runs its task again", run, err))
		return
	}
	d.follow(ctx, &copied)
}

// follow shows a run and prints what happens in it.
func (d *dev) follow(ctx context.Context, run *devRun) {
	d.page.change(func(s *devState) { s.Run, s.Effects = run.Run, "" })
	d.say("run %s", run.Run)
	d.unfollow()
	var following context.Context
	following, d.unfollow = context.WithCancel(ctx)
	server := d.server
	d.beside(func() {
		effects := &devEffects{begun: run.Begun}
		err := server.events(following, run.Run, func(e map[string]any) {
			if line := effects.add(e); line != "" {
				d.say("%s", line)
			}
		})
		if err == nil {
			err = server.ask(following, "GET", "runs/"+run.Run, nil, run)
		}
		if following.Err() != nil || err != nil && server.hasEnded() { // then watchEnd reports it
			return
		}
		d.work <- func(context.Context) {
			if err != nil {
				d.fail(err)
				return
			}
			d.page.change(func(s *devState) { s.Effects = effects.String() })
			d.ended(run, effects)
		}
	})
}

// ended says how a run has ended, or what it waits for.
func (d *dev) ended(run *devRun, effects *devEffects) {
	d.say("%s: %s", run.Status, effects)
	switch {
	case len(run.Questions) > 0:
		for _, q := range run.Questions {
			d.say("%s #%s: %s", q.ID, q.Address, q.Prompt)
		}
	case run.Problem.Message != "":
		d.say("%s", run.Problem.Message)
	default:
		d.say("%s", strings.TrimSpace(run.Result.Value))
	}
}

// events calls seen with each event of a run until it ends or pauses.
func (s *devServer) events(ctx context.Context, run string, seen func(map[string]any)) error {
	response, err := s.request(ctx, "GET", "runs/"+run+"/events?from=1", nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for lines := bufio.NewReader(response.Body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil // it has ended, or the server has: the run says which
		}
		var e map[string]any
		if json.Unmarshal(line, &e) == nil {
			seen(e)
		}
	}
}

// devEffects counts the effects of a run: those that were replayed, and those that were carried
// out.
type devEffects struct {
	// begun is when the run began; what is older was copied into it.
	begun           time.Time
	replayed, fresh int
	cost            float64
}

// add counts an event and returns the line that says what happened; "" for what was replayed, or is
// not worth a line.
func (n *devEffects) add(e map[string]any) string {
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

// String says what the run has cost.
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

// answer answers the first question of a run.
func (d *dev) answer(ctx context.Context, run *devRun, text string) {
	if len(run.Questions) == 0 {
		d.say("run %s has no open question", run.Run)
		return
	}
	q := run.Questions[0]
	body := map[string]any{"question": q.ID, "address": q.Address, "value": text}
	if err := d.ask(ctx, "POST", "runs/"+run.Run+"/answers", body, run); err != nil {
		d.fail(err)
		return
	}
	d.follow(ctx, run)
}
