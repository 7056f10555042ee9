package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hitl lowers a question to a person.
func (s *step) hitl() {
	s.input()
	do := &ir.Ask{}
	s.task.Do = do
	s.task.Type = textType
	if schema := s.schema(s.node.Value("input_schema")); schema != nil {
		do.Answer = ir.Type{Schema: schema, Owner: ir.OwnerAnswer, Of: s.name() + "/" + s.task.Name.Value}
		if !s.ownsAnswer(do.Answer) {
			do.Answer = dynamic(do.Answer)
		}
		s.task.Type = do.Answer
	}
	s.answers = append(s.answers, s.task.Type)
	if message := textIn(s.node.Value("message")); message.Value != "" {
		s.later = append(s.later, func() { do.Message = s.template(message, s.scope(s.at)) })
	}
}

// ownsAnswer reports whether the Go type of an answer is that of the first step of its name: two of the same name whose
// answers differ have one type between them.
func (s *step) ownsAnswer(answer ir.Type) bool {
	return !slices.ContainsFunc(s.answers, func(known ir.Type) bool {
		return known.Owner == ir.OwnerAnswer && known.Of == answer.Of && !alike(known.Schema, answer.Schema)
	})
}
