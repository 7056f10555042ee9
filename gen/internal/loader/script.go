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

// answering is a kind of model that is a file of the project.
type answering struct {
	// prefix begins the names of such models.
	prefix string
	// exts are what the names of such files end in.
	exts []string
	// read reads such a file.
	read func(file string)
}

// answerings are the kinds of models that are files of the project.
func (l *loader) answerings() []answering {
	return []answering{
		{ir.ScriptPrefix, []string{".yaml", ".yml", ".json"}, l.convertScript},
		{ir.ReplayPrefix, []string{".jsonl", ".json"}, l.takeRecording},
	}
}

// readScripts reads the scripts and recordings that models name, each once. It comes last, because a script is checked against the agents
// and tools of the project.
func (l *loader) readScripts() {
	// Steps have the model of their agent where they do not name another: what is found at one place is said once.
	read := map[source.Span]string{}
	for _, name := range l.Program.ModelNames() {
		kind := ir.First(l.answerings(), func(kind answering) bool { return strings.HasPrefix(name.Value, kind.prefix) })
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

// readAnswers reads one file and writes its cleaned path into the model's name, so that both agree.
func (l *loader) readAnswers(name *ir.Text, kind answering) {
	isAlike := func(name string) bool {
		return name != configFile && name != pricesFile && slices.Contains(kind.exts, path.Ext(name))
	}
	by := frontend.Named{Prefix: kind.prefix, Folder: ".", From: "the project", IsAlike: isAlike}
	file, finding := l.NamedFile(diag.BadValue, "model", *name, by)
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

// takeRecording reads a recording, which a program has as it is.
func (l *loader) takeRecording(file string) {
	f := l.ReadFile(file)
	if d := checkRecording(f); d != nil {
		l.List.Add(d)
	}
	l.Program.Recordings = append(l.Program.Recordings, &ir.Recording{Path: file, File: f})
}

// checkRecording says what keeps a file from being played; nil for a recording. It is read by the very reader that plays it.
func checkRecording(f *source.File) *diag.Diagnostic {
	read, err := recording.Read(bytes.NewReader(f.Bytes), f.Path)
	line, problem := 1, "the recording has no replies"
	var format *recording.FormatError
	switch {
	case errors.As(err, &format):
		line, problem = format.Line, "this is not a recording: "+format.Problem
	case err != nil:
		panic(err) // bytes in memory are read without one
	case read.Len() > 0:
		return nil
	}
	start := f.LineStart(line)
	at := source.Span{File: f, Start: start, End: start + len(f.Line(line))}

	return diag.New(diag.BadValue, at, "%s", problem).WithHint("make it with agentc run --record FILE")
}
