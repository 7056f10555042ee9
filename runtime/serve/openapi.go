package serve

import (
	"encoding/json"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Description returns the OpenAPI 3.1 description, as JSON, of a server for the program of that name.
func Description(program string) []byte {
	components := schemas{}
	paths := newObject()
	for _, o := range operations {
		item, known := paths.values[o.path].(*object)
		if !known {
			item = newObject()
			if strings.Contains(o.path, "{run}") {
				item.set("parameters", []*object{newObject("name", "run", "in", "path", "required", true,
					"description", "the run's id", "schema", newObject("type", "string"))})
			}
			paths.set(o.path, item)
		}
		item.set(strings.ToLower(o.method), o.describe(components))
	}
	info := newObject("title", program, "version", interfaceVersion,
		"description", "Starts runs of "+program+", shows them, and takes answers to their questions.")
	text, err := json.MarshalIndent(newObject("openapi", "3.1.0", "info", info, "paths", paths,
		"components", newObject("schemas", components.sorted(), "securitySchemes", newObject("token", newObject(
			"type", "http", "scheme", "bearer", "description", "needed where the server was started with tokens")))), "", "  ")
	if err != nil {
		panic(err) // there is nothing in it that JSON does not have
	}

	return append(text, '\n')
}

// interfaceVersion is that of what clients can rely on.
const interfaceVersion = "1"

// describe is an operation of the description.
func (o *operation) describe(components schemas) *object {
	d := newObject("operationId", o.id, "summary", o.summary)
	if parameters := append(described(o.query, "query"), described(o.header, "header")...); len(parameters) > 0 {
		d.set("parameters", parameters)
	}
	if o.body != nil {
		d.set("requestBody", newObject("required", true, "content", content(components, "application/json", o.body)))
	}
	replies := newObject()
	all := o.all()
	slices.SortFunc(all, func(x, y reply) int { return x.status - y.status })
	for _, r := range all {
		replies.set(strconv.Itoa(r.status), r.describe(o, components))
	}
	d.set("responses", replies)
	if !o.open {
		d.set("security", []*object{newObject("token", []string{}), newObject()})
	}

	return d
}

func (r *reply) describe(o *operation, components schemas) *object {
	d := newObject("description", r.doc)
	switch {
	case r.body == (nothing{}):
	case r.body == nil:
		d.set("content", content(components, "application/json", wire.Problem{}))
	case o.streams:
		forms := content(components, ndjson, r.body)
		forms.set(eventStream, newObject("schema", newObject("type", "string",
			"description", "server-sent events: the id is the event's seq, the event its kind, the data its line")))
		d.set("content", forms)
	default:
		d.set("content", content(components, "application/json", r.body))
	}
	switch {
	case r.status == http.StatusCreated:
		d.set("headers", header("Location", "the path of the run"))
	case r.status == http.StatusOK && o.pages:
		d.set("headers", header("Link", "the address of those that follow, with rel=\"next\"; without it there are none"))
	}

	return d
}

// header is a header of a reply.
func header(name, doc string) *object {
	return newObject(name, newObject("description", doc, "schema", newObject("type", "string")))
}

func content(components schemas, form string, body any) *object {
	return newObject(form, newObject("schema", components.of(reflect.TypeOf(body))))
}

func described(parameters []parameter, in string) []*object {
	var all []*object
	for _, p := range parameters {
		schema := newObject("type", "string")
		if p.integer {
			schema = newObject("type", "integer")
		}
		if p.values != nil {
			schema.set("enum", p.values)
		}
		all = append(all, newObject("name", p.name, "in", in, "description", p.doc, "schema", schema))
	}

	return all
}

// sorted are the components by name.
func (s schemas) sorted() *object {
	all := newObject()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		all.set(name, s[name])
	}

	return all
}

func (s *Server) describe(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(s.description)

	return err
}
