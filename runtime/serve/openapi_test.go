package serve_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/runtime/serve"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The description that stands beside the source is the one that is served.
func TestDescriptionIsCommitted(t *testing.T) {
	made := serve.Description("APP")
	if *update {
		if err := os.WriteFile("openapi.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("openapi.json is another one than is made of the types: go test ./runtime/serve -update")
	}
	c := served(t, newDesk(), serve.Options{})
	reply := c.want(http.StatusOK, "GET", "/openapi.json", nil)
	if reply["openapi"] != "3.1.0" || reply["info"].(map[string]any)["title"] != "desk" {
		t.Errorf("served is %v", reply["info"])
	}
}

// description is what the tests hold replies against.
var description = sync.OnceValue(func() (d struct {
	text  []byte
	Paths map[string]map[string]any
}) {
	d.text = serve.Description("desk")
	if err := json.Unmarshal(d.text, &d); err != nil {
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
