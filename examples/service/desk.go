package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"

	"github.com/agentc-dev/agentc/examples/service/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// The statuses of a ticket.
const (
	working  = "working"
	waiting  = "waiting" // for a person
	answered = "answered"
	failed   = "failed"
)

// desk answers the tickets of customers: each is one run of the agent, whose id is made of the ticket's.
type desk struct {
	// ctx ends the runs that are at work; they are resumed by the next process.
	ctx  context.Context
	db   *sql.DB
	app  *agents.App
	runs journal.Store
	log  *slog.Logger
	busy sync.WaitGroup
}

// ticket is what a customer sees.
type ticket struct {
	ID       int64  `json:"id"`
	Question string `json:"question"`
	Status   string `json:"status"`
	// Text is the answer, what a person is asked, or what went wrong.
	Text string `json:"text,omitempty"`
}

func runID(id int64) string { return fmt.Sprintf("ticket-%d", id) }

// engine runs the agent for a ticket.
func (d *desk) engine(id int64) *engine.Engine {
	return engine.New(engine.Options{
		Store:     d.runs,
		RunID:     func() string { return runID(id) },
		Observers: []event.Observer{observer{d.log.With("run", runID(id))}},
	})
}

// observer writes what happens in a run into the service's log.
type observer struct{ log *slog.Logger }

func (o observer) Observe(e event.Event) {
	o.log.Debug(string(e.Kind), "agent", e.Agent, "name", e.Name, "key", e.Key, "problem", e.Problem)
}

// start runs the agent for a new ticket.
func (d *desk) start(id int64, question string) {
	d.work(id, func(e *engine.Engine) (runtime.Finish, error) { return d.begin(e, question) })
}

// begin runs the agent from its beginning. It has a single final key, which is of no interest here.
func (d *desk) begin(e *engine.Engine, question string) (runtime.Finish, error) {
	fin, err := d.app.Desk(d.ctx, e, question)

	return fin.Finish, err
}

// resume continues the run of a ticket from where its journal ends. Where a process died before the first record was kept, nothing was
// done, and the run starts.
func (d *desk) resume(t ticket) {
	d.work(t.ID, func(e *engine.Engine) (runtime.Finish, error) {
		fin, err := e.Resume(d.ctx, d.app.Program(), runID(t.ID))
		if errors.Is(err, journal.ErrNotBegun) {
			if err := d.runs.Remove(d.ctx, runID(t.ID)); err != nil {
				return runtime.Finish{}, err
			}
		} else if !errors.Is(err, journal.ErrUnknownRun) {
			return fin, err
		}

		return d.begin(e, t.Question)
	})
}

// work lets a run work in the background, and keeps how it came out.
func (d *desk) work(id int64, run func(*engine.Engine) (runtime.Finish, error)) {
	d.busy.Go(func() {
		fin, err := run(d.engine(id))
		var paused *runtime.PausedError
		switch {
		case errors.As(err, &paused):
			d.set(id, waiting, paused.Question.Prompt)
		case d.ctx.Err() != nil: // still working: the next process resumes it
		case err != nil:
			d.set(id, failed, err.Error())
		default:
			d.set(id, answered, fin.Value)
		}
	})
}

func (d *desk) set(id int64, status, text string) {
	if _, err := d.db.Exec(`UPDATE tickets SET status = ?, text = ? WHERE id = ?`, status, text, id); err != nil {
		d.log.Error("a ticket could not be written", "id", id, "error", err)
	}
}

// resumeAll resumes the runs that had not ended when the last process did, however that was. One that still waits for an answer
// pauses again, at no cost.
func (d *desk) resumeAll() error {
	rows, err := d.db.Query(`SELECT id, question FROM tickets WHERE status IN (?, ?)`, working, waiting)
	if err != nil {
		return err
	}
	defer rows.Close()
	var all []ticket
	for rows.Next() {
		var t ticket
		if err := rows.Scan(&t.ID, &t.Question); err != nil {
			return err
		}
		all = append(all, t)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, t := range all {
		d.resume(t)
	}

	return nil
}

// routes are what the service does over HTTP.
func (d *desk) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /tickets", d.post)
	mux.HandleFunc("GET /tickets/{id}", d.get)
	mux.HandleFunc("POST /tickets/{id}/answer", d.answer)
}

func (d *desk) post(w http.ResponseWriter, r *http.Request) {
	var in struct{ Question string }
	if !read(w, r, &in) {
		return
	}
	if in.Question == "" {
		http.Error(w, "question is missing", http.StatusBadRequest)
		return
	}
	t := ticket{Question: in.Question, Status: working}
	err := d.db.QueryRowContext(r.Context(), `INSERT INTO tickets (question, status, text) VALUES (?, ?, '') RETURNING id`, t.Question, t.Status).
		Scan(&t.ID)
	if err != nil {
		d.problem(w, err)
		return
	}
	d.start(t.ID, t.Question)
	write(w, http.StatusCreated, t)
}

func (d *desk) get(w http.ResponseWriter, r *http.Request) {
	if t, ok := d.find(w, r); ok {
		write(w, http.StatusOK, t)
	}
}

// answer takes down what a person says to the question of a ticket, and resumes its run.
func (d *desk) answer(w http.ResponseWriter, r *http.Request) {
	t, ok := d.find(w, r)
	var in struct{ Value, By string }
	if !ok || !read(w, r, &in) {
		return
	}
	eng, program := d.engine(t.ID), d.app.Program()
	open, err := eng.Questions(r.Context(), program, runID(t.ID))
	if err == nil && len(open) == 0 {
		http.Error(w, "the ticket is not waiting for an answer", http.StatusConflict)
		return
	}
	if err == nil {
		err = eng.Answer(r.Context(), program, runID(t.ID), open[0].Name(open), in.Value, in.By)
	}
	var refused *runtime.AnswerError
	if errors.As(err, &refused) {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if err != nil {
		d.problem(w, err)
		return
	}
	d.set(t.ID, working, "")
	d.resume(t)
	w.WriteHeader(http.StatusAccepted)
}

// find reads the ticket that a request names; ok is false once the request was answered.
func (d *desk) find(w http.ResponseWriter, r *http.Request) (t ticket, ok bool) {
	t.ID, _ = strconv.ParseInt(r.PathValue("id"), 10, 64)
	err := d.db.QueryRowContext(r.Context(), `SELECT question, status, text FROM tickets WHERE id = ?`, t.ID).
		Scan(&t.Question, &t.Status, &t.Text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		http.NotFound(w, r)
	case err != nil:
		d.problem(w, err)
	}

	return t, err == nil
}

// problem answers a request that failed for a reason that is not the caller's.
func (d *desk) problem(w http.ResponseWriter, err error) {
	d.log.Error("a request failed", "error", err)
	http.Error(w, "it did not work; the log of the service says why", http.StatusInternalServerError)
}

// read decodes the body of a request; false once it was refused.
func read(w http.ResponseWriter, r *http.Request, to any) bool {
	const most = 64 << 10 // bytes
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, most)).Decode(to); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}

	return true
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the caller went away
}
