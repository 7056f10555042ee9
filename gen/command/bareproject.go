package command

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// bareFolder is where go build sees the Go of a project that is in no module of its own: a folder
// of agentc's module that only an overlay has, with the import path barePath.
const (
	bareFolder = "agentc-project"
	barePath   = gopkg.Agentc + "/" + bareFolder
)

// bareProject is how a project is built that has no module. Nothing is written into the project.
func (l *linking) bareProject() (goBuild, error) {
	main, err := mainSource(l.result.Program, barePath+"/agents")
	if err != nil {
		return goBuild{}, err
	}
	files := map[string][]byte{"main.go": main}
	if l.panel {
		files[panelFile] = []byte(panelSource)
	}
	for _, f := range l.files() {
		if !strings.HasSuffix(f.Name, "_test.go") {
			files[path.Join("agents", f.Name)] = f.Content
		}
	}
	parts, err := partsOf(l.files())
	if err != nil {
		return goBuild{}, err
	}

	return bareBuild(findOrigin(), files, parts)
}

// bareBuild is how a program is built that needs agentc's runtime and some parts, and has no
// module; files are by slash-separated path, with main.go. The go.mod requires no more than that,
// whatever agentc itself needs: the runtime has the standard library alone.
func bareBuild(from origin, files map[string][]byte, parts []part) (goBuild, error) {
	var err error
	b := goBuild{overlay: overlay{}, env: []string{"GO111MODULE=on", "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0"}, flags: []string{"-trimpath"}}
	if from.dir != "" { // the checkout is the main module, so that no path of this machine gets into the binary
		b.dir, b.main = from.dir, "./"+bareFolder
		b.gomod = "module " + gopkg.Agentc + "\n\n" + goLine
	} else {
		require := ""
		if require, err = from.requirement(); err != nil {
			return b, err
		}
		if b.dir, err = cache.Dir("bare"); err != nil {
			return b, err
		}
		b.main = "."
		b.gomod = "module " + barePath + "\n\n" + goLine + "\n" + require
		b.overlay[filepath.Join(b.dir, "go.mod")] = nil // there has to be one; -modfile replaces it
	}
	for name, content := range files {
		b.overlay[filepath.Join(b.dir, b.main, filepath.FromSlash(name))] = content
	}

	if err := from.requireParts(&b, parts); err != nil {
		return b, err
	}
	b.runtime, err = from.key()

	return b, err
}
