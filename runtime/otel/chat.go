package otel

import (
	"errors"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// chat is a turn of a model in the words of the conventions.
type chat struct {
	provider string
	// asked is the model that was wanted, answered the one that has answered; without the provider.
	asked, answered string
	// failed is the kind of error; "" for none.
	failed string
}

func newChat(s core.Sight) chat {
	var c chat
	name := s.Turn.Reply.Model
	if choice := s.Turn.Request.Model; choice != nil && choice.Name != "" {
		c.provider, c.asked = splitModelName(choice.Name)
	}
	if name != "" {
		c.provider, c.answered = splitModelName(name)
	}
	if c.asked == "" {
		c.asked = c.answered
	}
	if err := s.Turn.Err; err != nil {
		c.failed, c.answered = failureOf(err), ""
	}

	return c
}

// splitModelName is the provider and the model of provider:model. What has no provider is its own.
func splitModelName(name string) (provider, model string) {
	provider, model, ok := strings.Cut(name, ":")
	if !ok {
		model = provider
	}
	if known, ok := conventional[provider]; ok {
		provider = known
	}

	return provider, model
}

// conventional are providers that the conventions call otherwise.
var conventional = map[string]string{
	"azure": "azure.ai.openai", "bedrock": "aws.bedrock", "gemini": "gcp.gemini", "google": "gcp.gen_ai", "mistral": "mistral_ai",
	"moonshot": "moonshot_ai", "vertex": "gcp.vertex_ai", "watsonx": "ibm.watsonx.ai", "xai": "x_ai",
}

// failureOf is the kind of an error: of models their class, of others the type.
func failureOf(err error) string {
	var failed *model.Error
	if errors.As(err, &failed) && failed.Class != "" {
		return string(failed.Class)
	}

	return runtime.ErrorType(err)
}

func (c chat) spanName() string {
	if c.asked == "" {
		return chatting
	}

	return chatting + " " + c.asked
}

// modelAttributes returns the names of the model, for spans and metrics.
func (c chat) modelAttributes() attributes {
	all := attributes{keyOperation.String(chatting), attribute.String("gen_ai.provider.name", c.provider)}
	all.addText("gen_ai.request.model", c.asked)
	all.addText("gen_ai.response.model", c.answered)

	return all
}

func (t *tracer) chatAttributes(s core.Sight, c chat) trace.SpanStartEventOption {
	all := append(c.modelAttributes(), keyAgent.String(s.Agent), keyRun.String(t.run.Run), keyAddress.String(s.Address),
		attribute.Int("agentc.model.turn", s.Turn.Request.Turn), keyInput.Int(s.Usage.Input), keyOutput.Int(s.Usage.Output))
	if s.Reason != "" {
		all = append(all, attribute.StringSlice("gen_ai.response.finish_reasons", []string{s.Reason}))
	}
	all.addCount("agentc.model.attempts", 2, s.Turn.Attempts)
	all.addText("agentc.model.role", s.Role)
	all.addCount("gen_ai.usage.cache_read.input_tokens", 1, s.Usage.Cached)
	all.addCount("gen_ai.usage.cache_creation.input_tokens", 1, s.Usage.Stored)
	all.addCost(s.Cost)
	all = append(all, requestAttributes(&s.Turn.Request)...)
	if t.content {
		all = append(all, t.messageAttributes(s.Turn)...)
	}

	return withAttributes(all...)
}

func requestAttributes(r *model.Request) (all []attribute.KeyValue) {
	if r.Schema != "" {
		all = append(all, attribute.String("gen_ai.output.type", "json"))
	}
	if r.Model == nil {
		return all
	}
	for _, setting := range model.SettingTable() {
		name := settingAttribute(setting.Name)
		switch value := setting.Value(r.Model.Settings).(type) {
		case float64:
			all = append(all, attribute.Float64(name, value))
		case int:
			all = append(all, attribute.Int(name, value))
		case bool:
			all = append(all, attribute.Bool(name, value))
		case string:
			all = append(all, attribute.String(name, value))
		case []string:
			all = append(all, attribute.StringSlice(name, value))
		case model.Object:
			all = append(all, attribute.String(name, string(value)))
		}
	}

	return all
}

// settingAttribute returns the attribute of a setting. The conventions have no names for all of them.
func settingAttribute(setting string) string {
	switch setting {
	case "stop":
		return "gen_ai.request.stop_sequences"
	case "reasoning", "verbosity", "parallel_tool_calls", "extra":
		return "agentc.model." + setting
	}

	return "gen_ai.request." + setting
}

// toolProblem is the kind of error of a tool, perhaps that of what has cut it off: what it says itself is a text.
func toolProblem(s core.Sight) string {
	switch {
	case s.Err != nil:
		return failureOf(s.Err)
	case s.Problem != "":
		return "tool_error"
	}

	return ""
}

func (t *tracer) toolAttributes(s core.Sight) trace.SpanStartEventOption {
	kind := "function"
	if s.Tool.Builtin {
		kind = "extension"
	}
	all := attributes{
		keyOperation.String(executing), keyTool.String(s.Name), attribute.String("gen_ai.tool.type", kind), keyAgent.String(s.Agent),
		keyRun.String(t.run.Run), keyAddress.String(s.Address),
	}
	all.addText("gen_ai.tool.call.id", s.CallID)
	all.addText("gen_ai.tool.description", s.Tool.Description)
	all.addText("agentc.tool.server", s.Tool.Server)
	if t.content {
		all = append(all, attribute.String("gen_ai.tool.call.arguments", t.run.Redact(s.Args)))
		if s.Problem == "" {
			all = append(all, attribute.String("gen_ai.tool.call.result", t.run.Redact(s.Text)))
		}
	}

	return withAttributes(all...)
}
