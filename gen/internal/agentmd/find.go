package agentmd

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// The names that make an agent and a skill.
const (
	AgentsFolder = "agents"
	skillsFolder = "skills"
	AgentFile    = "AGENT.md"
	SkillFile    = "SKILL.md"
)

// folder is the folder of an agent or a skill.
type folder struct {
	name  string
	files []string // names of all files in it
}

// pathsOf returns the path of the same file in each folder below parent.
func pathsOf(parent string, folders []folder, file string) []string {
	return ir.Map(folders, func(f folder) string { return path.Join(parent, f.name, file) })
}

// folders returns the folders below parent that have a file called want, and notes files that were meant to be such a file.
func (l *loader) folders(parent, want string, known func(name string, f *source.File)) []folder {
	behindLink := source.IsLink(l.FS, parent)

	var folders []folder
	for _, entry := range l.entries(parent) {
		dir := path.Join(parent, entry.Name())
		switch isDir := l.isFolder(dir, entry); {
		case !isDir && entry.Name() == want:
			l.Strays = append(l.Strays, frontend.Stray{Path: dir, Want: want})
			continue
		case !isDir:
			continue // as a rule generated Go, or a link that leads nowhere
		}
		f := folder{name: entry.Name()}
		there := false
		for _, file := range l.entries(dir) {
			f.files = append(f.files, file.Name())
			there = there || file.Name() == want && file.Type().IsRegular() && entry.IsDir() && !behindLink
		}
		if !slices.Contains(f.files, want) {
			l.noteMeant(dir, f.files, want, known)
			continue
		}
		if file := path.Join(dir, want); !there { // a link, or what is no file
			there = l.AddUnlessFile(frontend.Stray{Path: file, Want: want, Known: called(file, known)})
		}
		if there {
			folders = append(folders, f)
		}
	}

	return folders
}

func (l *loader) entries(dir string) []fs.DirEntry {
	entries, err := source.Entries(l.FS, dir)
	l.Fail(err)

	return entries
}

// isFolder reports whether an entry is a folder, or a link to one. A link that leads nowhere is none.
func (l *loader) isFolder(name string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := fs.Stat(l.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		l.Fail(err)
	}

	return err == nil && info.IsDir()
}

// noteMeant notes, in a folder that has no file called want, those whose name differs from it in case only or that are one
// folder too deep. In a folder of nothing but Markdown a misspelled name counts too.
func (l *loader) noteMeant(dir string, files []string, want string, known func(name string, f *source.File)) {
	prose := !slices.ContainsFunc(files, func(file string) bool { return path.Ext(file) != ".md" })
	for _, file := range files {
		_, near := diag.Nearest(strings.ToUpper(file), []string{strings.ToUpper(want)})
		deeper := path.Join(dir, file, want)
		if strings.EqualFold(file, want) || near && prose {
			l.stray(path.Join(dir, file), want, known)
		} else if info, err := fs.Stat(l.FS, deeper); err == nil && !info.IsDir() && !source.IsLink(l.FS, dir) {
			l.stray(deeper, want, known)
		}
	}
}

func (l *loader) stray(file, want string, known func(name string, f *source.File)) {
	l.Strays = append(l.Strays, frontend.Stray{Path: file, Want: want, Known: called(file, known)})
}

// called makes known what a file is about, under the name of its folder.
func called(file string, known func(name string, f *source.File)) func(f *source.File) {
	return func(f *source.File) { known(path.Base(path.Dir(file)), f) }
}

// IsProject reports whether a folder has an agent: an AGENT.md in a folder of its own, or a file that was meant to be one. Folders
// that cannot be read have none.
func IsProject(fsys fs.FS) bool {
	agents, err := source.Names(fsys, AgentsFolder)
	if err != nil {
		return false
	}
	for _, name := range agents {
		_, err := fs.Stat(fsys, path.Join(AgentsFolder, name, AgentFile))
		if err == nil || errors.Is(err, fs.ErrPermission) {
			return true
		}
	}
	if len(agents) == 0 {
		return false
	}
	l := newLoader(frontend.New(fsys, &diag.List{}))
	l.folders(AgentsFolder, AgentFile, l.AddEmptyAgent)

	return l.Err == nil && slices.ContainsFunc(l.Strays, func(s frontend.Stray) bool { return source.IsFile(fsys, s.Path) })
}
