package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"

	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// buildBinary runs go build. Without a target the binary goes into the cache, in one file for each
// project and content, so that concurrent runs of different versions do not disturb each other. The
// last binary is passed to go build, which keeps it if nothing changed. If the inputs of the build
// are recorded, no go command is needed.
func (l *linking) buildBinary(ctx context.Context, t target, b goBuild) (string, error) {
	b.env, b.flags = append(b.env, t.env...), append(b.flags, t.flags...)
	if t.file != "" {
		return t.file, l.runGoBuild(ctx, b, t.file)
	}
	key := fmt.Sprintf("%s %s %q", goruntime.Version(), l.p.dir, b)
	if binary := cachedBinary(key); b.runtime != "" && binary != "" {
		return binary, nil
	}
	dir, err := cache.Dir("build")
	if err != nil {
		return "", err
	}
	fresh, err := cache.WriteTemporary(dir, cache.UnfinishedPrefix+"*.exe", nil)
	if err != nil {
		return "", err
	}
	defer os.Remove(fresh)
	project := cache.HashName([]byte(l.p.dir + "\x00" + b.main))[:32]
	if err := copyLastUsed(dir, project+"-*.exe", fresh); err != nil {
		return "", err
	}
	if err := l.runGoBuild(ctx, b, fresh); err != nil {
		return "", err
	}
	content, err := os.ReadFile(fresh)
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, project+"-"+cache.HashName(content)+".exe")
	if !cache.Touch(final) {
		if err := cache.Publish(fresh, final); err != nil {
			return "", err
		}
	}
	cache.Prune(dir, 64)
	if b.runtime != "" {
		recordBuilt(key, final)
	}

	return final, nil
}

// copyLastUsed overwrites an empty file with the last used file in a folder that matches a pattern.
// Without such a file it removes the empty file, because go build does not overwrite a file that it
// did not write.
func copyLastUsed(dir, pattern, to string) error {
	for _, newest := range cache.LastUsed(dir, pattern) {
		if content, err := os.ReadFile(newest); err == nil { // otherwise another process has pruned it
			return errors.Join(os.WriteFile(to, content, 0o777), os.Chmod(to, 0o777))
		}
	}

	return os.Remove(to)
}

// agentProgram identifies the program that last executed a run. A binary that is recorded for it
// has identified itself as this program.
type agentProgram struct{ name, shape, text string }

func newAgentProgram(p *compiled.Program) agentProgram { return agentProgram{p.Name, p.Shape, p.Text} }

// recordBuilt records which cached binary belongs to a program or to a build.
func recordBuilt(of any, binary string) {
	note, err := builtRecordPath(of)
	if err != nil {
		return
	}
	if known, err := os.ReadFile(note); err == nil && string(known) == binary && cache.Touch(note) {
		return
	}
	_ = cache.Put(note, []byte(binary), 256) // on an error it is built again
}

// cachedBinary returns the binary recorded for a program or a build, "" if the cache does not have
// it.
func cachedBinary(of any) string {
	note, err := builtRecordPath(of)
	if err != nil {
		return ""
	}
	binary, err := os.ReadFile(note)
	if err != nil || !cache.Touch(string(binary)) {
		return ""
	}

	return string(binary)
}

func builtRecordPath(of any) (string, error) {
	dir, err := cache.Dir("programs")

	return filepath.Join(dir, cache.HashName(fmt.Appendf(nil, "%T %[1]q", of))), err
}
