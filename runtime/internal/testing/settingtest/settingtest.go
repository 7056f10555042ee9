// Package settingtest has values for tests that range over the settings of models.
package settingtest

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Values returns two values of a setting, as the texts that Parse reads.
func Values(s *model.Setting) [2]string {
	switch s.Kind {
	case model.KindLevel:
		return [2]string{s.Levels[len(s.Levels)-2], s.Levels[len(s.Levels)-1]}
	case model.KindTexts:
		return [2]string{`["END"]`, `["END","<\n>"]`}
	case model.KindBoolean:
		return [2]string{"false", "true"}
	case model.KindObject:
		return [2]string{`{"service_tier":"auto"}`, `{"service_tier":"default"}`}
	case model.KindNumber:
		return [2]string{"0.5", "1"}
	}

	return [2]string{"1", "2"}
}

// Set sets a setting to a text that Parse reads.
func Set(t testing.TB, row *model.Setting, s *model.Settings, text string) {
	t.Helper()
	if err := row.Parse(s, text); err != nil {
		t.Fatalf("%s %s: %v", row.Name, text, err)
	}
}

// Example returns settings of which one is set, to the second of its values.
func Example(t testing.TB, row *model.Setting) (s model.Settings) {
	t.Helper()
	Set(t, row, &s, Values(row)[1])

	return s
}
