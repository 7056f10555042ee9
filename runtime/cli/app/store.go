package app

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

const (
	// noStore is the value of --store for a run without a journal.
	noStore = "none"
	// StoreVariable is the environment variable that names the store if no flag does.
	StoreVariable = "AGENTC_STORE"
	// ProjectVariable is the environment variable with the folder of the project for which the
	// program is started: there is its tokens file. Without it that is the working directory.
	ProjectVariable = bearer.ProjectVariable
)

// storeOpener is a compiled.Part that opens stores which are not folders. Their addresses begin
// with its word and a colon.
type storeOpener interface {
	compiled.Part
	// OpenStore opens the store of an address. An error is a mistake in the address.
	OpenStore(address string) (journal.Store, error)
}

// storeKinds are the words that begin addresses of stores which are not folders, each with its
// part.
var storeKinds = []struct{ word, part, example string }{
	{"sqlite", "sqlite", "sqlite:PATH"}, {"postgres", "postgres", "postgres://HOST/DATABASE"},
	{"postgresql", "postgres", "postgres://HOST/DATABASE"},
}

// StoreAddress is what a person calls a store: a folder, none, or a word and an address behind it.
type StoreAddress string

// Kind returns the part of the program that opens the store, and the address without the kind; ""
// for a folder, or no store.
func (a StoreAddress) Kind() (part, rest string) {
	for _, kind := range storeKinds {
		if rest, found := strings.CutPrefix(string(a), kind.word+":"); found {
			return kind.part, rest
		}
	}

	return "", ""
}

// storeFlag is the flag that names the store of the journals of runs.
func storeFlag() cli.Flag {
	return cli.Flag{
		Name: "store", Value: "STORE|none",
		Help: "a folder or an address for the journals of runs; default: $" + StoreVariable + ", the project's store, or " + journal.DefaultDir,
	}
}

// storeNamed is the store that the person who calls the command names; "" if that is left to the
// program.
func storeNamed(c *cli.Call) string { return cmp.Or(c.Flag("store"), c.Getenv(StoreVariable)) }

// storeName is the store as it was named, or none. Errors: a variable that the address of the
// project names is not set.
func storeName(c *cli.Call, p *compiled.Program) (name string, err error) {
	named := storeNamed(c)
	if named == "" && p != nil && p.Store != "" {
		return expandVariables(p.Store, c.Getenv)
	}

	return cmp.Or(named, filepath.FromSlash(journal.DefaultDir)), nil
}

// expandVariables puts the values of variables where an address names them as ${NAME}.
// postgres:${NAME} is an address that is all in a variable. It has no regular expression, whose
// package would make each binary 0.2 MB larger.
func expandVariables(address string, getenv func(string) string) (string, error) {
	text, rest := "", address
	for {
		before, after, found := strings.Cut(rest, "${")
		name, behind, closed := strings.Cut(after, "}")
		if !found || !closed {
			text += rest
			break
		}
		value := getenv(name)
		if value == "" {
			return "", fmt.Errorf("the store %s needs the variable %s, which is not set", address, name)
		}
		text, rest = text+before+value, behind
	}
	if part, rest := StoreAddress(text).Kind(); part == "postgres" {
		if part, _ := StoreAddress(rest).Kind(); part != "" {
			return rest, nil
		}
	}

	return text, nil
}

// storePlace is the store as a person may read it: a folder, or an address without a password.
func storePlace(c *cli.Call, p *compiled.Program) string {
	if core.ConfigOf(p).Store != nil && storeNamed(c) == "" {
		return "the store of the program"
	}
	name, err := storeName(c, p)
	if part, _ := StoreAddress(name).Kind(); part != "" || err != nil {
		return StoreAddress(name).Redacted()
	}
	if name == noStore {
		return noStore
	}

	return c.Path(name)
}

// Redacted returns the address as it may be shown, without its password, and without its query,
// which can have one, too. It does not call package net/url, which would make each binary 0.08 MB
// larger.
func (a StoreAddress) Redacted() string {
	part, _ := a.Kind()
	if part != "postgres" {
		return string(a)
	}
	address, query, _ := strings.Cut(string(a), "?")
	scheme, rest, _ := strings.Cut(address, "://")
	server, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndex(server, "@") + 1
	user, host := server[:at], server[at:]
	_, port, _ := strings.Cut(host, ":")
	// What seems to be a port, a path or a query can be a part of a password.
	if host == "" || strings.Trim(port, "0123456789:]") != "" || strings.Contains(path+query, "@") {
		return part + ":..."
	}
	if name, _, found := strings.Cut(user, ":"); found {
		user = name + ":xxxxx@"
	}

	return scheme + "://" + user + strings.TrimPrefix(rest, server[:at])
}

// Store returns the store of the journals of runs; nil if runs are not to be recorded.
func (r RunsCall) Store() (store journal.Store, err error) {
	c, p := r.Call, r.Program
	if own := core.ConfigOf(p).Store; own != nil && storeNamed(c) == "" {
		return own, nil
	}
	name, err := storeName(c, p)
	if err != nil {
		return nil, c.Usagef("%w", err)
	}
	part, rest := StoreAddress(name).Kind()
	switch {
	case name == noStore:
		return nil, nil
	case part == "" && strings.Contains(name, "://"):
		return nil, c.Usagef("a store is a folder, sqlite:PATH or postgres://HOST/DATABASE, not %s://...", name[:strings.Index(name, "://")])
	case part == "":
		return journal.Files(c.Path(name)), nil
	case part == "sqlite":
		name = "sqlite:" + c.Path(rest)
	}
	store, err = openStore(p, part, name)
	if err != nil {
		return nil, c.Usagef("%w", err)
	}

	return store, nil
}

// openStore has a part of the program open a store.
func openStore(p *compiled.Program, part, address string) (journal.Store, error) {
	var parts []compiled.Part
	if p != nil {
		parts = p.Parts
	}
	at := slices.IndexFunc(parts, func(has compiled.Part) bool { return has.Part() == part })
	if at < 0 {
		at := slices.IndexFunc(storeKinds, func(kind struct{ word, part, example string }) bool { return kind.part == part })
		const text = "this program cannot open stores of %s: a line store: %s in agentc.yaml, and then generate and build again"
		return nil, fmt.Errorf(text, part, storeKinds[at].example)
	}

	store, err := parts[at].(storeOpener).OpenStore(address)
	if closer, ok := store.(io.Closer); ok && err == nil {
		for _, opened := range core.PartsOf[*openedStores](p) {
			opened.addStore(closer)
		}
	}

	return store, err
}

// openedStores is a part that closes the stores which the commands have opened: a SQLite store then
// leaves nothing beside its file.
type openedStores struct {
	mu     sync.Mutex
	stores []io.Closer
}

// Part implements compiled.Part.
func (*openedStores) Part() string { return "stores" }

func (o *openedStores) addStore(store io.Closer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stores = append(o.stores, store)
}

// Close implements closer. What was recorded is recorded, whatever a store says about its end.
func (o *openedStores) Close(w io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, store := range o.stores {
		if err := store.Close(); err != nil {
			fmt.Fprintln(w, "the store was not closed:", err)
		}
	}
}

// wantStore opens the store for a command that makes no sense without journals.
func wantStore(c *cli.Call, p *compiled.Program) (store journal.Store, err error) {
	store, err = (RunsCall{c, p}).Store()
	if err == nil && store == nil {
		err = c.Usagef("there are no runs without a store: choose its folder with --store DIR")
	}

	return store, err
}
