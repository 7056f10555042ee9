package validate

import (
	"encoding/json"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// A test says whether a schema accepts a value, and no more. Nearly all documents have nothing wrong, and for these a
// test takes no memory and a small part of the time of the library, which keeps account of all that it looks at.
type test func(*yamldoc.Node) bool

func every(tests []test) test {
	return func(v *yamldoc.Node) bool {
		for _, accepts := range tests {
			if !accepts(v) {
				return false
			}
		}
		return true
	}
}

func some(tests []test) test {
	return func(v *yamldoc.Node) bool { return accepting(tests, v) > 0 }
}

func one(tests []test) test {
	return func(v *yamldoc.Node) bool { return accepting(tests, v) == 1 }
}

// accepting returns how many tests accept v.
func accepting(tests []test, v *yamldoc.Node) int {
	count := 0
	for _, accepts := range tests {
		if accepts(v) {
			count++
		}
	}

	return count
}

func not(accepts test) test {
	return func(v *yamldoc.Node) bool { return !accepts(v) }
}

func eachItem(accepts test) test {
	return func(v *yamldoc.Node) bool { return !slices.ContainsFunc(v.Items, not(accepts)) }
}

func eachField(accepts func(name string, v *yamldoc.Node) bool) test {
	return func(v *yamldoc.Node) bool {
		for _, f := range v.Fields {
			if !accepts(f.Key.Text, f.Value) {
				return false
			}
		}
		return true
	}
}

// hasFields accepts mappings with fields of these names, and whatever is no mapping.
func hasFields(names []string) test {
	return func(v *yamldoc.Node) bool {
		lacks := func(name string) bool { return v.Get(name) == nil }
		return v.Kind != yamldoc.Map || !slices.ContainsFunc(names, lacks)
	}
}

// matches accepts texts that match, and whatever is no text.
func matches(pattern string) test {
	text := regexp.MustCompile(pattern)

	return func(v *yamldoc.Node) bool { return v.Kind != yamldoc.String || text.MatchString(v.Text) }
}

func minLength(bound int) test {
	return func(v *yamldoc.Node) bool { return v.Kind != yamldoc.String || utf8.RuneCountInString(v.Text) >= bound }
}

func minItems(bound int) test {
	return func(v *yamldoc.Node) bool { return v.Kind != yamldoc.Seq || len(v.Items) >= bound }
}

func minFields(bound int) test {
	return func(v *yamldoc.Node) bool { return v.Kind != yamldoc.Map || len(v.Fields) >= bound }
}

func maxFields(bound int) test {
	return func(v *yamldoc.Node) bool { return v.Kind != yamldoc.Map || len(v.Fields) <= bound }
}

// byLibrary is the library's test of one keyword. Few documents need it, so it is compiled when one does.
func byLibrary(keyword string, value any) test {
	schema := sync.OnceValue(func() *jsonschema.Schema {
		text, err := json.Marshal(map[string]any{keyword: value})
		if err != nil {
			panic("validate: keyword " + keyword + ": " + err.Error())
		}
		return compile(keyword, text)
	})

	return func(v *yamldoc.Node) bool { return schema().Validate(v.JSON()) == nil }
}
