package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/schema"
)

var update = flag.Bool("update", false, "write what the table of settings says into the schemas")

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any // object, []any, string, json.Number, bool or nil
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(marshal(m.name))
		b.WriteByte(':')
		b.Write(marshal(m.value))
	}
	b.WriteByte('}')

	return b.Bytes(), nil
}

// marshal returns a value as JSON that people read: without escapes of <, > and &.
func marshal(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}

	return bytes.TrimSpace(b.Bytes())
}

// readOrdered reads a value whose objects keep their order.
func readOrdered(t *testing.T, d *json.Decoder) any {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			o = append(o, member{name.(string), readOrdered(t, d)})
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}

		return o
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, readOrdered(t, d))
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}

		return list
	}

	return token
}

// at returns the object at a path of names.
func (o object) at(path ...string) object {
	for _, name := range path {
		i := o.index(name)
		if i < 0 {
			return nil
		}
		o, _ = o[i].value.(object)
	}

	return o
}

// index returns where a member is; -1 if there is none.
func (o object) index(name string) int {
	for i := range o {
		if o[i].name == name {
			return i
		}
	}

	return -1
}

// put sets a member. A new one follows the member called after, or is the first if there is none.
func (o *object) put(after string, m member) {
	if i := o.index(m.name); i >= 0 {
		(*o)[i] = m

		return
	}
	i := o.index(after) + 1
	*o = append((*o)[:i:i], append(object{m}, (*o)[i:]...)...)
}

// settingPlaces are the mappings of the schemas that have a field for each setting of a model, and what the field is.
var settingPlaces = []struct {
	schema string
	// path leads to the mapping, whose fields are at its properties.
	path []string
	// after is the field that the first setting follows.
	after string
	field func(*model.Setting) object
	// lacksForeign reports whether settings of other systems are unknown fields here.
	lacksForeign bool
}{
	{"agent", []string{"$defs", "model"}, "name", settingField, false},
	{"step", []string{"$defs", "model"}, "name", settingField, false},
	{"config", []string{"$defs", "role"}, "fallback", settingField, false},
	{"tama", []string{"$defs", "role"}, "fallback", settingField, false},
	{"workflow", []string{"$defs", "settings"}, "", settingField, false},
	{"agent", nil, "role", misplacedSetting, true},
	{"step", nil, "role", misplacedSetting, true},
	{"workflow", []string{"$defs", "config"}, "", importedSetting, false},
}

// settingTypes are the types of the kinds of values.
var settingTypes = map[model.Kind]string{
	model.KindNumber: "number", model.KindWhole: "integer", model.KindLevel: "string", model.KindTexts: "array",
	model.KindBoolean: "boolean", model.KindObject: "object",
}

// settingExamples are values of the settings, as a person writes them.
var settingExamples = map[string]string{
	"temperature": "0.2", "max_tokens": "500", "top_p": "0.9", "top_k": "40", "seed": "1", "stop": `["END"]`,
	"reasoning": "low", "verbosity": "low", "parallel_tool_calls": "false", "extra": "{service_tier: flex}",
}

// settingField is a field where the setting may be written.
func settingField(s *model.Setting) object {
	about := s.Doc
	if s.Kind == model.KindLevel {
		about += " It is a " + s.Range() + "."
	}
	about += " Default: what the server has. Example: " + settingExamples[s.Name] + "."
	field := object{{"title", s.Title}, {"description", about}, {"type", settingTypes[s.Kind]}}
	switch s.Kind {
	case model.KindLevel:
		return append(field, member{"enum", s.Levels}, member{"x-agentc-expect", "one of " + strings.Join(s.Levels, ", ")})
	case model.KindTexts:
		text := object{{"type", "string"}, {"minLength", 1}}

		return append(field, member{"minItems", 1}, member{"maxItems", s.MaxItems}, member{"items", text},
			member{"x-agentc-expect", "a " + s.Range()})
	case model.KindBoolean, model.KindObject:
		return field
	}
	if !math.IsInf(s.Min, -1) {
		field = append(field, member{"minimum", s.Min})
	}
	if !math.IsInf(s.Max, 1) {
		field = append(field, member{"maximum", s.Max})
	}

	return field
}

// foreignSettings are settings of other systems that have another name or place in agentc. The schemas know them, so
// that none of them is taken for a misspelled setting that means something else.
var foreignSettings = []struct{ name, title, hint string }{
	{"presence_penalty", "Presence penalty", "write it below extra: extra.presence_penalty"},
	{"frequency_penalty", "Frequency penalty", "write it below extra: extra.frequency_penalty"},
	{"stop_sequences", "Stop", "write stop"},
	{"reasoning_effort", "Reasoning", "write reasoning"},
	{"text", "Verbosity", "write verbosity: low, medium or high"},
}

// foreignField is the field of a setting of other systems.
func foreignField(title, hint string) object {
	return object{
		{"title", title},
		{"description", "A setting of the model."},
		{"x-agentc-unused", hint},
	}
}

// misplacedSetting is a field of older files, which had settings at the top level.
func misplacedSetting(s *model.Setting) object {
	return object{
		{"title", s.Title + " (wrong place)"},
		{"description", "It belongs below call.model."},
		{"x-agentc-unused", "write it below call: call.model." + s.Name},
	}
}

// importedSetting is a field of an import, for which agentc has another place.
func importedSetting(s *model.Setting) object {
	return object{
		{"title", s.Title},
		{"description", "A setting of the model."},
		{"not", object{}},
		{"x-agentc-unsupported", "write it at the agent: model_settings." + s.Name},
	}
}

// settingLists find the texts of the schemas that list the settings, between two groups.
var settingLists = []struct {
	pattern *regexp.Regexp
	// last joins the last setting to those before it.
	last string
}{
	{regexp.MustCompile(`(a mapping with name, fallback, )[a-z_, ]+(, base_url| and base_url)`), ", "},
}

// withSettings returns a schema with what the table says of settings.
func withSettings(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	root := readOrdered(t, d).(object)
	for _, place := range settingPlaces {
		if place.schema != name {
			continue
		}
		mapping := root.at(place.path...)
		i := mapping.index("properties")
		if i < 0 {
			t.Fatalf("schema %s has no fields at %v", name, place.path)
		}
		fields := mapping[i].value.(object)
		after := place.after
		for _, setting := range model.SettingTable() {
			fields.put(after, member{setting.Name, place.field(setting)})
			after = setting.Name
		}
		for _, foreign := range foreignSettings {
			if place.lacksForeign {
				continue
			}
			fields.put(after, member{foreign.name, foreignField(foreign.title, foreign.hint)})
			after = foreign.name
		}
		mapping[i].value = fields
	}
	var b bytes.Buffer
	if err := json.Indent(&b, marshal(root), "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	text = b.Bytes()
	for _, list := range settingLists {
		text = list.pattern.ReplaceAll(text, []byte("${1}"+settingNames(list.last)+"${2}"))
	}

	return text
}

// settingNames returns the names of all settings, of which last joins the last one.
func settingNames(last string) string {
	var names []string
	for _, setting := range model.SettingTable() {
		names = append(names, setting.Name)
	}
	end := len(names) - 1

	return strings.Join(names[:end], ", ") + last + names[end]
}

// TestSettings: the schemas have each setting of models, with its range, wherever one has a field, and so it is listed
// in their texts. With -update the schemas are written.
func TestSettings(t *testing.T) {
	for _, name := range []string{"agent", "step", "config", "tama", "workflow"} {
		text, _ := schema.Text(name)
		want := withSettings(t, name, text)
		if *update {
			if err := os.WriteFile(name+".json", want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%s.json is not what the table of settings says: go test ./schema -run TestSettings -update", name)
		}
	}
}

// TestPageOfSettings: the page of the formats has a row for each setting, with its range, and no others.
func TestPageOfSettings(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "### Settings of a model\n")
	section, _, _ = strings.Cut(section, "\n### ")
	rows := 0
	for _, line := range strings.Split(section, "\n") {
		if strings.HasPrefix(line, "| `") {
			rows++
		}
	}
	if !found || rows != len(model.SettingTable()) {
		t.Errorf("%d rows for %d settings", rows, len(model.SettingTable()))
	}
	for _, setting := range model.SettingTable() {
		if row := "| `" + setting.Name + "` | " + setting.Range() + " | "; !strings.Contains(section, row) {
			t.Errorf("no row begins with %s", row)
		}
	}
}
