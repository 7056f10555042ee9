package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	shown "github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// axe finds what makes a page hard to use for people who cannot see it or have no mouse. It is axe-core 4.13.0, of the registry of npm.
//
//go:embed testdata/axe.min.js
var axe string

// TestBundle: what is committed is made of the sources.
func TestBundle(t *testing.T) {
	files, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile("../" + name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what its sources make: run go generate in runtime/inspect/page (%v)", name, err)
		}
	}
}

// watch collects what goes wrong on a page: errors of scripts, what its policy forbids, requests to other places, and dialogs.
func watch(t *testing.T, ctx context.Context) *[]string {
	t.Helper()
	problems := new([]string)
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			*problems = append(*problems, fmt.Sprint("exception: ", e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			*problems = append(*problems, fmt.Sprintf("console: %v", e.Args))
		case *network.EventRequestWillBeSent:
			if scheme, _, _ := strings.Cut(e.Request.URL, ":"); scheme != "file" && scheme != "data" && !strings.HasPrefix(e.Request.URL, "http://127.0.0.1:") {
				*problems = append(*problems, "request to "+e.Request.URL)
			}
		case *page.EventJavascriptDialogOpening:
			*problems = append(*problems, "dialog "+e.Message)
		}
	})
	if err != nil {
		t.Fatal(err)
	}

	return problems
}

// run does actions, and fails if one does.
func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// call sends a command to the browser.
func call[P, R any](t *testing.T, ctx context.Context, command cdp.Command[P, R], parameters P) {
	t.Helper()
	if _, err := chromedp.Call(ctx, command, parameters); err != nil {
		t.Fatal(err)
	}
}

// js is the value of an expression on the page.
func js[T any](t *testing.T, ctx context.Context, expression string) (value T) {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression[:min(len(expression), 200)], err)
	}

	return value
}

// accessible fails for what axe finds on the page as it is.
func accessible(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	if !js[bool](t, ctx, "'axe' in window") {
		run(t, ctx, chromedp.Evaluate[chromedp.Void](axe))
	}
	for _, violation := range js[[]string](t, ctx, `axe.run({resultTypes: ["violations"]}).then((r) => r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html.slice(0, 200)).slice(0, 3).join(" | ")))`) {
		t.Errorf("%s: %s", what, violation)
	}
}

func open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	run(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(url))
}

const detail = `document.querySelector(".panel:not([hidden]) .detail").textContent`

// has fails unless an expression gives a text with each part.
func has(t *testing.T, ctx context.Context, expression string, parts ...string) {
	t.Helper()
	text := js[string](t, ctx, expression)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %.1500s", part, text)
		}
	}
}

// TestViews looks at each view of a run, on light and dark paper.
func TestViews(t *testing.T) {
	ctx := browser(t)
	problems := watch(t, ctx)
	url := write(t, &shown.Page{Title: "run one", Runs: []*shown.Run{sample("one", "yes"), sample("two", "no")}})
	for _, scheme := range []string{"light", "dark"} {
		call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		open(t, ctx, url)
		has(t, ctx, "document.querySelector('header').textContent", "Run one", "done", "$0.004670", "2 model calls")
		has(t, ctx, "document.querySelector('.list').textContent", "triage", "find_order", "triage —refund→ approve", "process 2 resumed")
		has(t, ctx, detail, "My order A-7 came twice.", "Paid 1999 cents back.", "Costs by model", "Processes", "left the run")
		accessible(t, ctx, scheme+", run")

		open(t, ctx, url+"#3")
		run(t, ctx, chromedp.Evaluate[chromedp.Void](`location.hash = "#1"`))
		eventually(t, ctx, detail+`.includes('calls find_order')`)
		has(t, ctx, detail, `"id": "A-7"`)
		open(t, ctx, url+"#3")
		has(t, ctx, detail, "Against the turn #1: 2 new messages", "result of find_order", "Attempt 1 failed, again after 2s: 429 slow down", "Answered", "charged twice")
		run(t, ctx, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".detail summary")].find((s) => s.textContent === "Thoughts").click()`))
		eventually(t, ctx, detail+`.includes("Two charges for one order")`)
		accessible(t, ctx, scheme+", turn")

		for range 6 { // the times above the waterfall differ, however near they are
			differentTimes(t, ctx)
			run(t, ctx, click("[aria-label='zoom in']"))
		}
		run(t, ctx, click("#tab-diagram"))
		has(t, ctx, "document.querySelector('.path output').textContent", "step 3 of 3")
		if n := js[int](t, ctx, "document.querySelectorAll('.sheet .current.broken').length"); n != 0 {
			t.Errorf("the last step of a run that is done looks like a failure: %d", n)
		}
		if n := js[int](t, ctx, "document.querySelectorAll('.sheet .node.seen').length"); n != 3 {
			t.Errorf("%d nodes of the diagram were reached", n)
		}
		accessible(t, ctx, scheme+", diagram")

		run(t, ctx, click("#tab-questions"))
		has(t, ctx, "document.querySelector('.questions').textContent", "Pay 1999 cents back", "ada", "2 d 2 h")
		accessible(t, ctx, scheme+", questions")

		run(t, ctx, click("#tab-compare"))
		has(t, ctx, "document.querySelector('.compare').textContent", "one and two: 4 of 7 effects differ, the first at #4", "yes", "no")
		has(t, ctx, "document.querySelector('.sides').textContent", "onetwo")
		accessible(t, ctx, scheme+", comparison")
	}
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// differentTimes fails if two of the times above the waterfall are written the same.
func differentTimes(t *testing.T, ctx context.Context) {
	t.Helper()
	times := js[[]string](t, ctx, `[...document.querySelectorAll(".ruler span span")].map((t) => t.textContent)`)
	if slices.Sort(times); len(slices.Compact(slices.Clone(times))) < max(len(times), 2) {
		t.Errorf("the times above the waterfall are %q", times)
	}
}

// TestCompareAsked: runs that were answered the same differ where they were asked something else, and in what follows from that.
func TestCompareAsked(t *testing.T) {
	ctx := browser(t)
	left, right := sample("one", "yes"), sample("two", "yes")
	third := sample("three", "yes")
	third.Turns = nil
	right.Turns[0].System = "You work at a bank."
	for i, f := range right.Records[0].Fields {
		if f.Name == "input" {
			right.Records[0].Fields[i].Value = "Where is my money?"
		}
	}
	open(t, ctx, write(t, &shown.Page{Title: "two runs", Runs: []*shown.Run{left, right}}))
	run(t, ctx, click("#tab-compare"))
	has(t, ctx, "document.querySelector('.compare').textContent", "2 of 7 effects differ, the first at #1. They began with another input.")
	has(t, ctx, "[...document.querySelectorAll('.compare .differs .address')].map((a) => a.textContent).join()", "begin,#1,#3")
	has(t, ctx, detail, "- My order A-7 came twice.", "+ Where is my money?")
	run(t, ctx, focus(".compare .list"), chromedp.KeyEvent(kb.ArrowDown))
	has(t, ctx, detail, "asked", "You work at a bank.")

	open(t, ctx, write(t, &shown.Page{Title: "two runs", Runs: []*shown.Run{left, third}}))
	run(t, ctx, click("#tab-compare"))
	has(t, ctx, "document.querySelector('.compare').textContent", "no effect differs. What models were asked in three is not known here.")
}

// TestCompareJSON: replies that differ in their spaces and the order of members are the same, and numbers with many digits are not.
func TestCompareJSON(t *testing.T) {
	with := func(run, args, result string) *shown.Run {
		r := newRecords(run)
		calls, err := json.Marshal([]map[string]string{{"name": "pay", "args": args}})
		if err != nil {
			t.Fatal(err)
		}
		r.effect("1", "model", "desk", "", "text", "", "calls", string(calls))
		r.effect("2", "tool", "pay", args, "text", result)
		r.add(journal.End, "", "done", "value", "x")

		return &shown.Run{Records: r.all}
	}
	ctx := browser(t)
	first := with("one", `{"id":12345678901234567890,"why":"a  b"}`, "paid 1")
	for other, says := range map[*shown.Run]string{
		with("two", "{\n  \"why\": \"a  b\",\n  \"id\": 12345678901234567890\n}", "paid 1"): "no effect differs",
		with("two", `{"id":12345678901234567891,"why":"a  b"}`, "paid 1"):                   "2 of 2 effects differ, the first at #1",
		with("two", `{"id":12345678901234567890,"why":"a b"}`, "paid 1"):                    "2 of 2 effects differ, the first at #1",
		with("two", `{"id":12345678901234567890,"why":"a  b"}`, "paid  1"):                  "1 of 2 effects differ, the first at #2",
	} {
		open(t, ctx, write(t, &shown.Page{Title: "two runs", Runs: []*shown.Run{first, other}}))
		run(t, ctx, click("#tab-compare"))
		has(t, ctx, "document.querySelector('.compare').textContent", says)
	}
}

// TestKeyboard goes through a run with keys alone.
func TestKeyboard(t *testing.T) {
	ctx := browser(t)
	open(t, ctx, write(t, &shown.Page{Title: "one", Runs: []*shown.Run{sample("one", "yes")}}))
	active := `document.getElementById(document.querySelector(".list").getAttribute("aria-activedescendant"))?.textContent ?? ""`
	run(t, ctx, focus(".list"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	has(t, ctx, active, "gpt-5-mini")
	has(t, ctx, "location.hash", "#1")
	run(t, ctx, chromedp.KeyEvent(kb.ArrowLeft))
	has(t, ctx, active, "triage")
	const expanded = `document.querySelector("[aria-selected=true][aria-expanded]").getAttribute("aria-expanded")`
	has(t, ctx, expanded, "true")
	run(t, ctx, chromedp.KeyEvent(kb.ArrowLeft))
	has(t, ctx, expanded, "false")
	run(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("+"), chromedp.KeyEvent("-"), chromedp.KeyEvent(kb.End))
	run(t, ctx, chromedp.KeyEvent("/"))
	has(t, ctx, `document.activeElement.type`, "search")
	js[string](t, ctx, `document.activeElement.value = ""`) // the browser of a test may type the key all the same
	run(t, ctx, chromedp.KeyEvent("pay_back"))
	has(t, ctx, `document.querySelector("input").value + ": " + document.querySelector(".found").textContent`, "pay_back: 2 of ")
	run(t, ctx, focus("#tab-run"), chromedp.KeyEvent(kb.ArrowRight))
	has(t, ctx, `document.activeElement.textContent`, "Diagram")
	run(t, ctx, focus(".path input"), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.Tab))
	has(t, ctx, `document.querySelector(".path output").textContent`, "step 2 of 3: decision triage")
	run(t, ctx, chromedp.KeyEvent("\r"))
	has(t, ctx, `document.querySelector("#tab-run").ariaSelected`, "true")
	has(t, ctx, detail, "decision triage \u2014refund\u2192 approve")
}

// TestHostile: nothing that a model, a tool or a person wrote is markup or script, or hides what is beside it.
func TestHostile(t *testing.T) {
	ctx := browser(t)
	problems := watch(t, ctx)
	const hostile = `</script><script>window.hacked=1;alert(1)</script><img src="http://example.com/x.png" onerror="window.hacked=1">` +
		`<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>![x](http://example.com/y.png)` + "\u202eevil\u2066\u200b<!--\x00\x1b[31m" + `<noscript></noscript>`
	huge := strings.Repeat("0123456789", 1<<20)
	r := newRecords("h" + "1")
	r.effect("1", "model", hostile, "", "text", hostile, "model", hostile, "stop", hostile, "calls", `[{"name":`+fmt.Sprintf("%q", "</script>")+`}]`)
	r.effect("2", "tool", hostile, hostile, "text", hostile)
	r.effect("3", "tool", "huge", `{"a":1}`, "text", huge)
	r.add(journal.Intent, "4", "ask", "what", hostile, "args", `{"prompt":"</script><img src=x onerror=alert(1)>","choices":["<b>"]}`)
	r.add(journal.Event, "4", "step", "agent", hostile, "name", hostile, "value", hostile)
	r.add(journal.Event, "4", "transition", "agent", hostile, "machine", hostile, "from", hostile, "key", hostile, "to", hostile, "guards", `[{"guard":"<script>","reason":"<img>"}]`)
	r.add(journal.End, "", "failed", "error", hostile, "error_type", hostile)
	graph := "flowchart TD\n  n1[\"#60;script#62;alert#40;1#41;#60;#47;script#62;\"]\n  n2[\"x\"]\n  n1 --> n2\n"
	text := shown.Run{Records: r.all, Text: hostile, Status: hostile}
	url := write(t, &shown.Page{Title: hostile, Runs: []*shown.Run{&text, sample("two", "no")}, Picture: graph})
	for _, at := range []string{"", "#1", "#2", "#3", "#4", "#%3Cimg%20src=x%20onerror=alert(1)%3E"} {
		open(t, ctx, url+at)
		for _, tab := range []string{"diagram", "questions", "compare", "run"} {
			run(t, ctx, click("#tab-"+tab))
		}
	}
	open(t, ctx, url+"#2")
	has(t, ctx, detail, `</script><script>window.hacked=1;`, "⟨U+202E⟩evil⟨U+2066⟩⟨U+200B⟩", "⟨U+001B⟩[31m")
	open(t, ctx, url+"#3")
	has(t, ctx, detail, "Show more: ")
	run(t, ctx, click(".detail button"))
	if n := js[int](t, ctx, detail+".length"); n < 200000 || n > 300000 {
		t.Errorf("%d characters of a long value are shown", n)
	}
	if hacked := js[bool](t, ctx, "'hacked' in window || document.querySelectorAll('img,svg script,iframe').length > 0"); hacked {
		t.Error("a value became markup")
	}
	if len(*problems) > 0 {
		t.Errorf("%.1000q", *problems)
	}
}

// TestLarge: of 20,000 effects only those rows are in the document that are seen. Times are printed; none is asserted.
func TestLarge(t *testing.T) {
	ctx := browser(t)
	for _, effects := range []int{1000, 20000} {
		url := write(t, &shown.Page{Title: "large", Runs: []*shown.Run{large(effects)}})
		size, _ := os.Stat(strings.TrimPrefix(url, "file://"))
		begun := time.Now()
		open(t, ctx, url)
		run(t, ctx, chromedp.WaitVisible(chromedp.CSS(".row")))
		took := time.Since(begun)
		rate := js[float64](t, ctx, `new Promise((done) => {
			const list = document.querySelector(".list"); let frames = 0; const begun = performance.now();
			const next = () => { list.scrollTop += 400; frames++; performance.now() - begun < 1000 ? requestAnimationFrame(next) : done(frames); };
			requestAnimationFrame(next);
		})`)
		if rows := js[int](t, ctx, `document.querySelectorAll(".row").length`); rows == 0 || rows > 200 {
			t.Errorf("%d rows of %d effects are in the document", rows, effects)
		}
		run(t, ctx, focus(".list"), chromedp.KeyEvent(kb.End))
		has(t, ctx, "location.hash", fmt.Sprintf("#%d", effects))
		measured(fmt.Sprintf("page of %d effects, size", effects), float64(size.Size())/(1<<20), "MB")
		measured(fmt.Sprintf("page of %d effects, until it is interactive", effects), float64(took.Milliseconds()), "ms")
		measured(fmt.Sprintf("page of %d effects, frames a second when it is scrolled", effects), rate, "")
		if effects == 1000 && size.Size() > 3<<20 {
			t.Errorf("the page of %d effects has %d bytes", effects, size.Size())
		}
	}
}

// measured prints a value for the table of runtime/benchmarks, which says what it has to be.
func measured(what string, value float64, unit string) {
	fmt.Printf("measured: %s = %.2f %s\n", what, value, unit)
}

// TestWithoutScripts: a browser that runs none shows the run as text.
func TestWithoutScripts(t *testing.T) {
	ctx := browser(t)
	call(t, ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	open(t, ctx, write(t, &shown.Page{Title: "one", Runs: []*shown.Run{sample("one", "yes")}}))
	text, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("noscript pre")))
	if err != nil || text != "run one: done" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestPicture: a page without a run is a diagram.
func TestPicture(t *testing.T) {
	ctx := browser(t)
	problems := watch(t, ctx)
	open(t, ctx, write(t, &shown.Page{Title: "desk", Picture: picture}))
	has(t, ctx, "document.body.textContent", "triage", "refund [amount > 0]")
	accessible(t, ctx, "picture")
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// TestUnfold: a picture begins with the levels of nesting that there is room for; others are a click or a key away.
func TestUnfold(t *testing.T) {
	ctx := browser(t)
	nested := "flowchart TD\n  subgraph n1[\"whole\"]\n"
	for i := range 30 { // too high for a screen
		nested += fmt.Sprintf("  subgraph n%d[\"frame %d\"]\n    n%d[\"inside %d\"]\n  end\n", 2*i+2, i, 2*i+3, i)
	}
	nested += "  end\n"
	for i := range 29 {
		nested += fmt.Sprintf("  n%d --> n%d\n", 2*i+2, 2*i+4)
	}
	run(t, ctx, chromedp.EmulateViewport(1000, 700))
	open(t, ctx, write(t, &shown.Page{Title: "nested", Picture: nested}))
	const boxes = `document.querySelectorAll(".folded").length + " " + document.getElementById("app").textContent.includes("inside 7")`
	has(t, ctx, boxes, "30 false")
	accessible(t, ctx, "folded picture")
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector(".folded").onclick()`))
	has(t, ctx, boxes, "0 true")
	run(t, ctx, focus("#app .tools > button"), chromedp.KeyEvent("\r"))
	has(t, ctx, boxes, "30 false")
}
