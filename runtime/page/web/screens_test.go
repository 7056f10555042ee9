package main

import (
	"context"
	"flag"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	shown "github.com/agentc-dev/agentc/runtime/page"
)

var update = flag.Bool("update", false, "write the pictures of the page of this package anew")

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

// keepScreen takes a picture and, with -update, writes it for the page of this package.
func keepScreen(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
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
