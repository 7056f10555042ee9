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
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// scheme is the beginning of the address of a store of this package.
const scheme = "sqlite"

// Open returns the store with an address such as sqlite:runs.db or
// sqlite:/var/lib/runs.db?lease=5s&sync=normal. The file is created with the first run, with access
// for its owner only. An error means that the address is invalid; the errors of the store's methods
// are described at [journal.Store].
func Open(address string) (journal.Store, error) {
	f, lease, err := readAddress(address)
	if err != nil {
		return nil, err
	}

	return sqlstore.New(scheme+":"+f.path, lease, sqlstore.Dialect{
		Open: f.openDatabase, Present: f.checkPresent, Placeholder: "?", Connections: 4, Groups: true, Prepares: true, Words: map[string]string{
			sqlstore.Name: "TEXT", sqlstore.Bytes: "BLOB", sqlstore.ID: "INTEGER PRIMARY KEY AUTOINCREMENT",
			sqlstore.Now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", sqlstore.Hold: "", sqlstore.Clustered: " WITHOUT ROWID",
			sqlstore.HasRuns: "(SELECT COUNT(*) FROM sqlite_master WHERE name = 'agentc_runs')",
		},
	}), nil
}

// synchronous are the values of the setting sync of an address, and what they are for SQLite. An
// address without the setting is one with sync=full.
var synchronous = map[string]string{"": "FULL", "sync=full": "FULL", "sync=normal": "NORMAL"}

// readAddress reads the address of a store.
func readAddress(address string) (*file, time.Duration, error) {
	rest, lease, err := sqlstore.CutLease(strings.TrimPrefix(address, scheme+":"))
	if err != nil {
		return nil, 0, err
	}
	path, setting, _ := strings.Cut(rest, "?")
	level, known := synchronous[setting]
	if path == "" || !known {
		const text = "the address of a SQLite store is sqlite:PATH, sqlite:PATH?lease=TIME or sqlite:PATH?sync=normal, not %q"
		return nil, 0, fmt.Errorf(text, address)
	}
	path, err = filepath.Abs(path)

	return &file{path: path, synchronous: level}, lease, err
}

// file is the file of a store.
type file struct {
	path string
	// synchronous is when SQLite waits for the disk: FULL at each commit, NORMAL at each
	// checkpoint.
	synchronous string
	// opened is the file as it was when it was opened.
	opened fs.FileInfo
}

// openDatabase opens the file, or creates it. It is accessible to its owner only, and so are the
// files that SQLite adds.
func (f *file) openDatabase(create bool) (*sql.DB, error) {
	var err error
	f.opened, err = os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) && create {
		err = f.createFile()
	}
	if err != nil {
		return nil, err
	}

	return sql.Open("sqlite", f.dataSource())
}

// createFile creates an empty file, in a folder that git ignores if the folder had to be created,
// too.
func (f *file) createFile() error {
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

// pragmas are what each connection begins with, beside synchronous: readers do not wait for a
// writer.
var pragmas = []string{"busy_timeout(10000)", "journal_mode(WAL)"}

// dataSource returns the file as the driver needs it.
func (f *file) dataSource() string {
	path := filepath.ToSlash(f.path)
	if !strings.HasPrefix(path, "/") { // C:/runs.db
		path = "/" + path
	}
	settings := url.Values{
		"_pragma": append([]string{"synchronous(" + f.synchronous + ")"}, pragmas...), "_txlock": {"immediate"}, "mode": {"rw"},
	}

	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: settings.Encode()}).String()
}

// checkPresent returns an error if the file was deleted, moved or replaced: what is written to it
// then survives nothing.
func (f *file) checkPresent() error {
	now, err := os.Stat(f.path)
	if err == nil && !os.SameFile(now, f.opened) {
		err = errors.New("it was replaced while it was open")
	}

	return err
}
