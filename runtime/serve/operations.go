package serve

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/agentc-dev/agentc/runtime/client"
)

// openapi is the OpenAPI 3.1 description of a server for a program of the name APP. The tests hold each operation, and each reply, against
// it; go test ./runtime/serve -update writes the schemas, of the Go types that are encoded.
//
//go:embed openapi.json
var openapi string

// operation is something that the server can be asked for. Requests are routed by these; what they take and give is in openapi.
type operation struct {
	method, path string
	// open says that no credential is needed.
	open   bool
	handle func(s *Server, w http.ResponseWriter, r *http.Request) error
	// query are the names of its parameters. One by another name is refused, unless it has none at all.
	query []string
}

var operations = []operation{
	{http.MethodGet, "/health", true, (*Server).health, nil},
	{http.MethodGet, "/ready", true, (*Server).ready, nil},
	{http.MethodGet, "/openapi.json", false, (*Server).describe, nil},
	{http.MethodGet, "/agents", false, (*Server).listAgents, nil},
	{http.MethodPost, "/runs", false, (*Server).startRun, nil},
	{http.MethodGet, "/runs", false, (*Server).listRuns, []string{"status", "agent", "since", "before", "limit"}},
	{http.MethodGet, "/runs/{run}", false, (*Server).showRun, nil},
	{http.MethodGet, "/runs/{run}/page", false, (*Server).showPage, []string{"has"}},
	{http.MethodGet, "/runs/{run}/events", false, (*Server).streamEvents, []string{"from"}},
	{http.MethodPost, "/runs/{run}/answers", false, (*Server).answerQuestion, nil},
	{http.MethodPost, "/runs/{run}/resume", false, (*Server).resumeRun, nil},
	{http.MethodPost, "/runs/{run}/cancel", false, (*Server).cancelRun, nil},
	{http.MethodPost, "/runs/{run}/signals", false, (*Server).sendSignal, nil},
	{http.MethodPost, "/runs/{run}/forks", false, (*Server).forkRun, nil},
}

var statuses = []string{
	string(client.Queued), string(client.Running), string(client.Paused), string(client.Done), string(client.Failed), string(client.Cancelled), string(client.Interrupted),
	string(client.Quarantined), string(client.Damaged),
}

// describe answers with the description.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request) error {
	name, err := json.Marshal(s.program.Name)
	if err == nil {
		text := strings.ReplaceAll(openapi, "APP", string(name[1:len(name)-1]))
		_, err = (&body{w: w, status: http.StatusOK}).Write([]byte(text))
	}

	return err
}
