package main

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// desk answers the tickets of customers. Each is a run of the agent, with the id that the customer's program has chosen: a ticket that is
// sent twice is answered once.
type desk struct {
	runs client.Client
	log  *slog.Logger
}

// ticket is what a customer sees of a run.
type ticket struct {
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Status   client.Status `json:"status"`
	// Asks is what a person is asked; "" if nothing is.
	Asks   string `json:"asks,omitempty"`
	Answer string `json:"answer,omitempty"`
}

func ticketOf(run *client.Run) ticket {
	t := ticket{ID: run.ID, Question: run.Input, Status: run.Status}
	if len(run.Questions) > 0 {
		t.Asks = run.Questions[0].Prompt
	}
	if run.Result != nil {
		t.Answer = run.Result.Value
	}

	return t
}

// routes are what the service does over HTTP.
func (d *desk) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /tickets", d.post)
	mux.HandleFunc("GET /tickets", d.list)
	mux.HandleFunc("GET /tickets/{id}", d.get)
	mux.HandleFunc("POST /tickets/{id}/answer", d.answer)
}

func (d *desk) post(w http.ResponseWriter, r *http.Request) {
	var in ticket
	if !read(w, r, &in) {
		return
	}
	if in.Question == "" {
		http.Error(w, "question is missing", http.StatusBadRequest)
		return
	}
	run, err := d.runs.Start(r.Context(), client.Start{Run: in.ID, Input: in.Question})
	d.reply(w, http.StatusCreated, run, err)
}

// list lists the newest tickets, or with ?status=paused those that wait for a person.
func (d *desk) list(w http.ResponseWriter, r *http.Request) {
	list, err := d.runs.List(r.Context(), client.List{Status: client.Status(r.FormValue("status"))})
	if err != nil {
		d.refuse(w, err)
		return
	}
	tickets := []ticket{}
	for _, run := range list.Runs {
		tickets = append(tickets, ticketOf(&run))
	}
	write(w, http.StatusOK, tickets)
}

func (d *desk) get(w http.ResponseWriter, r *http.Request) {
	run, err := d.runs.Get(r.Context(), r.PathValue("id"))
	d.reply(w, http.StatusOK, run, err)
}

// answer takes down what a person says to the question of a ticket, and its run goes on.
func (d *desk) answer(w http.ResponseWriter, r *http.Request) {
	var in client.Reply
	if !read(w, r, &in) {
		return
	}
	in.Run = r.PathValue("id")
	run, err := d.runs.Answer(r.Context(), in)
	d.reply(w, http.StatusAccepted, run, err)
}

func (d *desk) reply(w http.ResponseWriter, status int, run *client.Run, err error) {
	if err != nil {
		d.refuse(w, err)
		return
	}
	write(w, status, ticketOf(run))
}

// statuses are those of the errors that are the caller's.
var statuses = map[string]int{
	"UnknownRunError": http.StatusNotFound, "UnknownQuestionError": http.StatusNotFound, "RunExistsError": http.StatusConflict,
	"AnsweredError": http.StatusConflict, "RunEndedError": http.StatusConflict, "AnswerError": http.StatusUnprocessableEntity,
	"RunNameError": http.StatusUnprocessableEntity, "QueryError": http.StatusBadRequest,
}

func (d *desk) refuse(w http.ResponseWriter, err error) {
	if status := statuses[runtime.ErrorType(err)]; status != 0 {
		http.Error(w, err.Error(), status)
		return
	}
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
