package serve_test

import (
	"encoding/json"
	"fmt"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"reflect"
	"strings"
	"time"
)

// object is a JSON object. encoding/json sorts its members, so that a description has the same bytes each time.
type object = map[string]any

// components makes JSON Schemas of Go types, as encoding/json would encode them. Structs become components, each once.
type components map[string]object

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()

	answerType = reflect.TypeFor[client.AnswerValue]()
)

// of returns the schema of a type. It panics for a type that no reply has: a test makes all of them.
func (s components) of(t reflect.Type) object {
	switch t {
	case timeType:
		return object{"type": "string", "format": "date-time"}
	case rawType, answerType:
		return object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Struct:
		return s.component(t)
	}
	panic(fmt.Sprintf("no schema for %s", t))
}

// component returns a reference to the schema of a struct.
func (s components) component(t reflect.Type) object {
	if s[t.Name()] == nil {
		fields := &fields{schemas: s, properties: object{}, required: []string{}}
		s[t.Name()] = object{} // a type may contain itself
		fields.add(t)
		s[t.Name()] = object{
			"type": "object", "properties": fields.properties, "required": fields.required, "additionalProperties": fields.open,
		}
	}

	return object{"$ref": "#/components/schemas/" + t.Name()}
}

// fields collects those of a struct and of the structs that are embedded in it.
type fields struct {
	schemas    components
	properties object
	required   []string
	// open says that there may be others.
	open bool
}

func (f *fields) add(t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case field.Tag.Get("json") == "-":
		case field.Anonymous:
			f.add(field.Type)
		case field.Tag.Get("open") != "":
			f.open = true
		default:
			f.addField(field)
		}
	}
}

func (f *fields) addField(field reflect.StructField) {
	name, required := named(field)
	schema := f.schemas.of(field.Type)
	if values := field.Tag.Get("enum"); values != "" {
		schema["enum"] = enum(field.Type, values)
	}
	if doc := field.Tag.Get("doc"); doc != "" {
		schema["description"] = doc
	}
	f.properties[name] = schema
	if required {
		f.required = append(f.required, name)
	}
}

// named is what JSON calls a field, and whether it has to be there.
func named(field reflect.StructField) (name string, required bool) {
	name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")

	return name, rest == ""
}

func enum(t reflect.Type, values string) any {
	if t.Kind() == reflect.Bool {
		return []bool{values == "true"}
	}

	return strings.Split(values, ",")
}
