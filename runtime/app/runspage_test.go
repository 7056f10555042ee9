package app

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/page"
)

// printer is a clerk whose program has what pages are made of.
type printer struct{ clerk }

func (p *printer) Program() *compiled.Program {
	program := p.clerk.Program()
	program.Parts = []compiled.Part{press{}}

	return program
}

type press struct{}

func (press) Part() string                              { return "press" }
func (press) WritePage(w io.Writer, p *page.Page) error { return p.Write(w) }

// shownData is what a page's script reads.
func shownData(t *testing.T, html string) (data struct {
	Runs []struct {
		Run      string
		HasTurns bool
		Turns    []page.Turn
		Pictures [][]string
		Nodes    []struct{ Kind, Shape string }
	}
}) {
	t.Helper()
	_, rest, _ := strings.Cut(html, `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}

	return data
}

// TestShowPage: runs show writes a page with the diagram of a run and all that its models were asked, alone or beside another run's.
func TestShowPage(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	scripts(t, map[string]string{"s.json": agrees})
	p := &printer{clerk{shape: "s1"}}
	at := func(args ...string) (code int, stdout, stderr string) {
		var out, errs strings.Builder
		code = Run(p, args, strings.NewReader(""), &out, &errs)

		return code, out.String(), errs.String()
	}
	for range 2 {
		if code, _, stderr := at("run", "--script", "s.json", "write to ada"); code != cli.Done {
			t.Fatal(stderr)
		}
	}
	_, listed, _ := at("runs")
	runs := runID.FindAllString(listed, -1)
	if code, _, stderr := at("runs", "show", runs[0], "--html", "page.html", "--compare", runs[1]); code != cli.Done || !strings.Contains(stderr, "wrote run "+runs[0]+" and run "+runs[1]+" to page.html") {
		t.Fatalf("%d %s", code, stderr)
	}
	text, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	data := shownData(t, string(text))
	if len(data.Runs) != 2 || data.Runs[1].Run != runs[1] {
		t.Fatalf("%+v", data.Runs)
	}
	one := data.Runs[0]
	if !one.HasTurns || len(one.Turns) == 0 || one.Turns[0].System != "Write." || len(one.Pictures) == 0 || !strings.Contains(one.Pictures[0][0], "draft") {
		t.Errorf("%+v", one)
	}
	if !strings.Contains(string(text), "<noscript><pre>run "+runs[0]+": done") {
		t.Error("browsers without scripts are shown nothing")
	}

	p.shape = "s2" // the program has changed: what was asked is not known, the journal is
	code, stdout, stderr := at("runs", "show", runs[0], "--html", "-")
	if one := shownData(t, stdout).Runs[0]; code != cli.Done || stderr != "" || one.HasTurns || len(one.Pictures) > 0 || len(one.Nodes) < 5 {
		t.Errorf("%d %s %+v", code, stderr, one)
	}
	if code, _, stderr := at("runs", "show", runs[0], "--html", "x", "--compare", "three"); code != cli.Usage || !strings.Contains(stderr, `there is no run "three"`) {
		t.Errorf("%d %s", code, stderr)
	}
}
