package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// scheme is the beginning of the address of a store of this package.
const scheme = "sqlite"

// Open returns the store with an address such as sqlite:runs.db or sqlite:/var/lib/runs.db?lease=5s. The file is
// created with the first run, with access for its owner only. An error means that the address is invalid; the errors
// of the store's methods are those of [journal.Store].
func Open(address string) (journal.Store, error) {
	path, lease, err := sqlstore.CutLease(strings.TrimPrefix(address, scheme+":"))
	if err != nil {
		return nil, err
	}
	if path == "" || strings.Contains(path, "?") {
		return nil, fmt.Errorf("the address of a SQLite store is sqlite:PATH or sqlite:PATH?lease=TIME, not %q", address)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	f := &file{path: path}

	return sqlstore.New(scheme+":"+path, lease, sqlstore.Dialect{
		Open: f.open, Present: f.present, Placeholder: "?", Connections: 4, Groups: true, Prepares: true, Words: map[string]string{
			sqlstore.Name: "TEXT", sqlstore.Bytes: "BLOB", sqlstore.ID: "INTEGER PRIMARY KEY AUTOINCREMENT",
			sqlstore.Now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", sqlstore.Hold: "", sqlstore.Clustered: " WITHOUT ROWID",
			sqlstore.HasRuns: "(SELECT COUNT(*) FROM sqlite_master WHERE name = 'agentc_runs')",
		},
	}), nil
}

// file is the file of a store.
type file struct {
	path string
	// opened is the file as it was when it was opened.
	opened fs.FileInfo
}

// open opens the file, or makes it. What it holds is for its owner only, and so is what SQLite puts beside it.
func (f *file) open(create bool) (*sql.DB, error) {
	var err error
	f.opened, err = os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) && create {
		err = f.make()
	}
	if err != nil {
		return nil, err
	}

	return sql.Open("sqlite", f.name())
}

// make makes an empty file, in a folder that git does not see if that had to be made, too.
func (f *file) make() error {
	if err := files.MakeFolder(files.OS, filepath.Dir(f.path)); err != nil {
		return err
	}
	made, err := os.OpenFile(f.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	f.opened, err = made.Stat()

	return errors.Join(err, made.Close())
}

// pragmas are what each connection begins with: every commit is on the disk when it returns, and readers do not wait for a writer.
var pragmas = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)"}

// name is the file as the driver wants it.
func (f *file) name() string {
	path := filepath.ToSlash(f.path)
	if !strings.HasPrefix(path, "/") { // C:/runs.db
		path = "/" + path
	}
	settings := url.Values{
		"_pragma": pragmas, "_txlock": {"immediate"}, "mode": {"rw"},
	}

	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: settings.Encode()}).String()
}

// present returns an error if the file was deleted, moved or replaced: what is written to it then survives nothing.
func (f *file) present() error {
	now, err := os.Stat(f.path)
	if err == nil && !os.SameFile(now, f.opened) {
		err = errors.New("it was replaced while it was open")
	}

	return err
}
