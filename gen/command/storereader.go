package command

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// agentc does not link the drivers of databases. A cached helper program reads stores in databases.

// storeAddress is the address of the store of a project's runs.
type storeAddress struct {
	// text is a folder or an address; "" if runs are not kept. from is the setting that names it.
	text, from string
	// kind is the part of a program that opens the address; "" for a folder.
	kind string
	// file is the folder, or the file of SQLite; "" for others.
	file    string
	environ []string
}

// findStore finds the store of a project as a run does: by --store, by the environment, else by the
// project.
func (p *project) findStore(c *cli.Call) (s storeAddress, err error) {
	s.environ, err = readEnvironment(c, p.dir)
	if err != nil {
		return s, err
	}
	s.text, s.from = variableMap(s.environ)[app.StoreVariable], app.StoreVariable
	if c.On("store") {
		s.text, s.from = c.Flag("store"), "--store"
	}
	switch {
	case s.text == "none":
		s.text = ""
		return s, nil
	case s.text == "":
		s.text, s.from = p.defaultStore(), "agentc.yaml"
		if s.text == p.absolutePath(journal.DefaultDir) {
			s.from = "the default"
		}
	}
	path := ""
	switch s.kind, path = app.StoreAddress(s.text).Kind(); s.kind {
	case "":
		s.file = c.Path(s.text)
	case "sqlite":
		path, _, _ = strings.Cut(path, "?")
		s.file = c.Path(path)
	}

	return s, nil
}

// display returns the address without secrets, for messages.
func (s storeAddress) display(c *cli.Call) string {
	switch {
	case strings.Contains(s.text, "${"):
		return s.text
	case s.file == "":
		return app.StoreAddress(s.text).Redacted()
	case s.kind != "":
		return "sqlite:" + c.Rel(s.file)
	}

	return c.Rel(s.file)
}

// check reports why runs cannot be stored.
func (s storeAddress) check(c *cli.Call, p *project, within time.Duration) error {
	switch {
	case s.kind == "":
		return checkWritable(s.file)
	case s.file != "" && !fileExists(s.file):
		return checkWritable(filepath.Dir(s.file))
	}

	return p.readStore(c, s, within, "", journal.Query{})
}

// openStore opens the store of a project's runs; a database is copied first, and remove removes the
// copy. The store is nil if there are no runs yet.
func (p *project) openStore(c *cli.Call, q journal.Query) (store journal.Store, remove func(), err error) {
	remove = func() {}
	s, err := p.findStore(c)
	switch {
	case err != nil || s.text == "":
		return nil, remove, err
	case s.file != "" && !fileExists(s.file):
		if c.On("store") {
			err = c.Usagef("--store %s does not exist", c.Flag("store"))
		}
		return nil, remove, err
	case s.kind == "":
		if info, statErr := os.Stat(s.file); statErr != nil || !info.IsDir() {
			return nil, remove, c.Usagef("the store %s is not a folder", c.Rel(s.file))
		}
		return journal.Files(s.file), remove, nil
	}
	dir, err := os.MkdirTemp("", "agentc-journals-*")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { os.RemoveAll(dir) }
	err = p.readStore(c, s, serverTime, dir, q)
	if err != nil {
		return nil, remove, c.Errorf(cli.Problem, "the store %s %v", s.display(c), err)
	}

	return journal.Files(dir), remove, nil
}

// readStore writes the journals in a database that a query selects to a folder. If dir is "", it
// only checks that the database can be used.
func (p *project) readStore(c *cli.Call, s storeAddress, within time.Duration, dir string, q journal.Query) error {
	included, _ := names.PartOf(s.kind)
	binary, err := p.buildHelper(c, strings.Replace(readerSource, "PART", included.Path, 1), included.Path)
	if err != nil {
		return fmt.Errorf("was not opened: %w", err)
	}
	query, err := json.Marshal(q)
	if err != nil {
		return err
	}
	cmd := exec.Command(binary, s.text, within.String(), dir, string(query))
	cmd.Dir, cmd.Env = c.Dir, slices.Concat(s.environ, []string{app.StoreVariable + "="})
	_, err = runCommandOutput(cmd)
	if err == nil {
		return nil
	}
	message, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "agentc: "), "\nagentc read --help")

	return errors.New("cannot be used: " + cmp.Or(message, "no reason was given"))
}

// readerSource is the source of the program that reads a database; PART is replaced by the package
// of the store.
//
//go:embed programs/storereader.go.txt
var readerSource string
