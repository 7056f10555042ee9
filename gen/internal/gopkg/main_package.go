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
	// Folders are relative to the project folder, sorted, with forward slashes, as --main takes
	// them.
	Folders []string
}

func (e *ManyMainsError) Error() string {
	return fmt.Sprintf("several packages main could be the project's program; choose one with --main: %s", strings.Join(e.Folders, ", "))
}

// NotMainError means that the value of --main is not a program that runs agents.
type NotMainError struct {
	Folder string
	// IsMain reports whether it is a program at all. If so, it does not call app.Main.
	IsMain bool
}

func (e *NotMainError) Error() string {
	if e.IsMain {
		return fmt.Sprintf("--main %s: its main does not call app.Main of %s, so it is not an agent program", e.Folder, appPath)
	}

	return fmt.Sprintf("--main %s: there is no package main", e.Folder)
}

// Program is the package main that runs a project's agents. Folders are relative to the project
// folder, in the form of the go command: "." or "./cmd/x".
type Program struct {
	// Folder is the folder of the package main, or "".
	Folder string
	// Services are the packages main that import the generated package and do not call app.Main.
	// They are set if Folder is "".
	Services []string
	// Apps are the functions that make the generated App: those in the project folder if there are
	// any, or else all in the module. They are set if Folder is "".
	Apps []AppFunc
}

// FindProgram finds the package main that runs the agents of the project in the folder dir. want is
// its folder, relative to dir. If want is "", the program is the package main of the project
// folder, or else the only one of the module. Its main must call app.Main. Without want, it must
// also import the generated package, whose folder in app is relative to dir.
func FindProgram(ctx context.Context, dir, want string, app AppType) (Program, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Program{}, err
	}
	var found Program
	if want != "" {
		found.Folder, err = namedProgram(ctx, dir, localPath(want))
	} else {
		found, err = anyProgram(ctx, dir, app)
	}
	if found.Folder == "" { // without the package of app.Main, no program can be found to call it
		if unloaded := checkLoaded(ctx, dir, appPath); unloaded != nil {
			return Program{}, unloaded
		}
	}

	return found, err
}

// checkLoaded returns why the go command cannot load a package that the module of dir requires, or
// nil.
func checkLoaded(ctx context.Context, dir, importPath string) error {
	loaded, err := loadPackages(ctx, dir, packages.NeedName, importPath)
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

// anyProgram implements FindProgram without the name of a folder.
func anyProgram(ctx context.Context, dir string, app AppType) (Program, error) {
	app.Folder = filepath.Join(dir, filepath.FromSlash(app.Folder))
	inFolder, err := programIn(ctx, dir, ".", app)
	if err != nil || inFolder.Folder != "" {
		return inFolder, err
	}
	module, err := ModuleAround(ctx, dir)
	if err != nil || module == nil {
		return inFolder, err
	}
	found, err := programIn(ctx, dir, filepath.Join(module.Dir, "..."), app)
	if found.Folder == "" && len(inFolder.Apps) > 0 {
		found.Apps = inFolder.Apps
	}

	return found, err
}

// programIn implements FindProgram for the packages of a pattern.
func programIn(ctx context.Context, dir, pattern string, app AppType) (found Program, err error) {
	loaded, err := loadWithDependencies(ctx, dir, pattern)
	if err != nil {
		return found, err
	}
	importers := slices.DeleteFunc(mainsIn(slices.Clone(loaded)), func(p *packages.Package) bool { return !importsFolder(p, app.Folder) })
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
	found.Services, err = foldersOf(dir, services)
	if err != nil {
		return found, err
	}
	found.Apps, err = appFuncsIn(dir, loaded, app)

	return found, err
}

// namedProgram returns folder if it has a program that calls app.Main. Otherwise the error is a
// *NotMainError.
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

// MainFolder returns the folder of a project's package main, relative to the project folder dir. It
// looks in the project folder, and then for the only one below cmd. It returns "" if there is none,
// and does not check whether the program runs agents.
func MainFolder(ctx context.Context, dir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	mains, err := mainFolders(ctx, dir, ".")
	if err == nil && len(mains) == 0 && isFolder(filepath.Join(dir, "cmd")) {
		mains, err = mainFolders(ctx, dir, "./cmd/...")
	}
	if err == nil && len(mains) > 1 {
		err = &ManyMainsError{mains}
	}
	if err != nil {
		return "", err
	}

	// There is at most one.
	return strings.Join(mains, ""), nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)

	return err == nil && info.IsDir()
}

// importsFolder reports whether a package is the one in a folder, or imports it directly or
// indirectly.
func importsFolder(p *packages.Package, folder string) bool {
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

// mainFolders returns the sorted folders of the packages main of a pattern.
func mainFolders(ctx context.Context, dir, pattern string) ([]string, error) {
	loaded, err := loadPackages(ctx, dir, packages.NeedName|packages.NeedFiles, pattern)
	if err != nil {
		return nil, err
	}

	return foldersOf(dir, mainsIn(loaded))
}

func loadWithDependencies(ctx context.Context, dir, pattern string) ([]*packages.Package, error) {
	return loadPackages(ctx, dir, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps, pattern)
}

func loadPackages(ctx context.Context, dir string, need packages.LoadMode, pattern string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: need}, pattern)
}

// mainsIn returns the packages main that have Go files.
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
		folders = append(folders, localPath(filepath.ToSlash(rel)))
	}

	return folders, nil
}

// localPath returns a relative folder in a form that the go command does not take for an import
// path.
func localPath(folder string) string {
	isRooted := strings.HasPrefix(folder, "../") || filepath.IsAbs(folder)
	if folder == "." || strings.HasPrefix(folder, "./") || isRooted {
		return folder
	}

	return "./" + folder
}

// ImportPath returns the import path of the package in folder, which is relative to dir and in the
// form of the go command.
func ImportPath(ctx context.Context, dir, folder string) (string, error) {
	loaded, err := loadPackages(ctx, dir, packages.NeedName, localPath(folder))
	if err != nil {
		return "", err
	}
	if len(loaded) != 1 || loaded[0].PkgPath == "" || loaded[0].Name == "" {
		reason := ""
		for _, p := range loaded {
			for _, e := range p.Errors { // such as a space in the path
				reason = ": " + e.Msg
			}
		}
		return "", fmt.Errorf("the go command finds no package in %s%s", folder, reason)
	}

	return loaded[0].PkgPath, nil
}
