package rt

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// skillFileShown is how many bytes of a skill's file a model sees at once.
const skillFileShown = 20_000

var readSkillFileTool = model.Tool{
	Name:        toolReadSkillFile,
	Description: "Returns a file of a skill that was read.",
	Schema: `{"type":"object","properties":{"name":{"type":"string","description":"The name of the skill."},` +
		`"path":{"type":"string","description":"The path of the file, relative to the skill."}},"required":["name","path"],` +
		`"additionalProperties":false}`,
}

// fileListing names the files of a skill, for the model that has read it; "" without any.
func (s *SkillSpec) fileListing() string {
	if len(s.Files) == 0 {
		return ""
	}
	head := "\n\n## Files\n\nread_skill_file with the name %q and one of these paths returns a file:\n\n- "

	return fmt.Sprintf(head, s.Name) + strings.Join(s.filePaths(), "\n- ")
}

// readFile answers read_skill_file. What is compiled in is all that there is: no file is opened.
func (t *toolbox) readFile(args string) result {
	var in struct{ Name, Path string }
	if err := json.Unmarshal([]byte(orEmptyObject(args)), &in); err != nil || in.Name == "" || in.Path == "" {
		return result{problem: `read_skill_file takes {"name": a skill's name, "path": the path of a file}.`}
	}
	for i, skill := range t.skills {
		if skill.Name != in.Name {
			continue
		}
		if !t.unlocked[i] {
			return result{problem: fmt.Sprintf("The skill %q has not been read: call read_skill with its name first.", in.Name)}
		}

		return skill.readFile(in.Path)
	}

	return result{problem: fmt.Sprintf("There is no skill %s.", wording.QuoteStart(in.Name))}
}

// filePaths returns the sorted paths of the files of a skill.
func (s *SkillSpec) filePaths() []string { return slices.Sorted(maps.Keys(s.Files)) }

// readFile is a file as the model reads it.
func (s *SkillSpec) readFile(name string) result {
	text, ok := s.Files[path.Clean(name)]
	r := result{text: text, ran: true, shown: skillFileShown}
	switch {
	case !ok:
		return result{problem: fmt.Sprintf("The skill %q has no file %s. %s", s.Name, wording.QuoteStart(name), s.pathAdvice())}
	case slices.Contains(s.Base64, path.Clean(name)):
		r.remark = "[The file is not text: these are its bytes in Base64.]"
	case text == "":
		r.remark = "[The file is empty.]"
	}

	return r
}

// pathAdvice lists the files of a skill for the model.
func (s *SkillSpec) pathAdvice() string {
	const most = 50
	paths := s.filePaths()
	switch {
	case len(paths) == 0:
		return "It has none."
	case len(paths) > most:
		return "Some of its files are " + wording.List(paths[:most]) + "."
	}

	return "Its files are " + wording.List(paths) + "."
}
