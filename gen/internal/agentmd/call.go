package agentmd

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The roles that count where a file names none.
const (
	reactRole   = "thinker"
	oneshotRole = "worker"
	bodyRole    = "default" // of the body of AGENT.md where it is one conversation among several
)

// call reads call.model; role counts where none is written.
func (l *loader) call(head *yamldoc.Node, role string) ir.Call {
	if f := head.Value("call").Get("model"); f != nil && f.Value.IsNull() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q of call has no value", f.Key.Text).
			WithHint("leave it out, or write a role or a name below it"))
	}

	return withRole(l.written(head.Value("call").Value("model")), role)
}

// written reads a mapping such as call.model, and nothing that it does not say.
func (l *loader) written(model *yamldoc.Node) ir.Call {
	return ir.Call{
		Role:        frontend.Text(model.Value("role")),
		Name:        frontend.Text(model.Value("name")),
		Temperature: frontend.Number(model.Value("temperature")),
		MaxTokens:   l.Whole(model.Value("max_tokens")),
	}
}

// completed takes from other what call does not say. Role and name say together whom to ask: with either of them, call
// takes neither.
func completed(call, other ir.Call) ir.Call {
	if call.Role.Value == "" && call.Name.Value == "" {
		call.Role, call.Name = other.Role, other.Name
	}
	call.Temperature = cmp.Or(call.Temperature, other.Temperature)
	call.MaxTokens = cmp.Or(call.MaxTokens, other.MaxTokens)

	return call
}

func withRole(call ir.Call, role string) ir.Call {
	if call.Role.Value == "" {
		call.Role = ir.Text{Value: role}
	}

	return call
}
