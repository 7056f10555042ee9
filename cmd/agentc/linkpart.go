package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/gopkg"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// part is a module of agentc's that a project includes. What stands in the module of the runtime needs none of this.
type part struct {
	// word stands in `include`, module is the path of the module.
	word, module string
}

// folder is where the part lies in agentc's source, with forward slashes.
func (p part) folder() string { return strings.TrimPrefix(p.module, gopkg.Agentc+"/") }

// partsOf returns the parts that the program includes and that are modules of their own.
func partsOf(p *ir.Program) []part {
	var parts []part
	for _, word := range p.Include {
		if included, _ := names.PartOf(word.Value); included.Module {
			parts = append(parts, part{word: word.Value, module: included.Path})
		}
	}

	return parts
}

// requireParts brings the parts into the module of a project without one, as copies where agentc's source is on disk: with the
// sums of what they need, so that nobody has to be asked for them.
func (m module) requireParts(parts []part, from origin) error {
	for _, p := range parts {
		files, err := from.partFiles(p)
		if err != nil {
			return err
		}
		gomod := string(m["go.mod"])
		if files == nil {
			m["go.mod"] = fmt.Appendf(nil, "%s\nrequire %s %s\n", gomod, p.module, from.version)
			continue
		}
		copied := path.Join(ownCopy, p.folder())
		for name, content := range files {
			m[path.Join(copied, name)] = content
		}
		m["go.mod"] = fmt.Appendf(nil, "%s\nrequire %s v0.0.0\n\nreplace %[2]s => ./%s\n", gomod, p.module, copied)
		m["go.sum"] = append(m["go.sum"], files["go.sum"]...)
	}

	return nil
}

// partFiles returns the source of a part; nil if it is not on disk, and a version can be required instead: modules of their own
// are not in the module cache with agentc.
func (o origin) partFiles(p part) (module, error) {
	dir := filepath.Join(o.dir, filepath.FromSlash(p.folder()))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); o.dir == "" || errors.Is(err, fs.ErrNotExist) {
		if o.version == "" {
			return nil, &MissingOriginError{}
		}
		return nil, nil
	}
	files := module{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return skipOwnModule(root, name, err)
		}
		if name == "go.mod" || name == "go.sum" || isRuntimeSource(name) {
			files[name], err = fs.ReadFile(root, name)
		}
		return err
	})

	return files, err
}

// skipOwnModule is what to do with a folder below a module: one with a go.mod is no part of it.
func skipOwnModule(root fs.FS, name string, err error) error {
	if err != nil || name == "." {
		return err
	}
	if _, err := fs.Stat(root, name+"/go.mod"); err == nil {
		return fs.SkipDir
	}

	return nil
}

// unrequired finds in what go build says the import that no module provides.
var unrequired = regexp.MustCompile(`provides package ([^\s;:]+)`)

// explainParts says how a part that the project includes gets into the user's module, if that is why there is no binary.
func (l *linking) explainParts(ctx context.Context, output []byte) {
	for _, found := range unrequired.FindAllSubmatch(output, -1) {
		for _, p := range partsOf(l.result.Program) {
			if string(found[1]) != p.module {
				continue
			}
			l.c.Errorf(cli.Problem, "include: [%s] needs a module that %s does not require; run there:\n  %s",
				p.word, l.c.Rel(l.p.dir), strings.Join(findOrigin(ctx).getPart(p), "\n  "))
			return
		}
	}
}

// getPart are the commands that bring a part into a module.
func (o origin) getPart(p part) []string {
	o = o.released()
	if o.dir == "" {
		return []string{"go get " + p.module + "@" + o.version}
	}
	dir := filepath.Join(o.dir, filepath.FromSlash(p.folder()))

	return []string{"go mod edit -replace " + p.module + "=" + shellWord(dir), "go get " + p.module}
}
