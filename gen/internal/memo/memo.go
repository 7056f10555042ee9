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

// New returns a memo that keeps its entries in folder, which is made when it is needed. compiler
// names what compiles, as [Compiler] does: results are not shared between different ones.
func New(folder, compiler string) *Memo { return &Memo{folder: folder, compiler: compiler} }

// Compile compiles the project whose folder is dir and whose content is o.FS, or remembers what
// that gave. The program of a remembered result has no more than its package and its output folder:
// it is for those who need the files. dir only decides which entry is looked at. o.Graph must be
// the same function for all compilations of one compiler.
func (m *Memo) Compile(ctx context.Context, dir string, o gen.Options) (result *gen.Result, remembered bool, err error) {
	if m == nil || o.CheckOnly {
		result, err = gen.Compile(ctx, o)

		return result, false, err
	}

	name := m.entryName(dir, o.Alone)
	if known, ok := m.load(name); ok && same(o.FS, known.Asked) {
		return &gen.Result{Program: &ir.Program{Package: known.Package, Output: known.Output}, Files: known.Files}, true, nil
	}

	asker := &asker{fsys: o.FS}
	o.FS = asker
	result, err = gen.Compile(ctx, o)
	if err != nil {
		return nil, false, err
	}
	if !asker.lost && len(result.Diagnostics) == 0 {
		m.store(name, &entry{
			Asked: asker.asked, Package: result.Program.Package, Output: result.Program.Output, Files: result.Files,
		})
	}

	return result, false, nil
}

// entryName is the file name of the entry of one project: its folder, and the file in it that is
// all of it.
func (m *Memo) entryName(dir, file string) string {
	sum := sha256.Sum256([]byte(m.compiler + "\x00" + dir + "\x00" + file))

	return hex.EncodeToString(sum[:16])
}

var _ interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
} = (*asker)(nil)

// Compiler names the running executable: by its version, and by its file, which is another one
// whenever it is built or installed again.
func Compiler() (string, error) {
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
