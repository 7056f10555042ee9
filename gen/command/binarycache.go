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

// build runs go build. Without a target the binary goes into the cache: one file for each project
// and content, so that runs at the same time, of different states of the sources too, do not
// disturb each other. The last binary is handed to go build, which leaves it alone if nothing
// changed. What was built of the same things needs no go command.
func (l *linking) build(ctx context.Context, t target, b goBuild) (string, error) {
	b.env, b.flags = append(b.env, t.env...), append(b.flags, t.flags...)
	if t.file != "" {
		return t.file, l.goBuild(ctx, b, t.file)
	}
	key := fmt.Sprintf("%s %s %q", goruntime.Version(), l.p.dir, b)
	if binary := builtFor(key); b.runtime != "" && binary != "" {
		return binary, nil
	}
	dir, err := cache.Dir("build")
	if err != nil {
		return "", err
	}
	fresh, err := cache.Temporary(dir, cache.InWork+"*.exe", nil)
	if err != nil {
		return "", err
	}
	defer os.Remove(fresh)
	project := cache.Name([]byte(l.p.dir + "\x00" + b.main))[:32]
	if err := copyNewest(dir, project+"-*.exe", fresh); err != nil {
		return "", err
	}
	if err := l.goBuild(ctx, b, fresh); err != nil {
		return "", err
	}
	content, err := os.ReadFile(fresh)
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, project+"-"+cache.Name(content)+".exe")
	if !cache.Touch(final) {
		if err := cache.Publish(fresh, final); err != nil {
			return "", err
		}
	}
	cache.Prune(dir, 64)
	if b.runtime != "" {
		noteBuilt(key, final)
	}

	return final, nil
}

// copyNewest copies the file of a folder that matches a pattern and was used last to an empty file;
// without one that file is removed, for go build does not overwrite a file that it did not make.
func copyNewest(dir, pattern, to string) error {
	for _, newest := range cache.LastUsed(dir, pattern) {
		if content, err := os.ReadFile(newest); err == nil { // else another process has pruned it
			return errors.Join(os.WriteFile(to, content, 0o777), os.Chmod(to, 0o777))
		}
	}

	return os.Remove(to)
}

// agentProgram identifies the program that executed a run last. A binary that is noted for one has
// answered as it.
type agentProgram struct{ name, shape, text string }

func agentProgramOf(p *compiled.Program) agentProgram { return agentProgram{p.Name, p.Shape, p.Text} }

// noteBuilt notes which binary of the cache is that of a program or of a build; builtFor finds it,
// "" if the cache no longer has it.
func noteBuilt(of any, binary string) {
	note, err := noteOf(of)
	if err != nil {
		return
	}
	if known, err := os.ReadFile(note); err == nil && string(known) == binary && cache.Touch(note) {
		return
	}
	_ = cache.Put(note, []byte(binary), 256) // else it is built again
}

func builtFor(of any) string {
	note, err := noteOf(of)
	if err != nil {
		return ""
	}
	binary, err := os.ReadFile(note)
	if err != nil || !cache.Touch(string(binary)) {
		return ""
	}

	return string(binary)
}

func noteOf(of any) (string, error) {
	dir, err := cache.Dir("programs")

	return filepath.Join(dir, cache.Name(fmt.Appendf(nil, "%T %[1]q", of))), err
}
