package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/serve"
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

// eventually waits until an expression is true on the page.
func eventually(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for begun := time.Now(); !js[bool](t, ctx, expression); {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("never %s: %.1500s", expression, js[string](t, ctx, "document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
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
	known, err := serve.ParseCredentials("test", "ada="+token)
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Options{Program: desk(), Known: known})
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
	eventually(t, ctx, "document.body.innerText.includes('There are no such runs.')")

	run(t, ctx, click(".start summary"), focus(".start textarea"), chromedp.KeyEvent("A-7"))
	accessible(t, ctx, "list")
	run(t, ctx, click(".start form button"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused'")
	run(t, ctx, click("#tab-questions"))
	eventually(t, ctx, "document.querySelector('.prompt')?.textContent === 'Pay for <b>A-7</b>?'")
	run(t, ctx, focus(".question input[type=number]"), chromedp.KeyEvent("1999"))
	pick := func(choice string) {
		t.Helper()
		js[string](t, ctx, `document.querySelector(".question select").value = "`+choice+`"`)
	}
	run(t, ctx, click(".question form button")) // nothing is chosen yet
	pick("0")
	accessible(t, ctx, "question")
	if *update {
		screen(t, ctx, "answer.png")
	}
	run(t, ctx, click(".question form button"))
	eventually(t, ctx, "document.querySelector('.prompt')?.textContent === 'Well?'")

	pick("0")
	run(t, ctx, click(".question form button"))
	eventually(t, ctx, "document.querySelector('.status').textContent === 'done'")
	run(t, ctx, click("#tab-run"))
	has(t, ctx, "document.body.innerText", `{"approved":true,"cents":1999} yes`)

	open(t, ctx, js[string](t, ctx, "location.href.replace(/#.*/, '')")+"#2")
	eventually(t, ctx, "document.querySelector('.detail details form') !== null")
	run(t, ctx, click(".detail details:last-of-type summary"), click(".detail form button"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'paused' && document.body.innerText.includes('Cancel')")
	run(t, ctx, click(".acts button"))
	eventually(t, ctx, "document.querySelector('.status')?.textContent === 'cancelled'")

	open(t, ctx, h.URL+"/")
	eventually(t, ctx, "document.querySelectorAll('tbody tr').length === 2")
	if *update {
		screen(t, ctx, "runs.png")
	}
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

// screen takes a picture of the page.
func screen(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	run(t, ctx, chromedp.EmulateViewport(1000, 520))
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	keep(t, name, picture)
}
