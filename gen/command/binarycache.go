package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
)

// build runs go build. Without a target the binary goes into the cache: one file for each project and content, so that runs at the same
// time, of different states of the sources too, do not disturb each other. The last binary is handed to go build, which leaves it alone
// if nothing changed. What was built of the same things needs no go command.
func (l *linking) build(ctx context.Context, t target, b goBuild) (string, error) {
	b.env, b.flags = append(b.env, t.env...), append(b.flags, t.flags...)
	if t.file != "" {
		return t.file, l.goBuild(ctx, b, t.file)
	}
	key := fmt.Sprintf("%s %s %q", goruntime.Version(), l.p.dir, b)
	if binary := builtFor(key); b.runtime != "" && binary != "" {
		return binary, nil
	}
	dir, err := cacheDir("build")
	if err != nil {
		return "", err
	}
	fresh, err := writeTemporary(dir, inWork+"*.exe", nil)
	if err != nil {
		return "", err
	}
	defer os.Remove(fresh)
	project := hashOf([]byte(l.p.dir + "\x00" + b.main))[:32]
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
	final := filepath.Join(dir, project+"-"+hashOf(content)+".exe")
	if !touch(final) {
		if err := publish(fresh, final); err != nil {
			return "", err
		}
	}
	prune(dir, 64)
	if b.runtime != "" {
		noteBuilt(key, final)
	}

	return final, nil
}

// copyNewest copies the file of a folder that matches a pattern and was used last to an empty file; without one that file is removed, for
// go build does not overwrite a file that it did not make.
func copyNewest(dir, pattern, to string) error {
	for _, newest := range lastUsed(dir, pattern) {
		if content, err := os.ReadFile(newest); err == nil { // else another process has pruned it
			return errors.Join(os.WriteFile(to, content, 0o777), os.Chmod(to, 0o777))
		}
	}

	return os.Remove(to)
}
