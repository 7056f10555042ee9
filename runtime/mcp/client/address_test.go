package client_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

// at serves the good server over HTTP to who has the token, and returns it as a skill has it.
func at(t *testing.T, token string) client.Server {
	t.Helper()
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return newServer("good") }, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://example.com/login"`)
			w.WriteHeader(http.StatusUnauthorized)

			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)

	return client.Server{Name: "desk", URL: s.URL, Headers: []client.Header{{Name: "Authorization", Value: "Bearer ${DESK_TOKEN}"}}}
}

func TestAddress(t *testing.T) {
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
	call := use(t, pinned(t, at(t, "token-of-the-desk")))
	if got := call("greet", `{"name":"Ada"}`); got.Text != `{"greeting":"Hello, Ada!"}` || !got.JSON {
		t.Errorf("%+v", got)
	}
}

// A server that wants somebody to log in is an error of its own, at once, which does not have the token.
func TestUnauthorized(t *testing.T) {
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
	refused := at(t, "another-token-of-the-desk")
	open := refused
	open.Headers = nil
	for _, test := range []struct {
		server client.Server
		want   string
	}{
		{refused, "it did not take the value of DESK_TOKEN"},
		{open, `headers: {Authorization: "Bearer ${NAME}"}`},
	} {
		_, _, err := client.Part{Servers: []client.Server{test.server}}.OpenTools(t.Context(), os.LookupEnv)
		if runtime.ErrorType(err) != "AuthError" || !strings.Contains(err.Error(), "status 401, ") || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), "https://example.com/login") || strings.Contains(err.Error(), "token-of-the-desk") {
			t.Errorf("%v", err)
		}
	}
}
