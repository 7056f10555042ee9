package livetest

import (
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
)

// columns is how much of a line is shown.
const columns = 110

// recorded is the file that a shown run is recorded in.
const recorded = "run.jsonl"

// Show lets the program work with each kind of servers, and writes the result.
func Show(w io.Writer, p Program) error {
	for _, k := range Kinds {
		if err := showKind(w, p, k); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
	}

	return nil
}

// showKind shows a run with servers of a kind: live, its recording, once more without the server,
// and its trace.
func showKind(w io.Writer, p Program, k Kind) (err error) {
	folder, err := os.MkdirTemp("", "researcher-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := p.Install(folder); err != nil {
		return err
	}
	collector := &Collector{}
	telemetry := httptest.NewServer(collector)
	defer telemetry.Close()
	model := httptest.NewServer(k)
	environment := append(k.Environment(model.URL), "OTEL_EXPORTER_OTLP_ENDPOINT="+telemetry.URL)

	fmt.Fprintf(w, "== %s at %s's server: researcher run --record %s %q\n", k.Model, k.Name, recorded, Question)
	err = showRun(w, p, folder, environment, "--record", recorded)
	model.Close()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n== %s\n", recorded)
	if err := writeHead(w, filepath.Join(folder, recorded)); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n== without server and key: researcher run --replay %s %q\n", recorded, Question)
	if err := showRun(w, p, folder, environment[:1], "--replay", recorded); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n== the trace of the first run\n%s\n", collector.Spans().Tree())

	return err
}

// showRun runs the program, and writes what happened: what the model wrote, tools with their
// results, and the answer.
func showRun(w io.Writer, p Program, folder string, environment []string, flags ...string) error {
	r, err := Run(p.Command(folder, environment, append([]string{"run", "--json", Question}, flags...)...))
	if err != nil {
		return err
	}
	events, err := r.Events()
	if err != nil {
		return err
	}
	if r.Exit != 0 {
		return fmt.Errorf("exit code %d: %s", r.Exit, r.Stderr)
	}
	for _, e := range events {
		switch e.Event {
		case "delta":
			writeLine(w, "delta", e.Text)
		case "model":
			writeLine(w, "model", fmt.Sprintf("%s, %d tokens in, %d out", e.Model, e.Tokens.Input, e.Tokens.Output))
		case "tool":
			writeLine(w, "tool", e.Name+": "+strings.ReplaceAll(e.Result, "\n", " "))
		case "end":
			fmt.Fprintln(w, e.Value)
		}
	}

	return nil
}

// writeHead writes the beginnings of the lines of a file.
func writeHead(w io.Writer, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for l := range strings.Lines(string(text)) {
		fmt.Fprintln(w, cutToLine(strings.TrimSuffix(l, "\n"), columns))
	}

	return nil
}

func writeLine(w io.Writer, what, text string) {
	fmt.Fprintln(w, cutToLine(fmt.Sprintf("%-6s%s", what, text), columns))
}

// cutToLine returns as much of a text as a line has room for.
func cutToLine(text string, most int) string {
	if len(text) <= most {
		return strings.TrimRight(text, " ")
	}

	return strings.ToValidUTF8(text[:most-len("…")+2], "") + "…"
}
