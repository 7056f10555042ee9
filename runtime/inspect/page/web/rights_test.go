package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// startAs starts a run for the holder of a token and returns its id.
func startAs(t *testing.T, url, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/runs", strings.NewReader(`{"input": "A-7"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	var made struct{ Run string }
	if err == nil {
		err = json.Unmarshal(text, &made)
	}
	if err != nil || made.Run == "" {
		t.Fatalf("%s: %v", text, err)
	}

	return made.Run
}

// TestRightsOnThePage: the page has buttons and forms for what the token permits, and no others.
func TestRightsOnThePage(t *testing.T) {
	grants := map[string]access.Grant{
		"front-0123456789abcdef": {Name: "front", Rights: []access.Right{access.Start}},
		"head-0123456789abcdef":  {Name: "head", Rights: []access.Right{access.Read, access.Answer}, Questions: []string{"approve"}},
		"clerk-0123456789abcdef": {Name: "clerk", Rights: []access.Right{access.Read, access.Answer, access.Cancel}, Questions: []string{"well"}},
		"boss-0123456789abcdef":  {Name: "boss"},
	}
	s := serve.New(serve.Options{Program: desk(), Caller: func(token string) (access.Grant, bool) { g, ok := grants[token]; return g, ok }})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	ctx := browser(t)
	id := startAs(t, h.URL, "front-0123456789abcdef")
	as := func(token string) {
		t.Helper()
		open(t, ctx, h.URL+"/")
		js[string](t, ctx, `(sessionStorage.setItem("agentc-token", "`+token+`-0123456789abcdef"), "")`)
	}
	for token, want := range map[string][]string{
		"front": {"Start a run"}, "head": {"Answer form"}, "clerk": {"Cancel"}, "boss": {"Answer form", "Cancel", "Start a run"},
	} {
		as(token)
		open(t, ctx, h.URL+"/?again="+token)
		eventually(t, ctx, "document.querySelector('.inbox .prompt') !== null")
		got := offered(t, ctx, map[string]string{"Start a run": ".start", "Answer form in the inbox": ".inbox form"})
		if slices.Contains(got, "Answer form in the inbox") != slices.Contains(want, "Answer form") || slices.Contains(got, "Start a run") != slices.Contains(want, "Start a run") {
			t.Errorf("%s: the list has %q, want %q", token, got, want)
		}
		open(t, ctx, h.URL+"/?run="+id)
		eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused'")
		run(t, ctx, click("header .waits"))
		eventually(t, ctx, "document.querySelector('.panel:not([hidden]) .prompt') !== null")
		got = append(got, offered(t, ctx, map[string]string{"Answer form": ".panel .question form", "Cancel": "header .act button"})...)
		got = slices.DeleteFunc(got, func(name string) bool { return name == "Answer form in the inbox" })
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: the page offers %q, want %q", token, got, want)
		}
		mayNot := "Your token may not answer this question."
		if text := js[string](t, ctx, "document.querySelector('.panel .question').innerText"); strings.Contains(text, mayNot) == slices.Contains(want, "Answer form") {
			t.Errorf("%s: the question says %q", token, text)
		}
		if token == "front" {
			run(t, ctx, chromedp.EmulateViewport(1280, 800))
			accessible(t, ctx, "a question that the caller may not answer")
		}
	}
}

// offered returns the names whose selectors find something on the page.
func offered(t *testing.T, ctx context.Context, selectors map[string]string) (names []string) {
	t.Helper()
	for name, selector := range selectors {
		if js[bool](t, ctx, "document.querySelector('"+selector+"') !== null") {
			names = append(names, name)
		}
	}

	return names
}
