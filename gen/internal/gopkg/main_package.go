package gopkg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// ManyMainsError means that several packages could be the project's program.
type ManyMainsError struct {
	// Folders are relative to the project folder, sorted, with forward slashes: what --main takes.
	Folders []string
}

func (e *ManyMainsError) Error() string {
	return fmt.Sprintf("several packages main could be the project's program; choose one with --main: %s", strings.Join(e.Folders, ", "))
}

// NotMainError means that what --main names is no program that runs agents.
type NotMainError struct {
	Folder string
	// IsMain reports whether it is a program at all, which then does not call app.Main.
	IsMain bool
}

func (e *NotMainError) Error() string {
	if e.IsMain {
		return fmt.Sprintf("--main %s: its main does not call app.Main of %s, so it is not an agent program", e.Folder, appPath)
	}

	return fmt.Sprintf("--main %s: there is no package main", e.Folder)
}

// Program is the package main that runs a project's agents. Folders are relative to the project folder, as the go command
// writes them: "." or "./cmd/x".
type Program struct {
	// Folder is the package main; "" if there is none.
	Folder string
	// Services are the packages main that import the generated package and do not call app.Main, where Folder is "".
	Services []string
	// Apps are the functions that make the generated App, where Folder is "": those of the package in the project folder, else
	// those of the module.
	Apps []AppFunc
}

// FindProgram finds the package main that runs the agents of the project in the folder dir. want names its folder, relative to
// dir; "" is the package main of the project folder, else the only one of the module. One counts only if its main calls
// app.Main, and, if it is not named, if it imports the generated package, whose folder in app is
// relative to dir.
func FindProgram(ctx context.Context, dir, want string, app AppType) (found Program, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return found, err
	}
	if want != "" {
		found.Folder, err = namedProgram(ctx, dir, local(want))
	} else {
		found, err = anyProgram(ctx, dir, app)
	}
	if found.Folder == "" { // without the package of app.Main, nothing can be found to call it
		if unloaded := checkLoaded(ctx, dir, appPath); unloaded != nil {
			return Program{}, unloaded
		}
	}

	return found, err
}

// checkLoaded returns why the go command cannot load a package of a module that dir requires.
func checkLoaded(ctx context.Context, dir, importPath string) error {
	loaded, err := load(ctx, dir, packages.NeedName, importPath)
	if err != nil {
		return err
	}
	for _, p := range loaded {
		for _, problem := range p.Errors {
			return errors.New(problem.Msg)
		}
	}

	return nil
}

// anyProgram is FindProgram without the name of a folder.
func anyProgram(ctx context.Context, dir string, app AppType) (found Program, err error) {
	app.Folder = filepath.Join(dir, filepath.FromSlash(app.Folder))
	if found, err = programIn(ctx, dir, ".", app); err != nil || found.Folder != "" {
		return found, err
	}
	module, err := ModuleAround(ctx, dir)
	if err != nil || module == nil {
		return found, err
	}
	inFolder := found.Apps
	found, err = programIn(ctx, dir, filepath.Join(module.Dir, "..."), app)
	if found.Folder == "" && len(inFolder) > 0 {
		found.Apps = inFolder
	}

	return found, err
}

// programIn is FindProgram among the packages of a pattern.
func programIn(ctx context.Context, dir, pattern string, app AppType) (found Program, err error) {
	loaded, err := loadWithDependencies(ctx, dir, pattern)
	if err != nil {
		return found, err
	}
	importers := slices.DeleteFunc(mainsIn(slices.Clone(loaded)), func(p *packages.Package) bool { return !imports(p, app.Folder) })
	programs, services := splitByAppCall(importers)
	folders, err := foldersOf(dir, programs)
	switch {
	case err != nil:
		return found, err
	case len(folders) > 1:
		return found, &ManyMainsError{folders}
	case len(folders) == 1:
		found.Folder = folders[0]
		return found, nil
	}
	if found.Services, err = foldersOf(dir, services); err != nil {
		return found, err
	}
	found.Apps, err = appFuncsIn(dir, loaded, app)

	return found, err
}

// namedProgram returns the folder if a program that calls app.Main is there; else the error is a *NotMainError.
func namedProgram(ctx context.Context, dir, folder string) (string, error) {
	loaded, err := loadWithDependencies(ctx, dir, folder)
	if err != nil {
		return "", err
	}
	mains := mainsIn(loaded)
	programs, _ := splitByAppCall(mains)
	if len(programs) != 1 {
		return "", &NotMainError{folder, len(mains) > 0}
	}

	return folder, nil
}

// MainFolder returns the folder of a project's package main, relative to the project folder dir: the project folder, else the only one
// below cmd. It is "" if there is none. Whether its main runs agents is not asked.
func MainFolder(ctx context.Context, dir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	mains, err := mainFolders(ctx, dir, ".")
	if info, none := os.Stat(filepath.Join(dir, "cmd")); err == nil && len(mains) == 0 && none == nil && info.IsDir() {
		mains, err = mainFolders(ctx, dir, "./cmd/...")
	}
	if err == nil && len(mains) > 1 {
		err = &ManyMainsError{mains}
	}
	if err != nil {
		return "", err
	}

	return strings.Join(mains, ""), nil // one or none
}

// imports reports whether a package is the one in a folder, or imports it, itself or through others.
func imports(p *packages.Package, folder string) bool {
	found := false
	packages.Visit([]*packages.Package{p}, func(p *packages.Package) bool {
		found = found || isInFolder(p, folder)
		return !found
	}, nil)

	return found
}

func isInFolder(p *packages.Package, folder string) bool {
	return len(p.GoFiles) > 0 && filepath.Dir(p.GoFiles[0]) == folder
}

// mainFolders returns the folders of the packages main of a pattern, sorted.
func mainFolders(ctx context.Context, dir, pattern string) ([]string, error) {
	loaded, err := load(ctx, dir, packages.NeedName|packages.NeedFiles, pattern)
	if err != nil {
		return nil, err
	}

	return foldersOf(dir, mainsIn(loaded))
}

func loadWithDependencies(ctx context.Context, dir, pattern string) ([]*packages.Package, error) {
	return load(ctx, dir, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps, pattern)
}

func load(ctx context.Context, dir string, need packages.LoadMode, pattern string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: need}, pattern)
}

// mainsIn returns those packages that are main and have Go files.
func mainsIn(loaded []*packages.Package) []*packages.Package {
	return slices.DeleteFunc(loaded, func(p *packages.Package) bool { return p.Name != "main" || len(p.GoFiles) == 0 })
}

// foldersOf returns the folders of packages, relative to dir.
func foldersOf(dir string, loaded []*packages.Package) ([]string, error) {
	var folders []string
	for _, p := range loaded {
		rel, err := filepath.Rel(dir, filepath.Dir(p.GoFiles[0]))
		if err != nil {
			return nil, err
		}
		folders = append(folders, local(filepath.ToSlash(rel)))
	}

	return folders, nil
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
