package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// desk is a program that asks a person, and then another one.
func desk() *compiled.Program {
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		fx.Note(event.Event{Kind: event.Enter, Agent: "desk", Machine: "desk", State: "approve", Visit: 1})
		approved, err := fx.Ask(runtime.Question{
			ID: "approve", Agent: "desk", Prompt: "Pay for <b>" + input + "</b>?",
			Schema: `{"type":"object","properties":{"approved":{"type":"boolean"},"cents":{"type":"integer"},"why":{"type":"string"}},"required":["approved"]}`,
		})
		if err != nil {
			return runtime.Finish{}, err
		}
		well, err := fx.Ask(runtime.Question{ID: "well", Agent: "desk", Prompt: "Well?", Choices: []string{"yes", "no"}})

		return runtime.Finish{Key: "done", Value: approved.Value + " " + well.Value}, err
	}

	return &compiled.Program{Name: "desk", Entry: "desk", Shape: "s", Text: "t", Agents: []compiled.Agent{{Name: "desk", Pattern: "fsm", Graph: picture, Run: run}}}
}

// eventually waits until an expression is true on the page. While a link is followed there is no page
// that could compute it.
func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		isTrue, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		switch {
		case err == nil && isTrue:
			return
		case err != nil && !isNavigating(err):
			t.Fatalf("%.200s: %v", expression, err)
		case time.Since(begun) > 30*time.Second:
			t.Fatalf("never %s: %.1500s", expression, js[string](t, ctx, "document.body.innerText"))
		}
	}
}

// isNavigating reports whether an expression was not computed because its page went away.
func isNavigating(err error) bool {
	return strings.Contains(err.Error(), "Inspected target navigated or closed")
}

// click clicks what a selector finds, in one step: a page that is live may make it anew at any time.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).click()", selector))
}

// focus focuses what a selector finds, in one step as click does.
func focus(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).focus()", selector))
}

// TestServed starts a run in the browser, answers its questions by forms made of their schemas, sees it end, forks and cancels a copy.
func TestServed(t *testing.T) {
	const token = "ada-0123456789abcdef"
	known, err := access.Parse("test", "ada="+token)
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Options{Program: desk(), Caller: known.Lookup})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	ctx := browser(t)
	problems := watch(t, ctx)
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})

	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelector('dialog[open] input') !== null")
	accessible(t, ctx, "token")
	run(t, ctx, focus("dialog input"), chromedp.KeyEvent(token+"\r"))
	eventually(t, ctx, "document.body.innerText.includes('There are no runs yet.')")

	run(t, ctx, click(".start summary"), focus(".start textarea"), chromedp.KeyEvent("A-7"))
	accessible(t, ctx, "list")
	run(t, ctx, click(".start form button"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused'")
	run(t, ctx, click(".row .kind.state"), click(".detail summary")) // which stays unfolded
	eventually(t, ctx, detail+".includes('No values and no memory yet.')")
	has(t, ctx, "document.querySelector('header .waits').textContent", "Answer approve")
	run(t, ctx, click("header .waits"))
	eventually(t, ctx, "document.querySelector('.panel:not([hidden]) .prompt')?.textContent === 'Pay for <b>A-7</b>?'")
	run(t, ctx, focus(".question input[type=number]"), chromedp.KeyEvent("1999"))
	pick := func(choice string) {
		t.Helper()
		js[string](t, ctx, `document.querySelector(".question select").value = "`+choice+`"`)
	}
	run(t, ctx, click(".question form button")) // nothing is chosen yet
	pick("0")
	accessible(t, ctx, "question")
	if *golden.Update {
		screen(t, ctx, "answer.png")
	}
	run(t, ctx, click(".question form button"))
	eventually(t, ctx, "document.querySelector('.prompt')?.textContent === 'Well?'")
	run(t, ctx, click("#tab-run"))
	has(t, ctx, detail, "No values and no memory yet.")
	run(t, ctx, click("#tab-questions"))

	// The next one is answered in the list of all open questions, where each answer has a button.
	whole := js[string](t, ctx, "location.href.replace(/#.*/, '')")
	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelector('.inbox .prompt')?.textContent === 'Well?' && document.querySelector('.inbox .signed b')?.textContent === 'ada'")
	has(t, ctx, "document.querySelector('tbody').innerText", "paused", "A-7", "Well?")
	accessible(t, ctx, "list with a question")
	if *golden.Update {
		screen(t, ctx, "inbox.png")
	}
	search := func(text string) {
		t.Helper()
		run(t, ctx, chromedp.Evaluate[chromedp.Void](`(() => { const field = document.querySelector("[type=search]"); field.value = "`+text+`"; field.dispatchEvent(new Event("input")); })()`))
	}
	search("nothing like it")
	eventually(t, ctx, "document.body.innerText.includes('There are no such runs.')")
	search("a-7")
	eventually(t, ctx, "document.querySelectorAll('tbody tr').length === 1")
	run(t, ctx, click(".inbox form button"))
	eventually(t, ctx, "document.querySelector('.inbox').hidden && document.querySelector('tbody .status').textContent === 'done'")
	open(t, ctx, whole)
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'done'")
	run(t, ctx, click("#tab-run"), click(".row"))
	has(t, ctx, detail, `{"approved":true,"cents":1999} yes`)

	// A copy with an edited reply goes on otherwise, and is compared with the run that it was made of.
	atSecond := func() {
		t.Helper()
		open(t, ctx, whole+"#2")
		eventually(t, ctx, "document.querySelector('.detail details:last-of-type summary')?.textContent === 'Fork here'")
		run(t, ctx, click(".detail details:last-of-type summary"))
		eventually(t, ctx, "document.querySelector('.detail textarea')?.value === 'yes'")
	}
	atSecond()
	accessible(t, ctx, "fork")
	js[string](t, ctx, `document.querySelector(".detail textarea").value = "no"`)
	run(t, ctx, click(".detail form button"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'done' && location.hash === ''")
	has(t, ctx, "document.querySelector('.detail').textContent", `{"approved":true,"cents":1999} no`, "copy ofrun ")
	run(t, ctx, click("#tab-compare"))
	eventually(t, ctx, "document.querySelectorAll('.compare option').length === 2")
	accessible(t, ctx, "choice of a run to compare with")
	js[string](t, ctx, `(() => { const choice = document.querySelector(".compare select"); choice.value = choice.options[1].value; choice.dispatchEvent(new Event("change")); return ""; })()`)
	const compared = "document.querySelector('.compare')?.textContent.includes('1 of 2 effects differ, the first at #2.') === true"
	eventually(t, ctx, compared)
	run(t, ctx, chromedp.Reload())
	eventually(t, ctx, compared+" && document.querySelector('#tab-compare').ariaSelected === 'true'")
	run(t, ctx, chromedp.EmulateViewport(360, 740))
	if over := js[int](t, ctx, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
		t.Errorf("the comparison is %d pixels too wide", over)
	}
	accessible(t, ctx, "comparison, narrow")
	run(t, ctx, chromedp.EmulateViewport(1280, 800))

	atSecond()
	run(t, ctx, click(".detail form button[type=button]"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused' && document.body.innerText.includes('Cancel')")
	run(t, ctx, click("header .act button"))
	// A run that was cancelled takes no answer; it can be resumed, as can one that waits for nothing but that.
	const acts = "[...document.querySelectorAll('header .act button')].map((b) => b.textContent).join()"
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'cancelled' && "+acts+" === 'Resume'")
	run(t, ctx, click("#tab-questions"))
	if js[bool](t, ctx, "document.querySelector('.questions form') !== null") {
		t.Error("a cancelled run has a form for an answer")
	}
	fork := js[string](t, ctx, `fetch("runs/" + new URLSearchParams(location.search).get("run") + "/forks", {
		method: "POST", headers: {"Content-Type": "application/json", Authorization: "Bearer " + sessionStorage.getItem("agentc-token")}, body: JSON.stringify({at: "2", reply: "yes", resume: false}),
	}).then((reply) => reply.json()).then((made) => made.run)`)
	open(t, ctx, h.URL+"/?run="+fork)
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused' && "+acts+" === 'Cancel,Resume'")
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("header .act button")].find((b) => b.textContent === "Resume").click()`))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'done'")

	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelectorAll('tbody tr').length === 4")
	if *golden.Update {
		screen(t, ctx, "runs.png")
	}
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// TestServedStranded: a run that needs another version of the program is marked in the list, the inbox and on its page, where it can be
// resumed with this one.
func TestServedStranded(t *testing.T) {
	store := journal.Memory()
	s := serve.New(serve.Options{Program: desk(), Store: store})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	reply, err := http.Post(h.URL+"/runs", "application/json", strings.NewReader(`{"run": "r1", "input": "A-7"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	for status := ""; status != "paused"; time.Sleep(10 * time.Millisecond) {
		shown, err := s.Client(access.Caller{}).Get(t.Context(), "r1")
		if err != nil {
			t.Fatal(err)
		}
		status = string(shown.Status)
	}

	deployed := desk()
	deployed.Shape = "s2"
	next := serve.New(serve.Options{Program: deployed, Store: store})
	served := httptest.NewServer(next.Handler())
	t.Cleanup(served.Close)
	t.Cleanup(next.CloseNow)
	ctx := browser(t)
	problems := watch(t, ctx)
	open(t, ctx, served.URL+"/")
	eventually(t, ctx, "document.querySelector('tbody')?.innerText.includes('needs another version') === true")
	eventually(t, ctx, "document.querySelector('.inbox').innerText.includes('This run needs another version of the program')")
	accessible(t, ctx, "list with a stranded run")
	open(t, ctx, served.URL+"/?run=r1")
	eventually(t, ctx, "document.querySelector('header')?.innerText.includes('needs another version of the program') === true")
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".acts button")].find((b) => b.textContent === "Resume with this version").click()`))
	eventually(t, ctx, "!document.querySelector('header').innerText.includes('needs another version')")
	if len(*problems) > 0 {
		t.Error(*problems)
	}
}

// TestStartWithContext: the context of a workflow is entered by fields made of its schema.
func TestStartWithContext(t *testing.T) {
	began := func(_ runtime.Effects, input string, given json.RawMessage) (runtime.Finish, error) {
		return runtime.Finish{Key: "done", Value: input + " with " + string(given)}, nil
	}
	workflow := compiled.Agent{
		Name: "order", Pattern: "workflow",
		Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return began(fx, input, json.RawMessage("nothing"))
		},
		Context: &compiled.Context{
			Schema: `{"type":"object","properties":{"urgent":{"type":"boolean"},"cents":{"type":"integer"},"items":{"type":"array"}}}`,
			Check:  func(json.RawMessage) error { return nil }, Run: began,
		},
	}
	s := serve.New(serve.Options{Program: &compiled.Program{Name: "shop", Entry: "order", Agents: []compiled.Agent{workflow}}})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	ctx := browser(t)
	for _, test := range []struct{ cents, items, want string }{
		{"", "", "A-7 with nothing"}, {"1999", "", `A-7 with {"cents":1999}`}, {"5", `["a"]`, `A-7 with {"cents":5,"items":["a"]}`},
	} {
		open(t, ctx, h.URL+"/")
		eventually(t, ctx, "document.querySelectorAll('.start fieldset label').length === 3")
		js[string](t, ctx, fmt.Sprintf(`(() => {
			const form = document.querySelector(".start form");
			[form.querySelector("textarea").value, form.querySelector("[type=number]").value] = ["A-7", %q];
			form.querySelector("fieldset textarea").value = %q;
			return "";
		})()`, test.cents, test.items))
		run(t, ctx, click(".start summary"))
		accessible(t, ctx, "start with a context")
		run(t, ctx, click(".start form button"))
		eventually(t, ctx, "document.querySelector('main.run .status')?.textContent === 'done'")
		has(t, ctx, detail, test.want)
	}
}

// TestServedProblems: a run that cannot be read is said to be damaged where another one is compared with it, and a reply that is too long to
// be edited is not replaced by nothing.
func TestServedProblems(t *testing.T) {
	dir := t.TempDir()
	long := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		_, err := fx.Call(runtime.FuncCall{Name: "work", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.Marshal(strings.Repeat("0123456789", 1<<20))
		}})
		return runtime.Finish{Key: "done"}, err
	}
	s := serve.New(serve.Options{Program: &compiled.Program{Name: "long", Entry: "long", Agents: []compiled.Agent{{Name: "long", Run: long}}}, Store: journal.Files(dir)})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	if err := os.WriteFile(filepath.Join(dir, "bad.journal"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	started, err := http.Post(h.URL+"/runs", "application/json", strings.NewReader(`{"agent":"long","input":"x","run":"good"}`))
	if err != nil || started.StatusCode != http.StatusCreated {
		t.Fatal(started, err)
	}
	_ = started.Body.Close()
	ctx := browser(t)
	problems := watch(t, ctx)
	open(t, ctx, h.URL+"/?run=good&compare=bad")
	eventually(t, ctx, "document.querySelector('.compare')?.textContent.includes('is damaged at byte 0') === true")
	open(t, ctx, h.URL+"/?run=good#1")
	eventually(t, ctx, "document.querySelector('.detail details:last-of-type summary')?.textContent === 'Fork here'")
	run(t, ctx, click(".detail details:last-of-type summary"))
	eventually(t, ctx, "document.querySelector('.detail textarea:required')?.value === ''")
	accessible(t, ctx, "fork at a long value")
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// TestLive: what happens in a run is seen on its page; of a long run only what is new is sent. The time from event to pixel is printed.
func TestLive(t *testing.T) {
	ticks := make(chan time.Time)
	agent := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for n := 0; ; n++ {
			_, err := fx.Call(runtime.FuncCall{Name: "work", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				if n >= 1000 {
					<-ticks
				}
				return json.RawMessage(fmt.Sprintf(`"result %d of the work, with words around it"`, n)), nil
			}})
			if err != nil || n == 1010 {
				return runtime.Finish{Key: "done"}, err
			}
			fx.Note(event.Event{Kind: event.Step, Agent: "busy", Name: "done", Value: strconv.Itoa(n)})
		}
	}
	s := serve.New(serve.Options{Program: &compiled.Program{Name: "busy", Entry: "busy", Agents: []compiled.Agent{{Name: "busy", Run: agent}}}})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	ctx := browser(t)
	problems := watch(t, ctx)
	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelector('.start') !== null")
	run(t, ctx, click(".start form button"))
	eventually(t, ctx, "document.querySelectorAll('.row').length > 10 && document.body.innerText.includes('1,000 function calls')")
	run(t, ctx, focus(".list"), chromedp.KeyEvent(kb.End))
	eventually(t, ctx, "[...document.querySelectorAll('.bar.open')].some((bar) => bar.getBoundingClientRect().width > 8)") // what is under way
	run(t, ctx, focus(".list"), chromedp.KeyEvent(kb.Home))
	var took []float64
	for n := 1000; n < 1010; n++ {
		js[bool](t, ctx, fmt.Sprintf(`(window.seen = new Promise((done) => {
			const look = () => document.body.textContent.includes("%d function calls".replace(/(?=\d{3} )/, ",")) ? done(Date.now()) : requestAnimationFrame(look);
			look();
		}), true)`, n+1))
		begun := time.Now()
		ticks <- begun
		took = append(took, js[float64](t, ctx, "window.seen")-float64(begun.UnixMilli()))
	}
	ticks <- time.Time{}
	slices.Sort(took)
	measured("page that is live, from event to pixel, the median of 10", took[len(took)/2], "ms")
	eventually(t, ctx, "document.querySelector('.status').textContent === 'done'")
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// TestLiveWithoutEvents: what is recorded of a run is seen on its page, although no event says so.
func TestLiveWithoutEvents(t *testing.T) {
	may := make(chan struct{})
	agent := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for range 2 {
			_, err := fx.Call(runtime.FuncCall{Name: "work", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				<-may
				return json.RawMessage("1"), nil
			}})
			if err != nil {
				return runtime.Finish{}, err
			}
		}
		return runtime.Finish{Key: "done"}, nil
	}
	s := serve.New(serve.Options{Program: &compiled.Program{Name: "calm", Entry: "calm", Agents: []compiled.Agent{{Name: "calm", Run: agent}}}})
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	t.Cleanup(s.CloseNow)
	t.Cleanup(func() { close(may) })
	ctx := browser(t)
	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelector('.start') !== null")
	run(t, ctx, click(".start form button"))
	eventually(t, ctx, "document.querySelectorAll('.row .kind.call').length === 1")
	may <- struct{}{}
	eventually(t, ctx, "document.querySelectorAll('.row .kind.call').length === 2 && "+detail+".includes('1 function call')")
}

// screen takes a picture of the page.
func screen(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	run(t, ctx, chromedp.EmulateViewport(1000, 620))
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	keep(t, name, picture)
}
