package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// The description beside the source is the one that is served. Its schemas are those of the types that are encoded.
func TestDescriptionIsCommitted(t *testing.T) {
	kept, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole object
	if err := json.Unmarshal(kept, &whole); err != nil {
		t.Fatal(err)
	}
	made := components{}
	for _, value := range []any{
		client.Start{}, client.Run{}, client.Runs{}, client.Reply{}, wire.Resume{}, wire.Signal{}, wire.Taken{}, wire.Fork{},
		wire.Agents{}, wire.Caller{}, wire.Health{}, wire.Ready{}, client.Problem{}, wire.Event{}, wire.Document{},
	} {
		made.of(reflect.TypeOf(value))
	}
	whole["components"].(object)["schemas"] = made
	text, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "openapi.json", string(text)+"\n")
	c := served(t, newDesk(), serve.Options{})
	reply := c.want(http.StatusOK, "GET", "/openapi.json", nil)
	if info := reply["info"].(object); reply["openapi"] != "3.1.0" || info["title"] != "desk" ||
		info["description"] != "Starts runs of desk, shows them, and takes answers to their questions." {
		t.Errorf("served is %v", reply["info"])
	}
}

// Each operation is described, and each that is described is one.
func TestOperationsAreDescribed(t *testing.T) {
	count := 0
	for _, item := range description().Paths {
		for method := range item {
			if method != "parameters" {
				count++
			}
		}
	}
	if count != len(serve.Operations()) {
		t.Errorf("%d operations are described, and there are %d", count, len(serve.Operations()))
	}
	for _, o := range serve.Operations() {
		described, _ := description().Paths[o.Path][strings.ToLower(o.Method)].(object)
		if described == nil {
			t.Errorf("%s %s is not described", o.Method, o.Path)
			continue
		}
		if hasSecurity := described["security"] != nil; hasSecurity == (o.Needs == serve.NoToken) {
			t.Errorf("%s %s: it is described with a token: %v", o.Method, o.Path, hasSecurity)
		}
		hasRun := strings.Contains(o.Path, "{run}")
		if parameters := description().Paths[o.Path]["parameters"]; (parameters != nil) != hasRun {
			t.Errorf("%s: the parameters of the path are %v", o.Path, parameters)
		}
		var query []string
		parameters, _ := described["parameters"].([]any)
		for _, p := range parameters {
			if p := p.(object); p["in"] == "query" {
				query = append(query, p["name"].(string))
			}
		}
		if !slices.Equal(query, o.Query) {
			t.Errorf("%s %s: the query is described with %q, and has %q", o.Method, o.Path, query, o.Query)
		}
		replies := described["responses"].(object)
		for status, want := range map[string]bool{"401": o.Needs != serve.NoToken, "403": true, "404": hasRun, "413": described["requestBody"] != nil} {
			if (replies[status] != nil) != want {
				t.Errorf("%s %s: that it can answer with %s is described: %v", o.Method, o.Path, status, !want)
			}
		}
	}
	status := description().Paths["/runs"]["get"].(object)["parameters"].([]any)[0].(object)["schema"].(object)["enum"]
	if fmt.Sprint(status) != fmt.Sprint(serve.Statuses) {
		t.Errorf("the statuses are described as %v, and are %v", status, serve.Statuses)
	}
}

// description is what the tests hold replies against.
var description = sync.OnceValue(func() (d struct {
	text  []byte
	Paths map[string]map[string]any
}) {
	var err error
	if d.text, err = os.ReadFile("openapi.json"); err == nil {
		err = json.Unmarshal(d.text, &d)
	}
	if err != nil {
		panic(err)
	}

	return d
})

// schemas compiles schemas of the description by their pointers.
var schemas = struct {
	sync.Mutex
	known map[string]*jsonschema.Schema
}{known: map[string]*jsonschema.Schema{}}

func schemaAt(t testing.TB, pointer string) *jsonschema.Schema {
	t.Helper()
	schemas.Lock()
	defer schemas.Unlock()
	if s := schemas.known[pointer]; s != nil {
		return s
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	if err := compiler.AddResource("mem:///openapi.json", bytes.NewReader(description().text)); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile("mem:///openapi.json#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	schemas.known[pointer] = s

	return s
}

// templateOf is the path of the description that a path is one of; "" if there is none.
func templateOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	if len(parts) > 2 && parts[1] == "runs" && parts[2] != "" {
		parts[2] = "{run}"
	}
	if at := strings.Join(parts, "/"); description().Paths[at] != nil {
		return at
	}

	return ""
}

// checkReply holds a reply against the description: the operation can answer with the status, and the body fits its schema.
func checkReply(t testing.TB, method, path string, response *http.Response, body []byte) {
	t.Helper()
	at := templateOf(path)
	operation, _ := description().Paths[at][strings.ToLower(method)].(map[string]any)
	if operation == nil {
		return // no such path or method: not a reply of an operation
	}
	status := strconv.Itoa(response.StatusCode)
	reply, _ := operation["responses"].(map[string]any)[status].(map[string]any)
	if reply == nil {
		t.Errorf("%s %s answers with %s, of which the description says nothing: %s", method, path, status, body)
		return
	}
	form := response.Header.Get("Content-Type")
	if forms, _ := reply["content"].(map[string]any); forms[form] == nil && (forms != nil || len(body) > 0) {
		t.Errorf("%s %s answers with %q", method, path, form)
	}
	if form != "application/json" {
		return
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Errorf("%s %s: %s: %v", method, path, body, err)
		return
	}
	escaped := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(at)
	pointer := "/paths/" + escaped + "/" + strings.ToLower(method) + "/responses/" + status + "/content/application~1json/schema"
	if err := schemaAt(t, pointer).Validate(value); err != nil {
		t.Errorf("%s %s: %s does not fit the description: %v", method, path, body, err)
	}
}

func checkEvent(t testing.TB, event map[string]any) {
	t.Helper()
	if err := schemaAt(t, "/components/schemas/Event").Validate(any(event)); err != nil {
		t.Errorf("%v does not fit the description: %v", event, err)
	}
}
