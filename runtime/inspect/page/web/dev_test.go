package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// builtFrom builds a command of this repository, and returns the root of that and the binary.
func builtFrom(t *testing.T, folder string) (root, binary string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(t.TempDir(), filepath.Base(folder)+".exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "./"+folder)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	return root, binary
}

// startDev runs agentc dev on a copy of examples/support until the test ends, and returns the folder and the address of the page.
func startDev(t *testing.T) (dir, url string) {
	t.Helper()
	root, binary := builtFrom(t, "cmd/agentc")
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples", "support"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "dev", "--addr", "127.0.0.1:0", ".", "The app charged me twice.")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "AGENTC_STORE=")
	output, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		fmt.Fprintln(stdin, "q")
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(output)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()

	return dir, regexp.MustCompile(`http://\S+`).FindString(first)
}

// TestDev: the page of agentc dev follows a project that is edited.
func TestDev(t *testing.T) {
	if testing.Short() {
		t.Skip("builds agentc and a project")
	}
	dir, url := startDev(t)
	ctx := browser(t)
	problems := watch(t, ctx)
	save := func(name, before, after string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(content, []byte(before), []byte(after), 1), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})
	run(t, ctx, chromedp.EmulateViewport(1600, 900))
	open(t, ctx, url)
	says := func(text string) {
		t.Helper()
		eventually(t, ctx, fmt.Sprintf("document.body.innerText.includes(%q)", text))
	}
	says("no problems")
	says("9 effects")
	eventually(t, ctx, "document.querySelector('.dev svg') !== null && document.querySelectorAll('.row').length > 10")
	accessible(t, ctx, "dev")

	save("agents/ledger/AGENT.md", "in three sentences", "in two sentences")
	says("4 effects, 5 replayed")
	eventually(t, ctx, "document.querySelectorAll('.row.copied').length === 5 && location.search.startsWith('?run=')")
	accessible(t, ctx, "dev, after an edit")

	save("agents/support/AGENT.md", "- urgent: on-call", "- urgent: on-cal")
	says("1 error")
	eventually(t, ctx, "document.querySelector('.problems a')?.href.startsWith('vscode://file/') && document.querySelector('.dev svg') !== null")
	has(t, ctx, "document.querySelector('.problems').textContent", "agents/support/AGENT.md:", "did you mean")
	accessible(t, ctx, "dev, with an error")
	keepScreen(t, ctx, "dev.png")
	save("agents/support/AGENT.md", "- urgent: on-cal", "- urgent: on-call")
	says("no problems")

	before := js[string](t, ctx, "location.search")
	eventually(t, ctx, `[...document.querySelectorAll(".row.copied")].length > 0`)
	run(t, ctx, chromedp.Evaluate[chromedp.Void](`document.activeElement?.blur()`), chromedp.KeyEvent("r"))
	eventually(t, ctx, fmt.Sprintf("location.search !== %q && document.querySelectorAll('.row').length > 10", before))
	before = js[string](t, ctx, "location.search")
	run(t, ctx, chromedp.KeyEvent("s"))
	says("wrote testdata")
	js[string](t, ctx, `location.hash = "#7"`)
	has(t, ctx, detail, "#7")
	run(t, ctx, chromedp.KeyEvent("f"))
	eventually(t, ctx, fmt.Sprintf("location.search !== %q && document.querySelectorAll('.row.copied').length === 6", before))
	if len(*problems) > 0 {
		t.Errorf("%q", *problems)
	}
	if scripts, _ := filepath.Glob(filepath.Join(dir, "testdata", "*.json")); len(scripts) != 1 || !strings.Contains(scripts[0], "run_") {
		t.Errorf("%q", scripts)
	}
}
