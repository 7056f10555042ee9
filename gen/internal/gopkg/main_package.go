package gopkg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// ManyMainsError says that several packages could be the project's program.
type ManyMainsError struct {
	// Folders are relative to the project folder, sorted, with forward slashes: what --main takes.
	Folders []string
}

func (e *ManyMainsError) Error() string {
	return fmt.Sprintf("several packages main could be the project's program; choose one with --main: %s", strings.Join(e.Folders, ", "))
}

// NotMainError says that what --main names is no program.
type NotMainError struct {
	Folder string
}

func (e *NotMainError) Error() string {
	return fmt.Sprintf("--main %s: there is no package main", e.Folder)
}

// Main returns the folder of the package main of a project, relative to the project folder dir as the go command writes it
// ("." or "./cmd/x"): the folder that want names, relative to dir; else the project folder; else the only one of the module that
// imports the generated package, which is in the folder generated; else the only one below cmd. It is "" if there is none. Without
// generated, "", the module is not searched.
func Main(ctx context.Context, dir, want, generated string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if want != "" {
		mains, err := mainsOf(ctx, dir, local(want))
		if err == nil && len(mains) != 1 {
			err = &NotMainError{want}
		}
		return local(want), err
	}

	mains, err := mainsOf(ctx, dir, ".")
	if err == nil && len(mains) == 0 && generated != "" {
		mains, err = importersOf(ctx, dir, generated)
	}
	if info, none := os.Stat(filepath.Join(dir, "cmd")); err == nil && len(mains) == 0 && none == nil && info.IsDir() {
		mains, err = mainsOf(ctx, dir, "./cmd/...")
	}
	if err == nil && len(mains) > 1 {
		err = &ManyMainsError{mains}
	}
	if err != nil {
		return "", err
	}

	return strings.Join(mains, ""), nil // one or none
}

// importersOf returns the folders of the packages main of the module that dir is in which import, themselves or through other packages
// of the module, the package in the folder generated; sorted.
func importersOf(ctx context.Context, dir, generated string) ([]string, error) {
	module, err := ModuleAround(ctx, dir)
	if err != nil || module == nil {
		return nil, err
	}
	loaded, err := load(ctx, module.Dir, packages.NeedName|packages.NeedFiles|packages.NeedImports, "./...")
	if err != nil {
		return nil, err
	}
	importers, from := map[string][]*packages.Package{}, ""
	for _, p := range loaded {
		for path := range p.Imports {
			importers[path] = append(importers[path], p)
		}
		if len(p.GoFiles) > 0 && filepath.Dir(p.GoFiles[0]) == filepath.Join(dir, filepath.FromSlash(generated)) {
			from = p.PkgPath
		}
	}
	found, next := map[*packages.Package]bool{}, importers[from]
	for len(next) > 0 {
		p := next[0]
		next = next[1:]
		if !found[p] {
			found[p] = true
			next = append(next, importers[p.PkgPath]...)
		}
	}

	return foldersOf(dir, slices.DeleteFunc(loaded, func(p *packages.Package) bool { return !found[p] }))
}

// mainsOf returns the folders of the packages main of a pattern, sorted.
func mainsOf(ctx context.Context, dir, pattern string) ([]string, error) {
	loaded, err := load(ctx, dir, packages.NeedName|packages.NeedFiles, pattern)
	if err != nil {
		return nil, err
	}

	return foldersOf(dir, loaded)
}

func load(ctx context.Context, dir string, need packages.LoadMode, pattern string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: need}, pattern)
}

// foldersOf returns the folders of those packages that are main, relative to dir.
func foldersOf(dir string, loaded []*packages.Package) ([]string, error) {
	var mains []string
	for _, p := range loaded {
		if p.Name != "main" || len(p.GoFiles) == 0 {
			continue
		}
		rel, err := filepath.Rel(dir, filepath.Dir(p.GoFiles[0]))
		if err != nil {
			return nil, err
		}
		mains = append(mains, local(filepath.ToSlash(rel)))
	}

	return mains, nil
}

// local writes a relative folder so that the go command does not take it for an import path.
func local(folder string) string {
	if folder == "." || strings.HasPrefix(folder, "./") || strings.HasPrefix(folder, "../") || filepath.IsAbs(folder) {
		return folder
	}

	return "./" + folder
}

// ImportPath returns the import path of the package in a folder, which is relative to dir as the go command writes it.
func ImportPath(ctx context.Context, dir, folder string) (string, error) {
	loaded, err := load(ctx, dir, packages.NeedName, local(folder))
	if err != nil {
		return "", err
	}
	if len(loaded) != 1 || loaded[0].PkgPath == "" || loaded[0].Name == "" {
		reason := ""
		for _, p := range loaded {
			for _, e := range p.Errors { // such as that the path has a space in it
				reason = ": " + e.Msg
			}
		}
		return "", fmt.Errorf("the go command finds no package in %s%s", folder, reason)
	}

	return loaded[0].PkgPath, nil
}
