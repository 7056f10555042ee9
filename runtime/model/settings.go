package model

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Settings are what a model is asked with, besides its name. A field is nil if nothing sets it.
type Settings struct {
	// Temperature is the sampling temperature.
	Temperature *float64
	// MaxTokens bounds a reply, in tokens.
	MaxTokens *int
	// TopP is the share of the probability that the tokens have together from which the model samples, the most
	// probable ones.
	TopP *float64
	// TopK is how many of the most probable tokens the model samples from.
	TopK *int
	// Seed makes the samples repeatable, as far as the server can.
	Seed *int
	// Stop are texts that end a reply. The reply does not contain them.
	Stop *[]string
	// Reasoning is the effort of reasoning: none, minimal, low, medium or high.
	Reasoning *string
	// Verbosity is the length of replies: low, medium or high.
	Verbosity *string
	// ParallelToolCalls allows several calls of tools in one reply.
	ParallelToolCalls *bool
	// Extra has settings that only some servers know. They are members of the request.
	Extra *Object
}

// NamedSettings are Settings whose fields have in JSON the names of the table, for recordings and pages. The two types
// convert into each other, so that a field that one of them lacks does not compile.
type NamedSettings struct {
	Temperature       *float64  `json:"temperature,omitempty"`
	MaxTokens         *int      `json:"max_tokens,omitempty"`
	TopP              *float64  `json:"top_p,omitempty"`
	TopK              *int      `json:"top_k,omitempty"`
	Seed              *int      `json:"seed,omitempty"`
	Stop              *[]string `json:"stop,omitempty"`
	Reasoning         *string   `json:"reasoning,omitempty"`
	Verbosity         *string   `json:"verbosity,omitempty"`
	ParallelToolCalls *bool     `json:"parallel_tool_calls,omitempty"`
	Extra             *Object   `json:"extra,omitempty"`
}

// Kind is the kind of the values of a setting.
type Kind int

// The kinds of values, and their types in Go.
const (
	KindNumber  Kind = iota // float64
	KindWhole               // int
	KindLevel               // string, one of Setting.Levels
	KindTexts               // []string, at least one and at most Setting.MaxItems
	KindBoolean             // bool
	KindObject              // Object
)

// Setting is a row of the table of settings: a field of Settings, and all that readers of settings have to know of it.
type Setting struct {
	// Name is the name in source files, recordings, pages and requests, such as max_tokens.
	Name string
	// Variable is the end of the names of environment variables, such as _MAX_TOKENS.
	Variable string
	// Field is the name of the field of Settings.
	Field string
	// Title and Doc describe the setting in schemas: a name, and a sentence.
	Title, Doc string
	Kind       Kind
	// Min and Max bound numbers. Max is +Inf if nothing bounds them above.
	Min, Max float64
	// Levels are the values of a KindLevel, the lowest first.
	Levels []string
	// MaxItems bounds a KindTexts.
	MaxItems int
	// MayBeRefused reports whether there are servers that do not accept the setting. The request is then repeated
	// without it.
	MayBeRefused bool
	// LackedBy are the built-in providers whose interfaces lack the setting. They never send it.
	LackedBy []string
	// HashedByPosition reports whether digests of requests have the value at a fixed position. The settings of the
	// first recordings and journals do. A later one is in a digest by its name, and only if it is set, so that the
	// digests of older requests stay what they are.
	HashedByPosition bool

	field field
}

// field gives access to a field of Settings.
type field interface {
	value(s *Settings) any
	set(s *Settings, value any)
	clear(s *Settings)
}

// access returns a field, whose values are of type T.
type access[T any] func(s *Settings) **T

func (a access[T]) value(s *Settings) any {
	if value := *a(s); value != nil {
		return *value
	}

	return nil
}

func (a access[T]) set(s *Settings, value any) {
	typed := value.(T)
	*a(s) = &typed
}

func (a access[T]) clear(s *Settings) { *a(s) = nil }

// settingTable has a row for each field of Settings, in the order in which they are sent, hashed and displayed.
var settingTable = []*Setting{
	{
		Name: "temperature", Variable: "_TEMPERATURE", Field: "Temperature", Title: "Temperature", Doc: "Sampling temperature.",
		Kind: KindNumber, Max: 2, MayBeRefused: true, HashedByPosition: true,
		field: access[float64](func(s *Settings) **float64 { return &s.Temperature }),
	},
	{
		Name: "max_tokens", Variable: "_MAX_TOKENS", Field: "MaxTokens", Title: "Token limit of a reply",
		Doc:  "How many tokens a reply may have at most.",
		Kind: KindWhole, Min: 1, Max: math.Inf(1), HashedByPosition: true,
		field: access[int](func(s *Settings) **int { return &s.MaxTokens }),
	},
	{
		Name: "top_p", Variable: "_TOP_P", Field: "TopP", Title: "Top p",
		Doc:  "Only the most probable tokens that have this share of the probability together are sampled from.",
		Kind: KindNumber, Max: 1, MayBeRefused: true,
		field: access[float64](func(s *Settings) **float64 { return &s.TopP }),
	},
	{
		Name: "top_k", Variable: "_TOP_K", Field: "TopK", Title: "Top k",
		Doc:  "Only this number of the most probable tokens is sampled from.",
		Kind: KindWhole, Min: 1, Max: math.Inf(1), MayBeRefused: true,
		field: access[int](func(s *Settings) **int { return &s.TopK }),
	},
	{
		Name: "seed", Variable: "_SEED", Field: "Seed", Title: "Seed",
		Doc:  "A server that knows it answers equal requests with equal replies, as far as it can.",
		Kind: KindWhole, Max: math.Inf(1), MayBeRefused: true, LackedBy: []string{"anthropic"},
		field: access[int](func(s *Settings) **int { return &s.Seed }),
	},
	{
		Name: "stop", Variable: "_STOP", Field: "Stop", Title: "Stop",
		Doc:  "Texts that end a reply, which does not contain them.",
		Kind: KindTexts, MaxItems: 4,
		field: access[[]string](func(s *Settings) **[]string { return &s.Stop }),
	},
	{
		Name: "reasoning", Variable: "_REASONING", Field: "Reasoning", Title: "Reasoning",
		Doc:  "The effort of the model's reasoning before it answers.",
		Kind: KindLevel, Levels: []string{"none", "minimal", "low", "medium", "high"}, MayBeRefused: true,
		field: access[string](func(s *Settings) **string { return &s.Reasoning }),
	},
	{
		Name: "verbosity", Variable: "_VERBOSITY", Field: "Verbosity", Title: "Verbosity",
		Doc:  "How long replies are.",
		Kind: KindLevel, Levels: []string{"low", "medium", "high"}, MayBeRefused: true, LackedBy: []string{"anthropic"},
		field: access[string](func(s *Settings) **string { return &s.Verbosity }),
	},
	{
		Name: "parallel_tool_calls", Variable: "_PARALLEL_TOOL_CALLS", Field: "ParallelToolCalls", Title: "Parallel calls",
		Doc:  "Whether a reply may have several calls of tools.",
		Kind: KindBoolean, MayBeRefused: true,
		field: access[bool](func(s *Settings) **bool { return &s.ParallelToolCalls }),
	},
	{
		Name: "extra", Variable: "_EXTRA", Field: "Extra", Title: "Further settings",
		Doc:   "Settings that only some servers know, as members of the request.",
		Kind:  KindObject,
		field: access[Object](func(s *Settings) **Object { return &s.Extra }),
	},
}

// SettingTable returns a row for each field of Settings, in the order in which settings are sent, hashed and displayed.
// The caller must not change it.
func SettingTable() []*Setting { return settingTable }

// Or returns the settings with what they leave unset taken from others. The fields have no names here, so that a new one
// that is not there does not compile.
func (s Settings) Or(others Settings) Settings {
	return Settings{
		cmp.Or(s.Temperature, others.Temperature),
		cmp.Or(s.MaxTokens, others.MaxTokens),
		cmp.Or(s.TopP, others.TopP),
		cmp.Or(s.TopK, others.TopK),
		cmp.Or(s.Seed, others.Seed),
		cmp.Or(s.Stop, others.Stop),
		cmp.Or(s.Reasoning, others.Reasoning),
		cmp.Or(s.Verbosity, others.Verbosity),
		cmp.Or(s.ParallelToolCalls, others.ParallelToolCalls),
		cmp.Or(s.Extra, others.Extra),
	}
}

// IsLackedBy reports whether the interface of a built-in provider lacks the setting.
func (r *Setting) IsLackedBy(provider string) bool { return slices.Contains(r.LackedBy, provider) }

// IsNumber reports whether the values are numbers, whole or not.
func (r *Setting) IsNumber() bool { return r.Kind == KindNumber || r.Kind == KindWhole }

// Value returns the value, of the type of the kind; nil if it is not set.
func (r *Setting) Value(s Settings) any { return r.field.value(&s) }

// Text returns the value as JSON has it; "" if it is not set.
func (r *Setting) Text(s Settings) string {
	switch value := r.Value(s).(type) {
	case int:
		return strconv.Itoa(value)
	case float64:
		return numberText(value)
	case string:
		return string(jsontext.Append(nil, value))
	case bool:
		return strconv.FormatBool(value)
	case []string:
		return listText(value)
	case Object:
		return string(value)
	}

	return ""
}

// Set sets the value, which is of the type of the kind. A number may be a float64 for each of its two kinds. What
// follows the point of a whole number is then ignored.
func (r *Setting) Set(s *Settings, value any) {
	number, isFloat := value.(float64)
	if isFloat && r.Kind == KindWhole {
		value = int(number)
	}
	r.field.set(s, value)
}

// Clear unsets the value.
func (r *Setting) Clear(s *Settings) { r.field.clear(s) }

// Parse sets the value that a text spells: a number, a level, true or false, a list or an object as JSON. It returns an
// error with the expected form if the text spells no value.
func (r *Setting) Parse(s *Settings, text string) error {
	value, err := r.parse(text)
	if err != nil || !r.allows(value) {
		return errors.New("is not a " + r.Range())
	}
	r.Set(s, value)

	return nil
}

// parse returns the value that a text spells.
func (r *Setting) parse(text string) (any, error) {
	switch r.Kind {
	case KindNumber:
		return strconv.ParseFloat(text, 64)
	case KindWhole:
		return strconv.Atoi(text)
	case KindBoolean:
		return text == "true", checkBoolean(text)
	case KindTexts:
		var list []string
		err := jsontext.Strictly([]byte(text), &list)

		return list, err
	case KindObject:
		return ParseObject(text)
	}

	return text, nil
}

// checkBoolean returns an error for all but true and false.
func checkBoolean(text string) error {
	if text == "true" || text == "false" {
		return nil
	}

	return strconv.ErrSyntax
}

// allows reports whether a value is in the range. NaN is not.
func (r *Setting) allows(value any) bool {
	switch value := value.(type) {
	case float64:
		return value >= r.Min && value <= r.Max
	case int:
		return float64(value) >= r.Min && float64(value) <= r.Max
	case string:
		return slices.Contains(r.Levels, value)
	case []string:
		return len(value) > 0 && len(value) <= r.MaxItems && !slices.Contains(value, "")
	}

	return true
}

// Range describes the values in words: number from 0 to 2.
func (r *Setting) Range() string {
	switch r.Kind {
	case KindLevel:
		last := len(r.Levels) - 1

		return "level: " + strings.Join(r.Levels[:last], ", ") + " or " + r.Levels[last]
	case KindTexts:
		return "list of 1 to " + strconv.Itoa(r.MaxItems) + " texts"
	case KindBoolean:
		return "boolean"
	case KindObject:
		return "mapping with members that are not sent already"
	}

	return r.numberRange()
}

// numberRange describes the values of a number.
func (r *Setting) numberRange() string {
	kind := "number"
	if r.Kind == KindWhole {
		kind = "whole number"
	}
	switch {
	case !math.IsInf(r.Max, 1):
		return kind + " from " + numberText(r.Min) + " to " + numberText(r.Max)
	case r.Kind == KindWhole && r.Min > 0:
		return kind + " above " + numberText(r.Min-1)
	}

	return kind + " of at least " + numberText(r.Min)
}

func numberText(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// listText returns texts as a list of JSON.
func listText(texts []string) string {
	list := []byte("[")
	for i, text := range texts {
		if i > 0 {
			list = append(list, ',')
		}
		list = jsontext.Append(list, text)
	}

	return string(append(list, ']'))
}
