package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// origin is the module of agentc that other modules are linked with: a checkout or a released
// version. The zero value means that neither is known.
type origin struct {
	// dir is the root of the checkout that this program was compiled from.
	dir string
	// version is the version in the build information, such as v1.2.3.
	version string
}

// findOrigin is detectOrigin; tests replace it.
var findOrigin = detectOrigin

// detectOrigin finds the source of agentc. It is the version in the build information, which also
// works on other machines, else the checkout of the file that contains this function, else the
// replacement in the build information.
func detectOrigin() origin {
	var found origin
	if _, file, _, ok := goruntime.Caller(0); ok {
		found.dir = checkoutRoot(filepath.Dir(filepath.Dir(filepath.Dir(file))))
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, m := range append(info.Deps, &info.Main) {
		switch {
		case m.Path != gopkg.Agentc:
		case m.Replace != nil && found.dir == "" && m.Replace.Version == "":
			found.dir = checkoutRoot(m.Replace.Path)
		case m.Replace == nil && found.dir == "" && strings.HasPrefix(m.Version, "v") && !strings.Contains(m.Version, "+dirty"):
			found.version = m.Version
		}
	}

	return found
}

// checkoutRoot returns dir if it is the root of agentc's source outside of the module cache, else
// "". In the module cache, names of folders contain a version.
func checkoutRoot(dir string) string {
	if !filepath.IsAbs(dir) || strings.Contains(filepath.Base(dir), "@") {
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

// errNoOrigin means that the source of agentc is needed and not found.
var errNoOrigin = errors.New(
	"the generated Go needs the runtime of agentc, and neither way to it is open: agentc's source cannot be read where " +
		"this program was compiled from it, and the build information of this program names no version of " + gopkg.Agentc +
		" to require. Put the project into a module and run `go get -tool " + gopkg.Agentc + "/cmd/agentc` there, or install agentc " +
		"with `go install " + gopkg.Agentc + "/cmd/agentc@latest`")

// requirement returns the lines of go.mod that require agentc.
func (o origin) requirement() (string, error) {
	switch {
	case o.dir != "":
		return fmt.Sprintf("require %s v0.0.0\n\nreplace %[1]s => %s\n", gopkg.Agentc, modPath(o.dir)), nil
	case o.version != "":
		return fmt.Sprintf("require %s %s\n", gopkg.Agentc, o.version), nil
	}

	return "", errNoOrigin
}

// runtimeKey identifies the runtime: a hash of its source in a checkout, else the version.
func (o origin) runtimeKey() (string, error) {
	if o.dir == "" {
		return o.version, nil
	}
	hash := sha256.New()
	root := os.DirFS(o.dir)
	err := fs.WalkDir(root, "runtime", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !isLinked(name) {
			return err
		}
		content, err := fs.ReadFile(root, name)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)

		return err
	})

	return hex.EncodeToString(hash.Sum(nil)), err
}

// isLinked reports whether a file of the runtime can become part of a binary, as Go or as an
// embedded file.
func isLinked(name string) bool {
	switch path.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".css", ".js":
		return true
	}

	return false
}
