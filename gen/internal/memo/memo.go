package memo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Memo remembers compilations of one compiler in one folder. The nil Memo remembers nothing.
type Memo struct {
	folder   string
	compiler string
}

// New returns a memo with its entries in folder, which is made when needed. compiler identifies the
// compiler, as [CompilerID] does; compilers do not share results.
func New(folder, compiler string) *Memo { return &Memo{folder: folder, compiler: compiler} }

// Compile compiles the project in dir with the content o.FS, or returns the remembered result. The
// program of a remembered result has only its package and its output folder. dir only selects the
// entry. o.Graph must be the same function for all compilations of one compiler.
func (m *Memo) Compile(ctx context.Context, dir string, o gen.Options) (result *gen.Result, remembered bool, err error) {
	if m == nil || o.CheckOnly {
		result, err = gen.Compile(ctx, o)

		return result, false, err
	}

	name := m.entryName(dir, o.Alone)
	if stored, ok := m.loadEntry(name); ok && hasSameAnswers(o.FS, stored.Questions) {
		return &gen.Result{Program: &ir.Program{Package: stored.Package, Output: stored.Output}, Files: stored.Files}, true, nil
	}

	asker := &recorder{fsys: o.FS}
	o.FS = asker
	result, err = gen.Compile(ctx, o)
	if err != nil {
		return nil, false, err
	}
	if !asker.isIncomplete && len(result.Diagnostics) == 0 {
		m.storeEntry(name, &entry{
			Questions: asker.questions, Package: result.Program.Package, Output: result.Program.Output, Files: result.Files,
		})
	}

	return result, false, nil
}

// entryName returns the file name of the entry of a project, which is a folder or a single file in
// it.
func (m *Memo) entryName(dir, file string) string {
	sum := sha256.Sum256([]byte(m.compiler + "\x00" + dir + "\x00" + file))

	return hex.EncodeToString(sum[:16])
}

var _ interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
} = (*recorder)(nil)

// CompilerID identifies the running executable by its version and its file, which changes whenever
// it is built or installed.
func CompilerID() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	version, _ := debug.ReadBuildInfo()

	return fmt.Sprint(name, " ", file.Size(), " ", file.ModTime().UnixNano(), "\n", version), nil
}
