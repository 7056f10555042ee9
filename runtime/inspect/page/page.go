package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

//go:generate sh -c "cd web && go run ."

var (
	//go:embed page.js
	script string
	//go:embed page.css
	style string
)

// Page is the content of a file.
type Page struct {
	Title string
	// Runs are the run to show, and those with which it can be compared.
	Runs []*Run
	// Served reports that the page has no runs: its script requests them from the server of the page.
	Served bool
	// Dev reports that the server is agentc dev, which has more to show.
	Dev bool
	// Picture is the diagram of a page without runs, as the text of a Mermaid flowchart.
	Picture string
}

// Run is a run on a page.
type Run struct {
	// ID is the id of the run.
	ID string
	// By is the program that wrote the newest records, by its name and its hashes; nil if that is not known.
	By      *compiled.Program
	Records []journal.Record
	// Status is the status of the run, if its records do not contain it or there is a Problem.
	Status string
	// Stranded reports that the run waits for another version of the program.
	Stranded bool
	// AtWork reports that the program that makes the page executes the run: what models are asked is then shown later.
	AtWork bool
	// Problem is what is wrong with the journal of the run, "" if nothing is.
	Problem string
	// Agents are the agents of the program, for their diagrams; nil if there is no program.
	Agents []compiled.Agent
	// Turns are the requests to models; nil if there is no program.
	Turns []Turn
	// last are the newest requests that AddTurn has added, by agent and branch.
	last map[string]lastTurn
	// Text is the run for browsers without scripts.
	Text string
}

// SVG renders the text of a Mermaid flowchart that agentc has written.
func SVG(picture string) string {
	d := diagram.Read(picture)
	width, height := d.Layout()

	return d.SVG(width, height, "", diagram.Style)
}

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	css := diagram.Style + style
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; script-src '" + policyHash(script) + "'; style-src '" + policyHash(css) + "'"
	if p.Served {
		policy += "; connect-src 'self'"
	}
	writeHead(out, p.Title, policy, css)
	if p.Served {
		writeTexts(out, "<noscript><p>This page needs scripts; runs and runs show print the same on a terminal.</p></noscript>\n")
	}
	for _, r := range p.Runs {
		writeTexts(out, "<noscript><pre>", html.EscapeString(r.Text), "</pre></noscript>\n")
	}
	writeTexts(out, `<script type="application/json" id="data">`)
	// The encoder writes <, > and & as \u003c and so on: nothing in a value ends the element.
	if err := json.NewEncoder(out).Encode(p.makeData()); err != nil {
		return err
	}
	writeTexts(out, "</script>\n<script>", script, "</script>\n</body>\n</html>\n")

	return out.Flush()
}

// writeHead writes what a page begins with.
func writeHead(out *bufio.Writer, title, policy, css string) {
	writeTexts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="`, policy, "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n",
		"<title>", html.EscapeString(title), "</title>\n<style>", css, "</style>\n</head>\n<body>\n<div id=\"app\"></div>\n")
}

// writeTexts writes texts; the writer keeps the first error.
func writeTexts(out *bufio.Writer, texts ...string) {
	for _, text := range texts {
		_, _ = out.WriteString(text)
	}
}

// policyHash is the source of a content security policy that allows a text.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))

	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
