package validate

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// quick returns the test that accepts what the library accepts with the schema.
func (n node) quick() test {
	var all []test
	for _, keyword := range slices.Sorted(maps.Keys(n.value)) {
		if t := n.quickKeyword(keyword); t != nil {
			all = append(all, t)
		}
	}
	if slices.ContainsFunc(fieldKeywords, func(keyword string) bool { return n.value[keyword] != nil }) {
		all = append(all, n.quickFields())
	}

	return every(all)
}

// fieldKeywords speak of the same fields and are tested together.
var fieldKeywords = []string{"properties", "patternProperties", "additionalProperties"}

// quickKeyword returns the test of a keyword; nil if it says nothing of a value, or nothing alone. What documents do not
// have in great number is left to the library.
func (n node) quickKeyword(keyword string) test {
	value := n.value[keyword]
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description", "then", "else":
		return nil
	case "$ref":
		return n.quickReference(value.(string))
	case "type":
		return n.quickType()
	case "const", "enum":
		return n.quickTexts(keyword)
	case "required":
		return hasFields(n.strings(keyword))
	case "pattern":
		return matches(n.text(keyword))
	case "minLength":
		return minLength(n.size(keyword))
	case "minItems":
		return minItems(n.size(keyword))
	case "minProperties":
		return minFields(n.size(keyword))
	case "maxProperties":
		return maxFields(n.size(keyword))
	case "items":
		return eachItem(n.quickPart(value))
	case "not":
		return not(n.quickPart(value))
	case "if":
		return n.quickIf()
	case "allOf":
		return every(n.quickParts(keyword))
	case "anyOf":
		return some(n.quickParts(keyword))
	case "oneOf":
		return one(n.quickParts(keyword))
	}
	if strings.HasPrefix(keyword, "x-") || slices.Contains(fieldKeywords, keyword) {
		return nil
	}

	return byLibrary(keyword, value)
}

// quickReference returns the test of a definition, which may refer to itself.
func (n node) quickReference(to string) test {
	known, made := n.root.tests[to]
	if !made {
		known = new(test)
		n.root.tests[to] = known
		*known = n.resolved().quick()
	}

	return func(v *yamldoc.Node) bool { return (*known)(v) }
}

// quickType compares the type. Of numbers the library knows which are integers: 1.0 is one.
func (n node) quickType() test {
	names := n.strings("type")
	if slices.Contains(names, "integer") {
		return byLibrary("type", n.value["type"])
	}
	var allowed [yamldoc.Map + 1]bool
	for _, name := range names {
		for _, kind := range kindsOf[name] {
			allowed[kind] = true
		}
	}

	return func(v *yamldoc.Node) bool { return allowed[v.Kind] }
}

var kindsOf = map[string][]yamldoc.Kind{
	"null": {yamldoc.Null}, "boolean": {yamldoc.Bool}, "number": {yamldoc.Int, yamldoc.Float}, "string": {yamldoc.String},
	"array": {yamldoc.Seq}, "object": {yamldoc.Map},
}

// quickTexts compares with the values of const or enum, which are few and mostly texts.
func (n node) quickTexts(keyword string) test {
	texts := n.strings(keyword)
	if values, isList := n.value[keyword].([]any); len(texts) == 0 || isList && len(texts) < len(values) {
		return byLibrary(keyword, n.value[keyword])
	}

	return func(v *yamldoc.Node) bool { return v.Kind == yamldoc.String && slices.Contains(texts, v.Text) }
}

func (n node) quickIf() test {
	condition, then, otherwise := n.quickPart(n.value["if"]), n.quickPart(n.value["then"]), n.quickPart(n.value["else"])

	return func(v *yamldoc.Node) bool {
		if condition(v) {
			return then(v)
		}
		return otherwise(v)
	}
}

// quickFields tests the fields of a mapping: those that are named, those whose name matches a pattern, and all others.
func (n node) quickFields() test {
	named := map[string]test{}
	properties, _ := n.value["properties"].(map[string]any)
	for name, part := range properties {
		named[name] = n.quickPart(part)
	}
	var patterns []patternTest
	matching, _ := n.value["patternProperties"].(map[string]any)
	for pattern, part := range matching {
		patterns = append(patterns, patternTest{regexp.MustCompile(pattern), n.quickPart(part)})
	}
	others := n.quickPart(n.value["additionalProperties"])

	return eachField(func(name string, v *yamldoc.Node) bool {
		accepts, known := named[name]
		if known && !accepts(v) {
			return false
		}
		for _, p := range patterns {
			if p.name.MatchString(name) {
				if known = true; !p.accepts(v) {
					return false
				}
			}
		}
		return known || others(v)
	})
}

// patternTest is the test of fields whose name matches.
type patternTest struct {
	name    *regexp.Regexp
	accepts test
}

// quickPart returns the test of a schema inside of n. Nothing is the schema that accepts everything.
func (n node) quickPart(part any) test {
	switch part := part.(type) {
	case bool:
		return func(*yamldoc.Node) bool { return part }
	case map[string]any:
		return node{n.root, part}.quick()
	}

	return func(*yamldoc.Node) bool { return true }
}

func (n node) quickParts(keyword string) []test {
	parts, _ := n.value[keyword].([]any)
	tests := make([]test, len(parts))
	for i, part := range parts {
		tests[i] = n.quickPart(part)
	}

	return tests
}

func (n node) size(keyword string) int {
	size, _ := n.value[keyword].(float64)

	return int(size)
}
