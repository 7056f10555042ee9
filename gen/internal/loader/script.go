package loader

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/stores/recording"
)

// answerKind is a kind of model that is a file of the project.
type answerKind struct {
	// prefix begins the names of these models.
	prefix string
	// exts are the extensions of the files.
	exts []string
	// read reads a file of this kind.
	read func(file string)
}

// answerKinds returns the kinds of models that are files of the project.
func (l *loader) answerKinds() []answerKind {
	return []answerKind{
		{ir.ScriptPrefix, []string{".yaml", ".yml", ".json"}, l.convertScript},
		{ir.ReplayPrefix, []string{".jsonl", ".json"}, l.addRecording},
	}
}

// readScripts reads each script and recording that models name once. This is the last step, because
// a script is checked against the agents and tools of the project.
func (l *loader) readScripts() {
	// Several steps can take their model from one place, which is reported once.
	read := map[source.Span]string{}
	for _, name := range l.Program.ModelNames() {
		kind := ir.First(l.answerKinds(), func(kind answerKind) bool { return strings.HasPrefix(name.Value, kind.prefix) })
		if cleaned, again := read[name.Span]; again {
			name.Value = cleaned
		} else if kind.prefix != "" {
			l.readAnswers(name, kind)
			read[name.Span] = name.Value
		}
	}
	slices.SortFunc(l.Program.Scripts, func(a, b *ir.Script) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(l.Program.Recordings, func(a, b *ir.Recording) int { return cmp.Compare(a.Path, b.Path) })
}

// readAnswers reads one file and replaces the path in the model's name by its cleaned path.
func (l *loader) readAnswers(name *ir.Text, kind answerKind) {
	isAlike := func(name string) bool {
		return name != configFile && name != pricesFile && slices.Contains(kind.exts, path.Ext(name))
	}
	by := frontend.Named{Prefix: kind.prefix, Folder: ".", From: "the project", IsAlike: isAlike}
	file, finding := l.ResolveNamedFile(diag.BadValue, "model", *name, by)
	if file != "" {
		name.Value = kind.prefix + file
	}
	switch {
	case l.answers[name.Value]:
	case finding != nil:
		l.List.Add(finding)
	default:
		l.answers[name.Value] = true
		kind.read(file)
	}
}

func (l *loader) convertScript(file string) {
	f := l.ReadFile(file)
	text, findings := scriptdoc.Convert(f, l.Program)
	l.List.Add(findings...)
	l.Program.Scripts = append(l.Program.Scripts, &ir.Script{Path: file, File: f, JSON: text})
}

// addRecording reads a recording and adds it to the program unchanged.
func (l *loader) addRecording(file string) {
	f := l.ReadFile(file)
	if d := checkRecording(f); d != nil {
		l.List.Add(d)
	}
	l.Program.Recordings = append(l.Program.Recordings, &ir.Recording{Path: file, File: f})
}

// checkRecording returns a finding for a file that is not a recording, or nil. It uses the reader
// that also plays recordings.
func checkRecording(f *source.File) *diag.Diagnostic {
	read, err := recording.Read(bytes.NewReader(f.Bytes), f.Path)
	line, problem := 1, "the recording has no replies"
	var format *recording.FormatError
	switch {
	case errors.As(err, &format):
		line, problem = format.Line, "this is not a recording: "+format.Problem
	case err != nil:
		panic(err) // reading from memory does not fail otherwise
	case read.Len() > 0:
		return nil
	}
	start := f.LineStart(line)
	at := source.Span{File: f, Start: start, End: start + len(f.Line(line))}

	return diag.New(diag.BadValue, at, "%s", problem).WithHint("make it with agentc run --record FILE")
}
