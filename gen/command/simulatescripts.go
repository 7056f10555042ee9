package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// scriptHeader begins every script that simulate writes; behind it is with which agent the run begins.
const scriptHeader = "Written by agentc simulate --write-scripts, which may write it anew or remove it. Run with --agent "

// scriptSuffix ends the names of scripts.
func (s *simulation) scriptSuffix() string {
	if s.c.Flag("format") == formatJSON {
		return ".json"
	}

	return ".yaml"
}

// writeScripts brings the folder of --write-scripts up to date and says what it did.
func (s *simulation) writeScripts(scripts []*simulate.Script) (summary string, err error) {
	dir := s.c.Path(s.c.Flag("write-scripts"))
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", usagef("--write-scripts %s: it is a file, not a folder", s.c.Flag("write-scripts"))
	}
	base := nearestFolder(dir)
	below, err := filepath.Rel(base, dir)
	if err != nil {
		return "", err
	}
	disk, err := openOutput(base)
	if err != nil {
		return "", err
	}
	defer disk.Close()

	f := &scriptFolder{s: s, disk: disk, dir: filepath.ToSlash(below)}
	plan, err := f.plan(scripts)
	if err != nil {
		return "", (&project{dir: base}).refused(s.c, err, "nothing was written: only scripts of simulate are written anew")
	}
	done, err := plan.Apply(output.Write(disk))
	if err != nil {
		return "", fmt.Errorf("%w (%s so far)", err, done)
	}

	return fmt.Sprintf("%s in %s: %s", plural(len(scripts), "script"), s.c.Rel(dir), done), nil
}

// scriptPath is the file of a script as a person reads it.
func (s *simulation) scriptPath(script *simulate.Script) string {
	return s.c.Rel(filepath.Join(s.c.Path(s.c.Flag("write-scripts")), script.Name+s.scriptSuffix()))
}

// scriptFolder is the folder of --write-scripts.
type scriptFolder struct {
	s    *simulation
	disk output.FS
	// dir is the folder, slash-separated and relative to disk.
	dir string
}

// plan says what has to change. The error is an *[output.ConflictError] if a file that is not ours is in the way.
func (f *scriptFolder) plan(scripts []*simulate.Script) (*output.Plan, error) {
	changes := map[string]output.Change{}
	for _, script := range scripts {
		name := script.Name + f.s.scriptSuffix()
		content := script.YAML(f.comment(script))
		if f.s.scriptSuffix() == ".json" {
			var err error
			if content, err = jsonScriptOf(script, f.comment(script)); err != nil {
				return nil, err
			}
		}
		changes[name] = output.Change{Path: path.Join(f.dir, name), New: content}
	}
	entries, err := f.disk.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var conflicts []output.Conflict
	for _, e := range entries {
		conflict, err := f.entry(e, changes)
		if err != nil {
			return nil, err
		}
		conflicts = append(conflicts, conflict...)
	}
	if len(conflicts) > 0 {
		return nil, &output.ConflictError{Conflicts: conflicts}
	}

	p := &output.Plan{}
	for _, c := range changes {
		p.Changes = append(p.Changes, c)
	}
	slices.SortFunc(p.Changes, func(a, b output.Change) int { return strings.Compare(a.Path, b.Path) })

	return p, nil
}

// entry looks at what is in the folder.
func (f *scriptFolder) entry(e fs.DirEntry, changes map[string]output.Change) ([]output.Conflict, error) {
	change, wanted := changes[e.Name()]
	name := path.Join(f.dir, e.Name())
	if !e.Type().IsRegular() && wanted {
		return []output.Conflict{{Path: name, Problem: "is no regular file, and a script belongs there"}}, nil
	}
	if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), f.s.scriptSuffix()) {
		return nil, nil
	}
	content, err := f.disk.ReadFile(name)
	if err != nil {
		return nil, err
	}
	switch agent, ours := scriptOf(content); {
	case wanted && !ours:
		return []output.Conflict{{Path: name, Problem: "was not written by simulate, and a script belongs there"}}, nil
	case wanted:
		change.Old = append([]byte{}, content...)
		changes[e.Name()] = change
	case ours && slices.Contains(agentNames(f.s.options.Roots), agent):
		changes[e.Name()] = output.Change{Path: name, Old: append([]byte{}, content...)}
	}

	return nil, nil
}

// scriptOf returns the agent that a script of simulate is for; ours says that it is one.
func scriptOf(content []byte) (agent string, ours bool) {
	line, _, _ := strings.Cut(string(content), "\n")
	line = strings.TrimSuffix(line, "\r")
	var commented struct {
		Comment []string `json:"//"`
	}
	if json.Unmarshal(content, &commented) == nil && len(commented.Comment) > 0 {
		line = "# " + commented.Comment[0]
	}

	return strings.CutPrefix(line, "# "+scriptHeader)
}

// jsonScriptOf is a script as JSON, with its comment in the member "//".
func jsonScriptOf(script *simulate.Script, comment []string) ([]byte, error) {
	text, findings := scriptdoc.Convert(source.NewFile(script.Name, script.YAML(nil)), nil)
	if len(findings) > 0 {
		return nil, fmt.Errorf("the script %s cannot be written as JSON: %s", script.Name, findings[0].Message)
	}
	var head, b bytes.Buffer
	encoder := json.NewEncoder(&head)
	encoder.SetEscapeHTML(false) // for the arrows
	if err := encoder.Encode(comment); err != nil {
		return nil, err
	}
	if err := json.Indent(&b, []byte(`{"//":`+head.String()+","+strings.TrimPrefix(text, "{")), "", "  "); err != nil {
		return nil, err
	}

	return append(b.Bytes(), '\n'), nil
}

// comment is what is written above a script.
func (f *scriptFolder) comment(script *simulate.Script) []string {
	comment := []string{scriptHeader + script.Root.Name.Value}
	if script.Context != "" {
		comment = append(comment, "and with --context '"+script.Context+"'.")
	}
	if script.Ending != nil {
		return append(comment, fmt.Sprintf("A shortest run in which %s ends with %q.", script.Ending.Label, script.Ending.Key))
	}
	if script.For == nil {
		return append(comment, fmt.Sprintf("A shortest run of %s.", script.Root.Name.Value))
	}
	comment = append(comment, fmt.Sprintf("A shortest run that takes %s. All its rows:", describe(script.For)))
	for _, row := range script.Rows {
		comment = append(comment, "  "+arrow(row))
	}

	return comment
}
