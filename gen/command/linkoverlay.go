package command

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// overlay is what is laid over a module of the user's while a binary is built: files by absolute path. Nothing of it is written there.
type overlay map[string][]byte

// flags puts the overlay into a new folder and returns the flags by which go build sees it, and what removes the folder.
func (o overlay) flags() (flags []string, remove func() error, err error) {
	if len(o) == 0 {
		return nil, func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "agentc-overlay-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	replace := map[string]string{}
	for path, content := range o {
		replace[path] = filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		err = errors.Join(err, os.WriteFile(replace[path], content, 0o666))
	}
	text, marshalErr := json.Marshal(map[string]map[string]string{"Replace": replace})
	file := filepath.Join(dir, "overlay.json")
	if err = errors.Join(err, marshalErr, os.WriteFile(file, text, 0o666)); err != nil {
		return nil, nil, errors.Join(err, remove())
	}

	return []string{"-overlay", file}, remove, nil
}

// silent reports whether the binary is not going to ask a model. It is then linked without what opens models, so that it needs neither
// the modules of providers nor a network to fetch them.
func (l *linking) silent() bool { return l.idle || l.c.On("script") || l.c.On("replay") }

// files are the generated files that the binary is made of.
func (l *linking) files() []emit.File {
	if l.silent() {
		return emit.WithoutProviders(l.result.Program.Package, l.result.Files)
	}

	return l.result.Files
}

// overlay is what is laid over the user's module: what a silent binary has instead of what opens models.
func (l *linking) overlay() overlay {
	over := overlay{}
	for _, f := range l.files() {
		if l.silent() && (f.Name == names.ProvidersFile || f.Name == names.ServersFile) {
			over[filepath.Join(l.p.dir, filepath.FromSlash(l.result.Program.Output), f.Name)] = f.Content
		}
	}

	return over
}
