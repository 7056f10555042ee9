package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// module is a Go module in memory: paths with forward slashes and contents.
type module map[string][]byte

// bareBinary is the name of the binary of a project without a module, in its folder of the cache.
const bareBinary = "run.exe"

// linkBare makes a module of its own for a project that has none. It lies in the user's cache folder under a key made of
// all that goes into it; nothing is written into the project.
func (l *linking) linkBare(ctx context.Context, t target) (string, error) {
	from := findOrigin(ctx)
	m, err := l.bareModule(from)
	if err != nil {
		return "", err
	}

	return l.buildCached(ctx, m, from, t)
}

// buildCached builds a module in the cache, unless its binary is there.
func (l *linking) buildCached(ctx context.Context, m module, from origin, t target) (string, error) {
	runtimeKey, err := from.key()
	if err != nil {
		return "", err
	}
	dir, err := cacheDir("bare")
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, m.key(runtimeKey, fmt.Sprintf("%q %q", t.flags, t.env)))
	binary := filepath.Join(final, bareBinary)
	if t.file == "" && touch(binary) && touch(final) {
		return binary, nil
	}

	work, err := os.MkdirTemp(dir, inWork+"*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := m.write(work, from); err != nil {
		return "", err
	}
	if err := l.buildBare(ctx, work, t); err != nil {
		return "", err
	}
	if t.file != "" {
		return t.file, nil
	}
	if err := publish(work, final); err != nil {
		return "", err
	}
	prune(dir, 32)

	return binary, nil
}

// buildBare builds the module in dir: the binary is run.exe beside the sources, or the target's file.
func (l *linking) buildBare(ctx context.Context, dir string, t target) error {
	file := t.file
	if file == "" {
		file = filepath.Join(dir, bareBinary)
	}
	// The user's GOFLAGS and workspace are for the user's modules.
	env := append([]string{"GOFLAGS=-mod=mod", "GOWORK=off"}, t.env...)
	args := append([]string{"-trimpath", "-buildvcs=false"}, t.flags...)

	return l.goBuild(ctx, dir, env, append(args, "-o", file, ".")...)
}

// bareModule returns the module of the project, without agentc's runtime.
func (l *linking) bareModule(from origin) (module, error) {
	const path = "project"
	require, err := from.requirement("./" + ownCopy)
	if err != nil {
		return nil, err
	}
	main, err := mainSource(l.result.Program, path+"/agents")
	if err != nil {
		return nil, err
	}
	m := module{
		"go.mod":  []byte("module " + path + "\n\n" + goLine + "\n" + require),
		"main.go": main,
	}
	for _, f := range l.files() {
		if !strings.HasSuffix(f.Name, "_test.go") {
			m["agents/"+f.Name] = f.Content
		}
	}

	parts, err := partsOf(l.result.Program, l.files())
	if err != nil {
		return nil, err
	}

	return m, m.requireParts(parts, from)
}

// key is a hash over the files, the runtime, the Go version that compiled agentc, and how the binary is built.
func (m module) key(parts ...string) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %s %s/%s\n", parts, goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(hash, "%s %d\n%s", name, len(m[name]), m[name])
	}

	return hex.EncodeToString(hash.Sum(nil))
}

// write puts the module into dir, and a copy of agentc's runtime beside it if its source is on disk: so the module does not
// depend on what happens there later, and no path of this machine gets into the binary.
func (m module) write(dir string, from origin) error {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), m[name]); err != nil {
			return err
		}
	}
	if from.dir == "" {
		return nil
	}
	own := filepath.Join(dir, ownCopy)
	if err := writeFile(filepath.Join(own, "go.mod"), []byte("module "+gopkg.Agentc+"\n\n"+goLine)); err != nil {
		return err
	}
	root := os.DirFS(from.dir)

	return fs.WalkDir(root, "runtime", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return skipOwnModule(root, name, err)
		}
		if !isRuntimeSource(name) {
			return nil
		}
		content, err := fs.ReadFile(root, name)

		return errors.Join(err, writeFile(filepath.Join(own, filepath.FromSlash(name)), content))
	})
}

// ownCopy is the folder of the copy of agentc's runtime.
const ownCopy = "agentc"

func isRuntimeSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

func writeFile(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}

	return os.WriteFile(name, content, 0o666)
}
