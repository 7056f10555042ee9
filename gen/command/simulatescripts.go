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

// scriptHeader begins every script that simulate writes; behind it is with which agent the run
// begins.
const scriptHeader = "Written by agentc simulate --write-scripts, which may write it again or remove it. Run with --agent "

// scriptSuffix ends the names of scripts.
func (s *simulation) scriptSuffix() string {
	if s.c.Flag("format") == formatJSON {
		return ".json"
	}

	return ".yaml"
}

// writeScripts brings the folder of --write-scripts up to date and says what it did.
func (s *simulation) writeScripts() (summary string, err error) {
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
		return "", (&project{dir: base}).refused(s.c, err, "nothing was written: only scripts of simulate are overwritten")
	}
	done, err := plan.Apply(output.Write(disk))
	if err != nil {
		return "", fmt.Errorf("%w (%s so far)", err, done)
	}

	return fmt.Sprintf("%s in %s: %s\n", words.Count(len(s.scripts), "script"), s.c.Rel(dir), done), nil
}

// scriptPath is the file of a script as a person reads it.
func (s *simulation) scriptPath(script *simulate.Script) string {
	return s.c.Rel(filepath.Join(s.c.Path(s.c.Flag("write-scripts")), script.Name+s.scriptSuffix()))
}

// scriptFiles are the scripts as they are written.
func (s *simulation) scriptFiles() ([]output.File, error) {
	var files []output.File
	for _, script := range s.scripts {
		written := script.Written(comment(script))
		content := written.YAML()
		if s.scriptSuffix() == ".json" {
			var err error
			if content, err = written.JSON(); err != nil {
				return nil, fmt.Errorf("the script %s cannot be written as JSON: %w", script.Name, err)
			}
		}
		files = append(files, output.File{Name: script.Name + s.scriptSuffix(), Content: content})
	}

	return files, nil
}

// scriptKind are the scripts of simulate. Those of agents with which no run begins stay.
func (s *simulation) scriptKind() output.Kind {
	return output.Kind{
		Has: func(name string) bool { return strings.HasSuffix(name, s.scriptSuffix()) },
		Ours: func(content []byte) bool {
			_, ours := scriptOf(content)
			return ours
		},
		Goes: func(_ string, content []byte) bool {
			agent, _ := scriptOf(content)
			return slices.Contains(agentNames(s.options.Roots), agent)
		},
		Irregular: "is not a regular file, and a script belongs there",
		Foreign:   "was not written by simulate, and a script belongs there",
	}
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

// comment is what is written above a script.
func comment(script *simulate.Script) []string {
	comment := []string{scriptHeader + script.Root.Name.Value}
	if script.Context != "" {
		comment = append(comment, "and with --context '"+script.Context+"'.")
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
