package agentmd

import (
	"bytes"
	"io/fs"
	"path"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// What a skill may bring, in bytes: all of it is in the generated Go and in the binary.
const (
	largestSkillFile  = 1 << 20
	largestSkillFiles = 8 << 20
	mostSkillFiles    = 500
)

// skillFiles reads the files that are beside a SKILL.md and below it. Names that begin with a dot are passed over.
func (l *loader) skillFiles(s *ir.Skill) error {
	r := &skillReader{l: l, skill: s, top: path.Join(skillsFolder, s.Folder)}

	return r.folder("")
}

// skillReader reads the files of one skill.
type skillReader struct {
	l     *loader
	skill *ir.Skill
	top   string
	size  int
	full  bool
}

// folder reads the files of a folder below that of the skill; "" is that itself.
func (r *skillReader) folder(below string) error {
	names, err := source.Names(r.l.FS, path.Join(r.top, below))
	if err != nil {
		return err
	}
	for _, name := range names {
		file := path.Join(below, name)
		if file == SkillFile || r.full {
			continue
		}
		whole := path.Join(r.top, file)
		info, err := fs.Lstat(r.l.FS, whole)
		switch {
		case err != nil:
			return err
		case info.IsDir():
			if err := r.folder(file); err != nil {
				return err
			}
		case !info.Mode().IsRegular():
			r.refuse("the file %q of the skill is a link or no file, and only files are read", file)
		case info.Size() > largestSkillFile:
			r.refuse("the file %q of the skill has %d bytes, and may have 1 MiB", file, info.Size())
		default:
			if err := r.file(file, whole); err != nil {
				return err
			}
		}
	}

	return nil
}

func (r *skillReader) file(name, whole string) error {
	content, err := fs.ReadFile(r.l.FS, whole)
	if err != nil {
		return err
	}
	r.size += len(content)
	if r.size > largestSkillFiles || len(r.skill.Files) == mostSkillFiles {
		r.full = true
		r.refuse("the skill has more than 500 files, or more than 8 MiB in them, from %q on", name)

		return nil
	}
	f := ir.SkillFile{Path: name, Content: string(content), Binary: !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0}
	if !f.Binary {
		r.l.Program.Files = append(r.l.Program.Files, source.NewFile(whole, content))
	}
	r.skill.Files = append(r.skill.Files, f)

	return nil
}

func (r *skillReader) refuse(format string, args ...any) {
	at := r.skill.Name.Span
	if !at.IsValid() {
		at = frontend.WholeFile(r.skill.File)
	}
	r.l.List.Add(diag.New(diag.SkillFile, at, format, args...).
		WithHint("take it out of %q: the files of a skill are compiled in", r.top))
}
