package emit

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// typeComment documents a struct or an enum: below the top by its position in the schema.
func (e *schemaEmitter) typeComment(path, place string, s *ir.Schema) string {
	what := "is the object"
	switch {
	case place == "" && !names.IsSchemaStruct(s):
		return sentence(path+" is "+s.ExpectedValue(), s.Description)
	case place == "" && len(s.Properties) > 0:
		return sentence(path+" holds "+e.of, s.Description)
	case place == "":
		return sentence(path+" is the empty object", s.Description)
	case !names.IsSchemaStruct(s):
		what = "is the text"
	case len(s.Properties) == 0:
		what = "is the empty object"
	}
	if strings.HasPrefix(place, "[") {
		place = "value" + place
	}

	return sentence(path+" "+what+" at "+place, s.Description)
}

// fieldComment documents a field: its description, and what the Go type does not say.
func (e *schemaEmitter) fieldComment(p *ir.Property) string {
	var parts []string
	if text := strings.TrimSpace(p.Schema.Description); text != "" {
		if !strings.ContainsAny(text[len(text)-1:], ".!?") {
			text += "."
		}
		parts = append(parts, text)
	}
	if facts := e.fieldFacts(p); facts != "" {
		parts = append(parts, facts)
	}

	return strings.Join(parts, " ")
}

func (e *schemaEmitter) fieldFacts(p *ir.Property) string {
	s := p.Schema
	bare := &ir.Schema{Kind: s.Kind}
	facts := ""
	if !names.IsSchemaType(s.Followed()) && s.ExpectedValue() != bare.ExpectedValue() {
		facts = upperFirst(s.ExpectedValue())
	}
	if !p.Required && !e.isOptional(p) {
		if facts != "" {
			facts += "; "
		}
		facts += "by default " + s.Default
	}
	if facts == "" {
		return ""
	}

	return upperFirst(facts) + "."
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
