package serve

import (
	"encoding/json"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// object is a JSON object. encoding/json sorts its members, so that the description has the same bytes each time.
type object = map[string]any

// describe returns the OpenAPI 3.1 description, as JSON, of a server for the program of that name.
func describe(program string) []byte {
	components := schemas{}
	paths := object{}
	for _, o := range operations {
		item, known := paths[o.path].(object)
		if !known {
			item = object{}
			if strings.Contains(o.path, "{run}") {
				item["parameters"] = []object{{
					"name": "run", "in": "path", "required": true, "description": "the run's id", "schema": object{"type": "string"},
				}}
			}
			paths[o.path] = item
		}
		item[strings.ToLower(o.method)] = o.describe(components)
	}
	text, err := json.MarshalIndent(object{
		"openapi": "3.1.0", "paths": paths,
		"info": object{
			"title": program, "version": interfaceVersion,
			"description": "Starts runs of " + program + ", shows them, and takes answers to their questions.",
		},
		"components": object{"schemas": components, "securitySchemes": object{"token": object{
			"type": "http", "scheme": "bearer", "description": "needed where the server was started with tokens",
		}}},
	}, "", "  ")
	if err != nil {
		panic(err) // there is nothing in it that JSON does not have
	}

	return append(text, '\n')
}

// interfaceVersion is that of what clients can rely on.
const interfaceVersion = "1"

// describe is an operation of the description.
func (o *operation) describe(components schemas) object {
	d := object{"operationId": o.id, "summary": o.summary}
	if parameters := append(described(o.query, "query"), described(o.header, "header")...); len(parameters) > 0 {
		d["parameters"] = parameters
	}
	if o.body != nil {
		d["requestBody"] = object{"required": true, "content": content(components, "application/json", o.body)}
	}
	replies := object{}
	for _, r := range o.all() {
		replies[strconv.Itoa(r.status)] = r.describe(o, components)
	}
	d["responses"] = replies
	if !o.open {
		d["security"] = []object{{"token": []string{}}, {}}
	}

	return d
}

func (r *reply) describe(o *operation, components schemas) object {
	d := object{"description": r.doc}
	switch {
	case r.body == (nothing{}):
	case r.body == nil:
		d["content"] = content(components, "application/json", wire.Problem{})
	case o.streams:
		forms := content(components, ndjson, r.body)
		forms[eventStream] = object{"schema": object{
			"type": "string", "description": "server-sent events: the id is the event's seq, the event its kind, the data its line",
		}}
		d["content"] = forms
	default:
		d["content"] = content(components, "application/json", r.body)
	}
	switch {
	case r.status == http.StatusCreated:
		d["headers"] = header("Location", "the path of the run")
	case r.status == http.StatusOK && o.pages:
		d["headers"] = header("Link", "the address of those that follow, with rel=\"next\"; without it there are none")
	}

	return d
}

// header is a header of a reply.
func header(name, doc string) object {
	return object{name: object{"description": doc, "schema": object{"type": "string"}}}
}

func content(components schemas, form string, body any) object {
	return object{form: object{"schema": components.of(reflect.TypeOf(body))}}
}

func described(parameters []parameter, in string) []object {
	var all []object
	for _, p := range parameters {
		schema := object{"type": "string"}
		if p.integer {
			schema = object{"type": "integer"}
		}
		if p.values != nil {
			schema["enum"] = p.values
		}
		all = append(all, object{"name": p.name, "in": in, "description": p.doc, "schema": schema})
	}

	return all
}

func (s *Server) describe(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(s.description)

	return err
}
