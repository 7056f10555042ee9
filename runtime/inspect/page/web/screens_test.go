package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	shown "github.com/agentc-dev/agentc/runtime/inspect/page"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
)

// screens are the pictures that README.md shows: look at them when they have changed.
var screens = []struct {
	name, hash, tab, scheme string
	width, height           int64
}{
	{"run.png", "#3", "run", "light", 1280, 760},
	{"diagram.png", "", "diagram", "dark", 1280, 620},
	{"compare.png", "", "compare", "light", 1280, 620},
	{"narrow.png", "#6", "run", "dark", 360, 740},
}

// TestScreens takes a picture of each view, and of widths from 360 to 3840 pixels none that can be scrolled sideways.
func TestScreens(t *testing.T) {
	ctx := browser(t)
	url := write(t, &shown.Page{Title: "run one", Runs: []*shown.Run{sample("one", "yes"), sample("two", "no")}})
	for _, s := range screens {
		call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
		run(t, ctx, chromedp.EmulateViewport(s.width, s.height))
		open(t, ctx, url+s.hash)
		run(t, ctx, click("#tab-"+s.tab))
		keepScreen(t, ctx, s.name)
	}
	for _, width := range []int64{360, 768, 1280, 3840} {
		run(t, ctx, chromedp.EmulateViewport(width, 800))
		for _, tab := range []string{"run", "diagram", "questions", "compare"} {
			run(t, ctx, click("#tab-"+tab))
			if over := js[int](t, ctx, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
				t.Errorf("%s at %d pixels is %d pixels too wide", tab, width, over)
			}
		}
	}
}

// TestExampleScreens takes pictures of the runs of two examples: of approval, whose server is killed twice, and of
// all-patterns.
func TestExampleScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("builds agentc and two projects")
	}
	ctx := browser(t)
	problems := watch(t, ctx)
	approval, patterns := approvalRun(t), patternsRun(t)
	for _, s := range []struct {
		name, url, tab, scheme, button string
		width, height                  int64
		says                           string
	}{
		{"workflow.png", approval, "diagram", "dark", "", 1280, 800, "step 9 of 9"},
		{"unfolded.png", patterns, "diagram", "light", "Unfold", 1280, 800, "step"},
		{"folded.png", patterns, "diagram", "light", "", 360, 740, "step"},
		{"wide.png", patterns, "run", "dark", "", 3840, 1100, "research/reduce"},
	} {
		call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
		run(t, ctx, chromedp.EmulateViewport(s.width, s.height))
		open(t, ctx, s.url)
		run(t, ctx, click("#tab-"+s.tab))
		if s.button != "" {
			js[string](t, ctx, fmt.Sprintf("([...document.querySelectorAll('button')].find((b) => b.textContent === %q).click(), '')", s.button))
		}
		has(t, ctx, "document.body.innerText", s.says)
		if covered := js[[]string](t, ctx, coveringBadges); len(covered) > 0 {
			t.Errorf("%s: the numbers %q cover the arrow to their box", s.name, covered)
		}
		if s.tab == "run" {
			differentTimes(t, ctx)
		}
		accessible(t, ctx, s.name)
		keepScreen(t, ctx, s.name)
	}
	open(t, ctx, approval)
	run(t, ctx, click("#tab-questions"))
	has(t, ctx, "document.querySelector('.questions').textContent", "approve", "ada")
	run(t, ctx, click("#tab-run"))
	has(t, ctx, "document.querySelector('.detail').textContent", "Processes", "paid")
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
}

// coveringBadges are the numbers of steps that cover a part of an arrow or a label, or reach out of their picture.
const coveringBadges = `[...document.querySelectorAll(".panel:not([hidden]) svg")].flatMap((svg) => {
	const points = [...svg.querySelectorAll(".edge > path")].flatMap((path) =>
		Array.from({ length: Math.ceil(path.getTotalLength() / 2) }, (_, i) => path.getPointAtLength(2 * i)));
	const labels = [...svg.querySelectorAll(".edge > rect")].map((label) => label.getBBox());
	return [...svg.querySelectorAll(".badge")].filter((badge) => {
		const { x, y, width, height } = badge.getBBox();
		const [left, top, right, bottom] = [x + 1, y + 3, x + width - 1, y + height - 3];
		return left < 0 || right > svg.viewBox.baseVal.width || points.some((p) => p.x > left && p.x < right && p.y > top && p.y < bottom) ||
			labels.some((l) => l.x < right && l.x + l.width > left && l.y < bottom && l.y + l.height > top);
	}).map((badge) => badge.textContent);
})`

// approvalRun has the session of examples/approval, and returns the address of the page of its run.
func approvalRun(t *testing.T) string {
	t.Helper()
	root, binary := builtFrom(t, "examples/approval")
	dir := t.TempDir()
	if err := os.Rename(binary, filepath.Join(dir, "refund")); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	session := exec.Command("sh", filepath.Join(root, "examples", "approval", "session.sh"))
	session.Dir, session.Env = dir, append(os.Environ(), "ADDR="+free.Addr().String(), "AGENTC_STORE=")
	_ = free.Close()
	page := filepath.Join(dir, "page.html")
	for _, cmd := range []*exec.Cmd{session, {Path: filepath.Join(dir, "refund"), Args: []string{"refund", "runs", "show", "case-1", "--html", page}, Dir: dir, Env: session.Env}} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}

	return "file://" + page
}

// patternsRun runs examples/all-patterns, and returns the address of the page of that run.
func patternsRun(t *testing.T) string {
	t.Helper()
	root, binary := builtFrom(t, "cmd/agentc")
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	for _, args := range [][]string{{"run", ".", "All patterns compile."}, {"runs", "show", "last", "--html", page}} {
		cmd := exec.Command(binary, append(args, "--store", filepath.Join(dir, "runs"))...)
		cmd.Dir = filepath.Join(root, "examples", "all-patterns")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}

	return "file://" + page
}

// keepScreen takes a picture and, with -update, writes it for the page of this package.
func keepScreen(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if *golden.Update {
		keep(t, name, picture)
	}
}

// keep writes a picture for the page of this package.
func keep(t *testing.T, name string, picture []byte) {
	t.Helper()
	if err := os.WriteFile("../screens/"+name, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
