package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
)

// counted counts the bytes of replies.
type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes.Add(int64(n))

	return n, err
}

// playground builds the playground of package gen/internal/playground and serves it: its address, and the bytes that it has sent.
func playground(t *testing.T) (url string, sent *atomic.Int64) {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.Command("../../../../gen/internal/playground/build.sh", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sent = &atomic.Int64{}
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { files.ServeHTTP(counted{w, sent}, r) }))
	t.Cleanup(server.Close)

	return server.URL, sent
}

const (
	state    = `document.getElementById("state").textContent`
	problems = `document.getElementById("problems").textContent`
	steps    = `document.getElementById("steps").textContent`
)

// edit replaces a part of a file on the page, or all of it, as a person who types does.
func edit(t *testing.T, ctx context.Context, file, old, text string) {
	t.Helper()
	found := js[bool](t, ctx, `((file, old, text) => {
		const select = document.getElementById("file"), area = document.getElementById("text");
		select.value = file;
		select.dispatchEvent(new Event("change"));
		const found = area.value.includes(old);
		area.value = old ? area.value.replace(old, text) : text;
		area.dispatchEvent(new Event("input"));
		return found;
	})(`+strconv.Quote(file)+","+strconv.Quote(old)+","+strconv.Quote(text)+")")
	if !found {
		t.Fatalf("%s has no %q", file, old)
	}
}

// TestPlayground edits the sources of examples/smart-critic in the browser: problems and the diagram follow, a script runs them, and what
// is typed is neither markup nor script. The time to the first diagnosis is printed; the bytes are bounded.
func TestPlayground(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for browsers")
	}
	url, sent := playground(t)
	ctx := browser(t)
	wrong := watch(t, ctx)
	run(t, ctx, chromedp.EmulateViewport(1280, 760))
	open(t, ctx, url)
	eventually(t, ctx, state+` === "no problems"`)
	t.Logf("first diagnosis after %.0f ms, %.2f MB sent, the compiler compressed by gzip", js[float64](t, ctx, "performance.now()"), float64(sent.Load())/1e6)
	if sent.Load() > 6e6 {
		t.Errorf("%d bytes were sent", sent.Load())
	}
	eventually(t, ctx, `document.getElementById("picture").naturalWidth > 100`)
	accessible(t, ctx, "no problems")

	const machine = "agents/smart-critic/AGENT.md"
	run(t, ctx, click("#run button"))
	eventually(t, ctx, steps+`.includes("name the loose hinge")`)
	has(t, ctx, steps, "smart-critic: draft --needs-work--> critique\nsmart-critic: critique --> refine\n")
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if *golden.Update {
		keep(t, "playground.png", picture)
	}

	edit(t, ctx, machine, "critique: refine", "critique: refin")
	eventually(t, ctx, state+` === "problems"`)
	has(t, ctx, problems, machine+`:11:13: error: state "refin" is not defined`, `did you mean "refine"?`)
	accessible(t, ctx, "problems")
	edit(t, ctx, machine, "critique: refin", "critique: refine")
	eventually(t, ctx, problems+` === ""`)

	const hostile = `</script><script>window.hacked=1</script><img src='http://example.com/x.png' onerror='window.hacked=1'>`
	edit(t, ctx, machine, "good-enough: done", hostile+": done")
	eventually(t, ctx, problems+`.includes("window.hacked")`)
	edit(t, ctx, machine, hostile+": done", "good-enough: done")
	edit(t, ctx, "script.yaml", "Silent compiler / you walk", hostile)
	eventually(t, ctx, problems+` === ""`)
	run(t, ctx, click("#run button"))
	eventually(t, ctx, steps+`.includes("window.hacked")`)
	if js[bool](t, ctx, "'hacked' in window || document.querySelectorAll('img').length !== 1") || len(*wrong) > 0 {
		t.Errorf("what was typed became markup: %.1000q", *wrong)
	}
}

// TestEndlessRun: a run that does not end is stopped, and the page works on.
func TestEndlessRun(t *testing.T) {
	if testing.Short() {
		t.Skip("the page waits ten seconds")
	}
	url, _ := playground(t)
	ctx := browser(t)
	open(t, ctx, url)
	eventually(t, ctx, state+` === "no problems"`)
	edit(t, ctx, "agents/smart-critic/AGENT.md", "", "---\nname: smart-critic\ndescription: Never ends.\nversion: 1\npattern: fsm\n"+
		"max_steps: 1000000000\ninitial: draft\nstates:\n  draft:\n    - good-enough: done\n    - needs-work: draft\n  done: ~\n---\n")
	edit(t, ctx, "script.yaml", "", "\"*\":\n  - finish: {key: needs-work, value: x}\n")
	run(t, ctx, click("#run button"))
	eventually(t, ctx, steps+`.includes("stopped")`)
	eventually(t, ctx, state+`.includes("problems")`)
}
