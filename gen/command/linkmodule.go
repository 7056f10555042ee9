package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
)

// linkModule builds a package main of the user's module, or, if main is "", one that is laid over it.
func (l *linking) linkModule(ctx context.Context, t target, main string) (binary string, err error) {
	over := l.overlay()
	if main == "" {
		const folder = "agentc-main" // in the project: only the overlay has it
		generated, err := gopkg.ImportPath(ctx, l.p.dir, l.result.Program.Output)
		if err != nil {
			return "", err
		}
		source, err := mainSource(l.result.Program, generated)
		if err != nil {
			return "", err
		}
		main, over[filepath.Join(l.p.dir, folder, "main.go")] = "./"+folder, source
	}
	flags, remove, err := over.flags()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, remove()) }()

	return l.build(ctx, t, main, flags...)
}

// build runs go build in the user's module; extra are arguments that differ from run to run. Without a target the binary
// goes into the cache, into a folder of the project: one file for each content, so that runs at the same time, of different
// states of the sources too, do not disturb each other. The last binary is handed to go build, which leaves it alone if
// nothing changed.
func (l *linking) build(ctx context.Context, t target, main string, extra ...string) (string, error) {
	args := func(file string) []string {
		return append(append(append([]string{"-buildvcs=false"}, extra...), t.flags...), "-o", file, main)
	}
	if t.file != "" {
		return t.file, l.goBuild(ctx, l.p.dir, t.env, args(t.file)...)
	}
	sum := sha256.Sum256([]byte(l.p.dir + "\x00" + main))
	dir, err := cacheDir(filepath.Join("build", hex.EncodeToString(sum[:16])))
	if err != nil {
		return "", err
	}
	fresh, err := writeTemporary(dir, inWork+"*.exe", nil)
	if err != nil {
		return "", err
	}
	defer os.Remove(fresh)
	if err := copyNewest(dir, fresh); err != nil {
		return "", err
	}
	if err := l.goBuild(ctx, l.p.dir, t.env, args(fresh)...); err != nil {
		return "", err
	}
	content, err := os.ReadFile(fresh)
	if err != nil {
		return "", err
	}
	sum = sha256.Sum256(content)
	final := filepath.Join(dir, "run-"+hex.EncodeToString(sum[:])+".exe")
	if !touch(final) {
		if err := publish(fresh, final); err != nil {
			return "", err
		}
	}
	prune(dir, 8)

	return final, nil
}

// copyNewest copies the binary that was used last, if there is one, to the file called to.
func copyNewest(dir, to string) (err error) {
	found, err := filepath.Glob(filepath.Join(dir, "run-*.exe"))
	if err != nil {
		return err
	}
	newest := ""
	var used int64
	for _, name := range found {
		if info, err := os.Stat(name); err == nil && info.ModTime().UnixNano() > used {
			newest, used = name, info.ModTime().UnixNano()
		}
	}
	if newest == "" {
		return os.Remove(to) // go build does not overwrite a file that it did not make
	}
	in, err := os.Open(newest)
	if err != nil {
		return os.Remove(to) // pruned by another process: build from nothing
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)

	return errors.Join(err, out.Chmod(0o777), out.Close())
}
