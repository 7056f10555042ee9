package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// scriptHeader begins every script that simulate writes. The name of the run's agent follows.
const scriptHeader = "Written by agentc simulate --write-scripts, which may write it again or remove it. Run with --agent "

// scriptExtension returns the extension of the files of scripts.
func (s *simulation) scriptExtension() string {
	if s.c.Flag("format") == formatJSON {
		return ".json"
	}

	return ".yaml"
}

// writeScripts updates the folder of --write-scripts and returns a summary.
func (s *simulation) writeScripts() (string, error) {
	dir := s.c.Path(s.c.Flag("write-scripts"))
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", s.c.Usagef("--write-scripts %s: it is a file, not a folder", s.c.Flag("write-scripts"))
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

	files, err := s.scriptFiles()
	if err != nil {
		return "", err
	}
	plan, err := s.scriptKind().Compare(disk, filepath.ToSlash(below), files)
	if err != nil {
		return "", (&project{dir: base}).reportConflicts(s.c, err, "nothing was written: only scripts of simulate are overwritten")
	}
	done, err := plan.Apply(output.WriteSink(disk))
	if err != nil {
		return "", fmt.Errorf("%w (%s so far)", err, done)
	}

	return fmt.Sprintf("%s in %s: %s\n", words.Count(len(s.scripts), "script"), s.c.Rel(dir), done), nil
}

// scriptPath returns the file of a script, relative to the working directory.
func (s *simulation) scriptPath(script *simulate.Script) string {
	return s.c.Rel(filepath.Join(s.c.Path(s.c.Flag("write-scripts")), script.Name+s.scriptExtension()))
}

// scriptFiles returns the files of the scripts.
func (s *simulation) scriptFiles() ([]output.File, error) {
	var files []output.File
	for _, script := range s.scripts {
		written := script.Document(scriptComment(script))
		content := written.YAML()
		if s.scriptExtension() == ".json" {
			var err error
			content, err = written.JSON()
			if err != nil {
				return nil, fmt.Errorf("the script %s cannot be written as JSON: %w", script.Name, err)
			}
		}
		files = append(files, output.File{Name: script.Name + s.scriptExtension(), Content: content})
	}

	return files, nil
}

// scriptKind describes the scripts of simulate. Scripts of agents that are not roots are kept.
func (s *simulation) scriptKind() output.Kind {
	return output.Kind{
		Matches: func(name string) bool { return strings.HasSuffix(name, s.scriptExtension()) },
		IsOurs: func(content []byte) bool {
			_, ours := parseScriptAgent(content)
			return ours
		},
		IsRemovable: func(_ string, content []byte) bool {
			agent, _ := parseScriptAgent(content)
			return slices.Contains(agentNames(s.options.Roots), agent)
		},
		Irregular: "is not a regular file, and a script belongs there",
		Foreign:   "was not written by simulate, and a script belongs there",
	}
}

// parseScriptAgent returns the agent of a script; ours is false if simulate did not write the
// script.
func parseScriptAgent(content []byte) (agent string, ours bool) {
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

// scriptComment returns the comment at the beginning of a script.
func scriptComment(script *simulate.Script) []string {
	comment := []string{scriptHeader + script.Root.Name.Value}
	if script.Input != "" {
		comment = append(comment, "on the task '"+script.Input+"'.")
	}
	if script.Context != "" {
		comment = append(comment, "and with --context '"+script.Context+"'.")
	}
	if script.For == nil {
		return append(comment, fmt.Sprintf("A shortest run of %s.", script.Root.Name.Value))
	}
	what := "rows"
	if len(script.Cases) > 0 {
		what = "rows and cases"
	}
	comment = append(comment, fmt.Sprintf("A shortest run that takes %s. All its %s:", describeTarget(script.For), what))
	for _, row := range script.Rows {
		comment = append(comment, "  "+drawArrow(row))
	}
	for _, c := range script.Cases {
		comment = append(comment, "  "+caseLine(c))
	}

	return comment
}
