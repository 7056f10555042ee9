package gopkg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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
// ("." or "./cmd/x"): the folder that want names; else the project folder; else the only one below cmd. It is "" if there
// is none.
func Main(ctx context.Context, dir, want string) (string, error) {
	if want != "" {
		mains, err := mainsOf(ctx, dir, local(want))
		if err == nil && len(mains) != 1 {
			err = &NotMainError{want}
		}
		return local(want), err
	}

	patterns := []string{"."}
	if info, err := os.Stat(filepath.Join(dir, "cmd")); err == nil && info.IsDir() {
		patterns = append(patterns, "./cmd/...")
	}
	mains, err := mainsOf(ctx, dir, patterns...)
	switch {
	case err != nil || len(mains) == 0:
		return "", err
	case mains[0] == "." || len(mains) == 1:
		return mains[0], nil
	}

	return "", &ManyMainsError{mains}
}

// mainsOf returns the folders of the packages main among patterns, sorted.
func mainsOf(ctx context.Context, dir string, patterns ...string) ([]string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedFiles}, patterns...)
	if err != nil {
		return nil, err
	}
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
	loaded, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: packages.NeedName}, local(folder))
	if err != nil {
		return "", err
	}
	if len(loaded) != 1 || loaded[0].PkgPath == "" || loaded[0].Name == "" {
		return "", fmt.Errorf("the go command finds no package in %s%s", folder, reasonOf(loaded))
	}

	return loaded[0].PkgPath, nil
}

// reasonOf returns what the go command says of packages that it cannot name, such as that their path has a space in it.
func reasonOf(loaded []*packages.Package) string {
	for _, p := range loaded {
		for _, e := range p.Errors {
			return ": " + e.Msg
		}
	}

	return ""
}
