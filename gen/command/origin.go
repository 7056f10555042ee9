package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// origin is where this agentc comes from: what code in a bare folder is linked with.
type origin struct {
	// dir is agentc's own source on disk; "" if it is not there.
	dir string
	// version is the version in the build information, such as v1.2.3; "" if there is none that can be required.
	version string
}

// findOrigin is ownOrigin; tests put something else here.
var findOrigin = ownOrigin

// ownOrigin finds the source: the file from which this very function was compiled, else the replacement or the version that
// the build information names, in the module cache.
func ownOrigin(ctx context.Context) origin {
	var o origin
	if _, file, _, ok := goruntime.Caller(0); ok {
		o.dir = ownModule(filepath.Dir(filepath.Dir(filepath.Dir(file))))
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return o
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != gopkg.Agentc {
			continue
		}
		if m.Replace != nil {
			if o.dir == "" && m.Replace.Version == "" {
				o.dir = ownModule(m.Replace.Path)
			}
			continue
		}
		if strings.HasPrefix(m.Version, "v") && !strings.Contains(m.Version, "+dirty") {
			o.version = m.Version
		}
	}
	if o.dir == "" && o.version != "" {
		o.dir = inModuleCache(ctx, o.version)
	}

	return o
}

// ownModule returns dir if it is the root of agentc's source; else "".
func ownModule(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(gomod)) {
		if strings.TrimSpace(line) == "module "+gopkg.Agentc {
			return dir
		}
	}

	return ""
}

func inModuleCache(ctx context.Context, version string) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return ""
	}

	return ownModule(filepath.Join(string(bytes.TrimSpace(out)), filepath.FromSlash(gopkg.Agentc)+"@"+version))
}

// MissingOriginError says that agentc's source is needed and cannot be found.
type MissingOriginError struct{}

func (e *MissingOriginError) Error() string {
	return "the generated Go needs the runtime of agentc, and neither way to it is open: agentc's source is not on disk where " +
		"this program was compiled from it, and the build information of this program names no version of " + gopkg.Agentc +
		" to require. Put the project into a module and run `go get -tool " + gopkg.Agentc + "/cmd/agentc` there, or install agentc " +
		"with `go install " + gopkg.Agentc + "/cmd/agentc@latest`"
}

// requirement returns the lines of go.mod that bring in agentc; source is where its source lies, if that is on disk.
func (o origin) requirement(source string) (string, error) {
	switch {
	case o.dir != "":
		return fmt.Sprintf("require %s v0.0.0\n\nreplace %s => %s\n", gopkg.Agentc, gopkg.Agentc, modPath(source)), nil
	case o.version != "":
		return fmt.Sprintf("require %s %s\n", gopkg.Agentc, o.version), nil
	}

	return "", &MissingOriginError{}
}

// key identifies the runtime: a hash over its source when that is on disk, since a checkout changes, else the version.
func (o origin) key() (string, error) {
	if o.dir == "" {
		return o.version, nil
	}
	hash := sha256.New()
	root := os.DirFS(o.dir)
	err := fs.WalkDir(root, "runtime", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !isRuntimeSource(name) {
			return err
		}
		content, err := fs.ReadFile(root, name)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)

		return err
	})

	return hex.EncodeToString(hash.Sum(nil)), err
}
