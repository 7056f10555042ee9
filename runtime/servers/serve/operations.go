package serve

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// openapi is the OpenAPI 3.1 description of a server for a program of the name APP. The tests hold each operation, and each reply, against
// it; go test ./runtime/servers/serve -update writes the schemas, of the Go types that are encoded.
//
//go:embed openapi.json
var openapi string

// operation is something that the server can be asked for. Requests are routed by these; what they take and give is in openapi.
type operation struct {
	method, path string
	needs        need
	handle       func(s *Server, w http.ResponseWriter, r *http.Request) error
	// query are the names of its parameters. One by another name is refused, unless it has none at all.
	query []string
}

var operations = []operation{
	{http.MethodGet, "/health", noToken, (*Server).serveHealth, nil},
	{http.MethodGet, "/ready", noToken, (*Server).serveReady, nil},
	{http.MethodGet, "/metrics", need(access.Read), (*Server).showMetrics, nil},
	{http.MethodGet, "/openapi.json", anyToken, (*Server).serveDescription, nil},
	{http.MethodGet, "/caller", anyToken, (*Server).showCaller, nil},
	{http.MethodGet, "/agents", anyToken, (*Server).listAgents, nil},
	{http.MethodPost, "/runs", need(access.Start), (*Server).serveStart, nil},
	{http.MethodGet, "/runs", anyToken, (*Server).serveRuns, []string{"status", "agent", "since", "before", "limit", "search"}},
	{http.MethodGet, "/runs/{run}", sight, (*Server).serveRun, nil},
	{http.MethodGet, "/runs/{run}/page", sight, (*Server).showPage, []string{"has"}},
	{http.MethodGet, "/runs/{run}/events", sight, (*Server).streamEvents, []string{"from"}},
	{http.MethodPost, "/runs/{run}/answers", need(access.Answer), (*Server).serveAnswer, nil},
	{http.MethodPost, "/runs/{run}/resume", need(access.Start), (*Server).resumeRun, nil},
	{http.MethodPost, "/runs/{run}/cancel", need(access.Cancel), (*Server).serveCancel, nil},
	{http.MethodPost, "/runs/{run}/signals", need(access.Fire), (*Server).sendSignal, nil},
	{http.MethodPost, "/runs/{run}/forks", need(access.Admin), (*Server).serveFork, nil},
}

var statuses = []string{
	string(client.Queued), string(client.Running), string(client.Paused), string(client.Done), string(client.Failed), string(client.Cancelled), string(client.Interrupted),
	string(client.Quarantined), string(client.Damaged),
}

// serveDescription answers with the description of the API.
func (s *Server) serveDescription(w http.ResponseWriter, _ *http.Request) error {
	name, err := json.Marshal(s.program.Name)
	if err == nil {
		text := strings.ReplaceAll(openapi, "APP", string(name[1:len(name)-1]))
		_, err = (&body{w: w, status: http.StatusOK}).Write([]byte(text))
	}

	return err
}
