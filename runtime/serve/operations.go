package serve

import (
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"net/http"
	"strings"
)

// operation is something that the server can be asked for. Requests are routed by these, and the description is made of them.
type operation struct {
	method, path string
	id           string
	summary      string
	query        []parameter
	header       []parameter
	// body is a value of the type that a request has to hold; nil for none.
	body any
	// replies are those of this operation alone: see all.
	replies []reply
	// open says that no credential is needed.
	open bool
	// streams says that the reply is a stream of events.
	streams bool
	// pages says that the reply is a part of a list, and says where the next is.
	pages  bool
	handle func(s *Server, w http.ResponseWriter, r *http.Request) error
}

// parameter is one of the query or of the head.
type parameter struct {
	name, doc string
	integer   bool
	values    []string
}

// reply is a status that an operation can answer with.
type reply struct {
	status int
	doc    string
	// body is a value of the type that is answered; nil: a Problem.
	body any
}

var operations = []operation{
	{
		method: http.MethodGet, path: "/health", id: "health", summary: "Find out whether the server answers", open: true,
		replies: []reply{{http.StatusOK, "It does.", wire.Health{}}},
		handle:  (*Server).health,
	},
	{
		method: http.MethodGet, path: "/ready", id: "ready", summary: "Find out whether runs can start, and what is missing", open: true,
		replies: []reply{
			{http.StatusOK, "They can.", wire.Ready{}},
			{http.StatusServiceUnavailable, "They cannot: something is missing, or the server is closing.", wire.Ready{}},
		},
		handle: (*Server).ready,
	},
	{
		method: http.MethodGet, path: "/openapi.json", id: "describe", summary: "Read this description",
		replies: []reply{{http.StatusOK, "An OpenAPI description.", wire.Document{}}},
		handle:  (*Server).describe,
	},
	{
		method: http.MethodGet, path: "/agents", id: "listAgents", summary: "List what can be started",
		replies: []reply{{http.StatusOK, "The agents and workflows.", wire.Agents{}}},
		handle:  (*Server).listAgents,
	},
	{
		method: http.MethodPost, path: "/runs", id: "startRun", summary: "Start a run", body: wire.Start{},
		replies: []reply{
			{http.StatusCreated, "The run is recorded, and goes on whatever becomes of this connection.", wire.Run{}},
			{http.StatusConflict, "There is a run with that id.", nil},
			{http.StatusUnprocessableEntity, "The run cannot be started: no such agent, a context or an id that does not fit, a model, " +
				"key or variable that is missing.", nil},
			{http.StatusTooManyRequests, "As many runs as the server allows are at work.", nil},
			closingReply, storeReply,
		},
		handle: (*Server).startRun,
	},
	{
		method: http.MethodGet, path: "/runs", id: "listRuns", summary: "List the runs, the last ids first",
		query: []parameter{
			{name: "status", doc: "only runs with that status", values: statuses},
			{name: "agent", doc: "only runs of this agent"},
			{name: "since", doc: "only runs that were started at this time or later, as in 2026-11-23T12:00:00Z"},
			{name: "before", doc: "only runs whose ids come before this one, which is not among them"},
			{name: "limit", doc: "how many at most, 1 to 1000; 100 without", integer: true},
		},
		pages: true, replies: []reply{{http.StatusOK, "The runs.", wire.Runs{}}, storeReply},
		handle: (*Server).listRuns,
	},
	{
		method: http.MethodGet, path: "/runs/{run}", id: "showRun", summary: "Show a run: where it is, its questions, its result",
		replies: []reply{{http.StatusOK, "The run.", wire.Run{}}, storeReply},
		handle:  (*Server).showRun,
	},
	{
		method: http.MethodGet, path: "/runs/{run}/page", id: "showPage", summary: "Read a run as the page at / shows it; its form may change",
		query:   []parameter{{name: "has", doc: "what the last reply says that the page has; without it the reply is complete"}},
		replies: []reply{{http.StatusOK, "The run with all that it did.", wire.Document{}}, storeReply},
		handle:  (*Server).showPage,
	},
	{
		method: http.MethodGet, path: "/runs/{run}/events", id: "streamEvents", streams: true,
		summary: "Stream what happens in a run: what is recorded, and then what comes, until it ends or pauses",
		query:   []parameter{{name: "from", doc: "the number of the first event; 1 without", integer: true}},
		header: []parameter{
			{name: "Last-Event-ID", doc: "what a browser that connects again sends: the last number that it has", integer: true},
		},
		replies: []reply{
			{http.StatusOK, "The events, one a line. Deltas are not recorded: they come while they arise.", wire.Event{}},
			{http.StatusNoContent, "The run is over and the browser that connects again has all of its events.", nothing{}},
			{http.StatusNotAcceptable, "The events can be had in neither of the forms that are accepted.", nil}, storeReply,
			{http.StatusTooManyRequests, "As many clients as the server allows read events.", nil},
		},
		handle: (*Server).streamEvents,
	},
	{
		method: http.MethodPost, path: "/runs/{run}/answers", id: "answerQuestion", summary: "Answer a question", body: wire.Reply{},
		replies: []reply{
			{http.StatusOK, "The answer is recorded, and counts.", wire.Run{}},
			{http.StatusConflict, "The question has been answered, and the first answer counts; or the run has ended.", nil},
			{http.StatusUnprocessableEntity, "The answer does not fit; the question stays open.", nil}, storeReply,
		},
		handle: (*Server).answerQuestion,
	},
	{
		method: http.MethodPost, path: "/runs/{run}/resume", id: "resumeRun", summary: "Resume a run", body: wire.Resume{},
		replies: []reply{
			{http.StatusOK, "The run goes on. One that is done stays as it is.", wire.Run{}},
			{http.StatusConflict, "The run is at work, was begun by another program or by one of another shape, or was cancelled.", nil},
			{http.StatusUnprocessableEntity, "The run cannot go on: a model, key or variable is missing.", nil},
			closingReply, storeReply,
		},
		handle: (*Server).resumeRun,
	},
	{
		method: http.MethodPost, path: "/runs/{run}/cancel", id: "cancelRun",
		summary: "Cancel a run at its next safe point; the second time at once",
		replies: []reply{
			{http.StatusAccepted, "The run stops, or has stopped.", wire.Run{}},
			{http.StatusConflict, "The run has ended.", nil}, storeReply,
		},
		handle: (*Server).cancelRun,
	},
	{
		method: http.MethodPost, path: "/runs/{run}/signals", id: "sendSignal", body: wire.Signal{},
		summary: "Send a signal to the machines of a run",
		replies: []reply{
			{http.StatusAccepted, "A machine has a rule for it, which is asked at the machine's next safe point.", wire.Taken{}},
			{http.StatusConflict, "The run is not at work here, or no machine has a rule for the signal in its state.", nil},
			storeReply,
		},
		handle: (*Server).sendSignal,
	},
	{
		method: http.MethodPost, path: "/runs/{run}/forks", id: "forkRun", body: wire.Fork{},
		summary: "Make a copy of a run that goes on from a place in the past with another reply",
		replies: []reply{
			{http.StatusCreated, "The copy is made.", wire.Run{}},
			{http.StatusConflict, "The run was begun by another program.", nil},
			{http.StatusUnprocessableEntity, "There is no such place, or the reply does not fit it.", nil}, storeReply,
		},
		handle: (*Server).forkRun,
	},
}

var (
	closingReply = reply{http.StatusServiceUnavailable, "The server is closing, and starts nothing new.", nil}
	storeReply   = reply{http.StatusInternalServerError, "The store cannot be read or written.", nil}
)

var statuses = []string{
	string(wire.Queued), string(wire.Running), string(wire.Paused), string(wire.Done), string(wire.Failed), string(wire.Cancelled), string(wire.Interrupted),
	string(wire.Quarantined), string(wire.Damaged),
}

// nothing is the body of a reply that has none.
type nothing struct{}

// all are the replies of an operation with those that come of how it can be asked.
func (o *operation) all() []reply {
	all := append([]reply(nil), o.replies...)
	if len(o.query) > 0 || o.body != nil {
		all = append(all, reply{http.StatusBadRequest, "The request cannot be read.", nil})
	}
	if !o.open {
		all = append(all, reply{http.StatusUnauthorized, "A valid bearer token is needed, and there is none.", nil})
	}
	all = append(all, reply{http.StatusForbidden, "A page of another site asks, or the credential is of another caller than `by` says.", nil})
	if o.ofRun() {
		all = append(all, reply{http.StatusNotFound, "There is no such run or question.", nil})
	}
	if o.body != nil {
		all = append(all,
			reply{http.StatusRequestEntityTooLarge, "The body is too large.", nil},
			reply{http.StatusUnsupportedMediaType, "The body is not application/json.", nil})
	}

	return all
}

// ofRun says that the operation is about one run.
func (o *operation) ofRun() bool {
	return strings.HasPrefix(o.path, runPath)
}

const runPath = "/runs/{run}"
