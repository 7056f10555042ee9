package main

import (
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// TestTable takes what belongs into the list from a source of all kinds of models, and writes it as
// Go.
func TestTable(t *testing.T) {
	source, err := os.ReadFile("testdata/source.json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := selectEntries(source, "2026-11-29")
	if err != nil {
		t.Fatal(err)
	}
	table, err := generateTable(list)
	if err != nil {
		t.Fatal(err)
	}
	casetest.Golden(t, "testdata/table.txt", string(table))
}

// TestTableIsTheList: the Go of package model is what known.json says.
func TestTableIsTheList(t *testing.T) {
	t.Chdir("../../..")
	list, err := os.ReadFile(listFile)
	if err != nil {
		t.Fatal(err)
	}
	table, err := generateTable(list)
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(tableFile); err != nil || string(written) != string(table) {
		t.Errorf("%s is not what %s says: run go run ./gen/internal/pricelist (%v)", tableFile, listFile, err)
	}
}

func TestSourceErrors(t *testing.T) {
	for _, c := range []struct{ text, asOf, want string }{
		{`{}`, "today", "-as-of must be the date of the list"},
		{`{}`, "2026-11-29", "no model of anthropic, "},
		{`[]`, "2026-11-29", "cannot unmarshal array"},
		{`<html>`, "2026-11-29", "invalid character"},
	} {
		if _, err := selectEntries([]byte(c.text), c.asOf); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as of %s: got %v, want %s", c.text, c.asOf, err, c.want)
		}
	}
	if err := updateFiles("2026-11-29", "no-such-file.json"); err == nil || !strings.Contains(err.Error(), "no-such-file.json") {
		t.Errorf("got %v", err)
	}
	if _, err := generateTable([]byte(`{"models": {"gemini/a": {"litellm_provider": "gemini"}, "a": {"litellm_provider": "gemini"}}}`)); err == nil {
		t.Error("a model that is in the list twice is no error")
	}
}
