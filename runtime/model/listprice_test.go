package model_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// TestListPrice: names of models, of their snapshots and of none.
func TestListPrice(t *testing.T) {
	for name, want := range map[string]string{
		"openai:gpt-4o":                        "openai:gpt-4o",
		"openai:gpt-4o-2024-08-06":             "openai:gpt-4o",
		"openai:gpt-4o-2024-05-13":             "openai:gpt-4o-2024-05-13",
		"anthropic:claude-sonnet-4-5-20250929": "anthropic:claude-sonnet-4-5",
		"google:gemini-2.5-flash":              "gemini:gemini-2.5-flash",
		"gpt-4o":                               "",
		"openai:gpt-4o-audio-preview":          "",
		"openai:gpt-4o-2024-0806":              "",
		"openai:gpt-4o-20240-8-06":             "",
		"azure:gpt-4o":                         "",
		"":                                     "",
		"-20250929":                            "",
	} {
		price, ok := model.ListPrice(name)
		if price.Name != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", name, price.Name, ok, want)
		}
		if !ok {
			continue
		}
		if price.Input <= 0 || price.Output <= 0 || price.Cached <= 0 || price.Stored <= 0 || price.Context <= 0 {
			t.Errorf("%s is not complete: %+v", name, price)
		}
	}
	if _, err := time.Parse(time.DateOnly, model.ListPricesDay); err != nil {
		t.Error(err)
	}
}
