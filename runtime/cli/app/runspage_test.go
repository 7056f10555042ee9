package app

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
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
		Status   string
		Problem  string
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
		code = Options{}.Run(p, args, strings.NewReader(""), &out, &errs)

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

// TestPageOfBadJournals: the page shows what can be read of a run, and the command reports the rest, with the exit code
// of runs show without a page.
func TestPageOfBadJournals(t *testing.T) {
	shop(t)
	path := filepath.Join(journal.DefaultDir, "20251122-done.journal")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndex(whole, []byte("blk:"))
	middle := bytes.Index(whole, []byte("429: slow down"))
	for _, test := range []struct {
		name, journal string
		code          int
		status        string // of the page; "": none is written
		stderr        string
	}{
		{"torn at its end", string(whole[:len(whole)-3]), cli.Done, "interrupted", "were not written whole"},
		{"torn in the middle", string(whole[:middle]) + string(whole[middle+3:]), cli.Problem, "damaged", "; what is before that byte is shown"},
		{"a block lost", string(whole[:last-3]) + string(whole[last:]), cli.Problem, "damaged", "is damaged at byte"},
		{"a record that is none", strings.Replace(string(whole), "429: slow down", "}\x00{not a reco", 1), cli.Problem, "damaged", "is damaged at byte"},
		{"empty", "", cli.Problem, "", "it was never begun"},
		{"of an older format", strings.Replace(string(whole), "journal 2", "journal 1", 1), cli.Problem, "", "has format 1, and this program reads format 2: an older agentc wrote it"},
		{"of a newer format", strings.Replace(string(whole), "journal 2", "journal 3", 1), cli.Problem, "", "a newer agentc wrote it"},
		{"JSON", `{"run": "20251122-done"}`, cli.Problem, "", "is damaged at byte 0: its first line is not that of a journal"},
	} {
		if err := os.WriteFile(path, []byte(test.journal), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"runs", "show", "20251122-done"}
		var stdout, stderr strings.Builder
		code := Options{}.Run(&printer{clerk{shape: "s1"}}, append(args, "--html", "page.html"), strings.NewReader(""), &stdout, &stderr)
		if text, _, _ := shopCommand(args...); code != test.code || code != text || !strings.Contains(stderr.String(), test.stderr) {
			t.Errorf("%s: exit code %d, %d without a page\n%s", test.name, code, text, &stderr)
		}
		html, err := os.ReadFile("page.html")
		if _ = os.Remove("page.html"); (err == nil) != (test.status != "") {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil {
			continue
		}
		if one := shownData(t, string(html)).Runs[0]; one.Status != test.status || len(one.Nodes) == 0 {
			t.Errorf("%s: %+v", test.name, one)
		}
		if says := strings.Count(string(html), "is damaged at byte"); says != map[string]int{string(client.Damaged): 2}[test.status] { // with and without scripts
			t.Errorf("%s: the page says so in %d places", test.name, says)
		}
	}
}
