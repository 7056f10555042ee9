package agentmd

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/projectfs"
	"github.com/agentc-dev/agentc/gen/scriptdoc"
	"github.com/agentc-dev/agentc/gen/source"
)

// readScripts reads and converts the script files that models name, each once. It comes last, because a script is checked
// against the agents and tools of the project.
func (l *loader) readScripts(*layout) error {
	// Steps have the model of their agent where they do not name another: what is found at one place is said once.
	read := map[source.Span]string{}
	for _, name := range l.program.ModelNames() {
		file, ok := strings.CutPrefix(name.Value, ir.ScriptPrefix)
		if !ok {
			continue
		}
		if cleaned, again := read[name.Span]; again {
			name.Value = cleaned
			continue
		}
		if err := l.readScript(name, file); err != nil {
			return err
		}
		read[name.Span] = name.Value
	}
	slices.SortFunc(l.program.Scripts, func(a, b *ir.Script) int { return cmp.Compare(a.Path, b.Path) })

	return nil
}

// readScript reads one script file and writes its cleaned path into the model's name, so that both agree.
func (l *loader) readScript(name *ir.Text, file string) error {
	cleaned, ok := projectfs.Inside(".", file)
	if !ok || cleaned == "." {
		l.list.Add(diag.New(diag.BadValue, name.Span,
			"model %q: the script is not a file inside the project: write its path relative to the project", name.Value))
		return nil
	}
	name.Value = ir.ScriptPrefix + cleaned
	if slices.ContainsFunc(l.program.Scripts, func(s *ir.Script) bool { return s.Path == cleaned }) {
		return nil
	}
	if link := projectfs.Link(l.fsys, cleaned); link != "" {
		l.list.Add(diag.New(diag.BadValue, name.Span, "model %q: %q is a symbolic link, and a script lies in the project itself",
			name.Value, link))
		return nil
	}

	if there, err := projectfs.HasFile(l.fsys, cleaned); err != nil {
		return err
	} else if !there {
		d := diag.New(diag.BadValue, name.Span, "model %q: there is no script file %q", name.Value, cleaned)
		if near, ok := diag.Nearest(path.Base(cleaned), l.scriptsIn(path.Dir(cleaned))); ok {
			d.Suggest(name.Value, []string{ir.ScriptPrefix + path.Join(path.Dir(cleaned), near)})
		}
		l.list.Add(d)
		return nil
	}

	return l.convertScript(cleaned)
}

func (l *loader) convertScript(file string) error {
	f, err := l.readFile(file)
	if err != nil {
		return err
	}
	text, findings := scriptdoc.Convert(f, l.program)
	l.list.Add(findings...)
	l.program.Scripts = append(l.program.Scripts, &ir.Script{Path: file, File: f, JSON: text})

	return nil
}

// scriptsIn returns what a model could name in a folder.
func (l *loader) scriptsIn(dir string) []string {
	names, err := projectfs.Names(l.fsys, dir)
	if err != nil {
		return nil
	}

	return slices.DeleteFunc(names, func(name string) bool {
		ext := path.Ext(name)
		return name == configFile || ext != ".yaml" && ext != ".yml" && ext != ".json"
	})
}
