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

// The names of the files and folders of agents and skills.
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

// findFolders returns the folders below parent with a file called want. It records misnamed files.
func (l *loader) findFolders(parent, want string, known func(name string, f *source.File)) []folder {
	behindLink := source.IsLink(l.FS, parent)

	var folders []folder
	for _, entry := range l.readEntries(parent) {
		dir := path.Join(parent, entry.Name())
		switch isDir := l.isFolder(dir, entry); {
		case !isDir && entry.Name() == want:
			l.Strays = append(l.Strays, frontend.Stray{Path: dir, Want: want})
			continue
		case !isDir:
			continue // usually generated Go, or a broken link
		}
		f := folder{name: entry.Name()}
		there := false
		for _, file := range l.readEntries(dir) {
			f.files = append(f.files, file.Name())
			isWanted := file.Name() == want && file.Type().IsRegular()
			there = there || isWanted && entry.IsDir() && !behindLink
		}
		if !slices.Contains(f.files, want) {
			l.addMisnamed(dir, f.files, want, known)
			continue
		}
		if file := path.Join(dir, want); !there { // a link, or not a regular file
			there = l.AddUnlessFile(frontend.Stray{Path: file, Want: want, Known: registerByFolder(file, known)})
		}
		if there {
			folders = append(folders, f)
		}
	}

	return folders
}

func (l *loader) readEntries(dir string) []fs.DirEntry {
	entries, err := source.Entries(l.FS, dir)
	l.Fail(err)

	return entries
}

// isFolder reports whether an entry is a folder, or a link to one.
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

// addMisnamed records the files of a folder that are meant as the missing file want: their name
// differs in case only, or they are one folder too deep. In a folder that has only Markdown a
// misspelled name counts too.
func (l *loader) addMisnamed(dir string, files []string, want string, known func(name string, f *source.File)) {
	prose := !slices.ContainsFunc(files, func(file string) bool { return path.Ext(file) != ".md" })
	for _, file := range files {
		_, near := diag.Nearest(strings.ToUpper(file), []string{strings.ToUpper(want)})
		deeper := path.Join(dir, file, want)
		if strings.EqualFold(file, want) || near && prose {
			l.addStray(path.Join(dir, file), want, known)
		} else if info, err := fs.Stat(l.FS, deeper); err == nil && !info.IsDir() && !source.IsLink(l.FS, dir) {
			l.addStray(deeper, want, known)
		}
	}
}

func (l *loader) addStray(file, want string, known func(name string, f *source.File)) {
	l.Strays = append(l.Strays, frontend.Stray{Path: file, Want: want, Known: registerByFolder(file, known)})
}

// registerByFolder returns a function that registers a file under the name of its folder.
func registerByFolder(file string, known func(name string, f *source.File)) func(f *source.File) {
	return func(f *source.File) { known(path.Base(path.Dir(file)), f) }
}

// IsProject reports whether a folder has an agent: an AGENT.md in its own folder, or a misnamed
// one. An unreadable folder has none.
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
	l.findFolders(AgentsFolder, AgentFile, l.AddEmptyAgent)

	return l.Err == nil && slices.ContainsFunc(l.Strays, func(s frontend.Stray) bool { return source.IsFile(fsys, s.Path) })
}
