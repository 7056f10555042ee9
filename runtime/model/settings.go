package model

import (
	"cmp"
	"errors"
	"math"
	"strconv"
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
}

// NamedSettings are Settings whose fields have in JSON the names of the table, for recordings and pages. The two types
// convert into each other, so that a field that one of them lacks does not compile.
type NamedSettings struct {
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
}

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
	// Min and Max bound its values. Max is +Inf if nothing bounds them above.
	Min, Max float64
	// MayBeRefused reports whether there are servers that do not accept the setting. The request is then repeated
	// without it.
	MayBeRefused bool
	// HashedByPosition reports whether digests of requests have the value at a fixed position. The settings of the
	// first recordings and journals do. A later one is in a digest by its name, and only if it is set, so that the
	// digests of older requests stay what they are.
	HashedByPosition bool

	// number and whole return the field; one of them is nil, by the kind of the setting.
	number func(s *Settings) **float64
	whole  func(s *Settings) **int
}

// settingTable has a row for each field of Settings, in the order in which they are sent, hashed and displayed.
var settingTable = []*Setting{
	{
		Name: "temperature", Variable: "_TEMPERATURE", Field: "Temperature", Title: "Temperature", Doc: "Sampling temperature.",
		Max: 2, MayBeRefused: true, HashedByPosition: true,
		number: func(s *Settings) **float64 { return &s.Temperature },
	},
	{
		Name: "max_tokens", Variable: "_MAX_TOKENS", Field: "MaxTokens", Title: "Token limit of a reply",
		Doc: "How many tokens a reply may have at most.",
		Min: 1, Max: math.Inf(1), HashedByPosition: true,
		whole: func(s *Settings) **int { return &s.MaxTokens },
	},
	{
		Name: "top_p", Variable: "_TOP_P", Field: "TopP", Title: "Top p",
		Doc: "Only the most probable tokens that have this share of the probability together are sampled from.",
		Max: 1, MayBeRefused: true,
		number: func(s *Settings) **float64 { return &s.TopP },
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
	}
}

// IsWhole reports whether the values are whole numbers.
func (r *Setting) IsWhole() bool { return r.whole != nil }

// Value returns the value, a float64 or an int; nil if it is not set.
func (r *Setting) Value(s Settings) any {
	if r.whole != nil {
		if value := *r.whole(&s); value != nil {
			return *value
		}

		return nil
	}
	if value := *r.number(&s); value != nil {
		return *value
	}

	return nil
}

// Text returns the value as JSON has it; "" if it is not set.
func (r *Setting) Text(s Settings) string {
	switch value := r.Value(s).(type) {
	case int:
		return strconv.Itoa(value)
	case float64:
		return numberText(value)
	}

	return ""
}

// Set sets the value. What follows the point of a whole number is ignored.
func (r *Setting) Set(s *Settings, value float64) {
	if r.whole != nil {
		whole := int(value)
		*r.whole(s) = &whole

		return
	}
	*r.number(s) = &value
}

// Clear unsets the value.
func (r *Setting) Clear(s *Settings) {
	if r.whole != nil {
		*r.whole(s) = nil

		return
	}
	*r.number(s) = nil
}

// Parse sets the value that a text spells. It returns an error with the expected form if the text
// spells no value.
func (r *Setting) Parse(s *Settings, text string) error {
	value, err := r.parse(text)
	if err != nil || !r.allows(value) {
		return errors.New("is not a " + r.Range())
	}
	r.Set(s, value)

	return nil
}

// parse returns the number that a text spells.
func (r *Setting) parse(text string) (float64, error) {
	if r.whole != nil {
		value, err := strconv.Atoi(text)

		return float64(value), err
	}

	return strconv.ParseFloat(text, 64)
}

// allows reports whether a value is in the range. NaN is not.
func (r *Setting) allows(value float64) bool { return value >= r.Min && value <= r.Max }

// Range describes the values in words: number from 0 to 2.
func (r *Setting) Range() string {
	kind := "number"
	if r.whole != nil {
		kind = "whole number"
	}
	switch {
	case !math.IsInf(r.Max, 1):
		return kind + " from " + numberText(r.Min) + " to " + numberText(r.Max)
	case r.whole != nil:
		return kind + " above " + numberText(r.Min-1)
	}

	return kind + " of at least " + numberText(r.Min)
}

func numberText(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
