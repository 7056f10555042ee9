package app

import (
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/journal"
)

const (
	// noStore is what --store says where there are to be no journals.
	noStore = "none"
	// StoreVariable names the folder where no flag does.
	StoreVariable = "AGENTC_STORE"
)

// StoreFlag is the flag that says where the journals of runs lie.
func StoreFlag() cli.Flag {
	return cli.Flag{
		Name: "store", Value: "DIR|none", Help: "where the journals of runs lie; without: " + StoreVariable + ", else " + journal.DefaultDir,
	}
}

// storeName is the folder as it was named, or none.
func storeName(c *cli.Call) string {
	if c.On("store") {
		return c.Flag("store")
	}
	if name := c.Getenv(StoreVariable); name != "" {
		return name
	}

	return filepath.FromSlash(journal.DefaultDir)
}

// storePlace is the absolute folder, or none.
func storePlace(c *cli.Call) string {
	if name := storeName(c); name != noStore {
		return c.Path(name)
	}

	return noStore
}

// RunStore returns where the journals of runs lie; nil if there are to be none.
func RunStore(c *cli.Call) journal.Store {
	name := storeName(c)
	if name == noStore {
		return nil
	}

	return journal.Files(c.Path(name))
}

// wantStore is RunStore for a command that makes no sense without journals.
func wantStore(c *cli.Call) (store journal.Store, code int, ok bool) {
	if store = RunStore(c); store == nil {
		return nil, c.Usagef("there are no runs without a store: choose its folder with --store DIR"), false
	}

	return store, cli.Done, true
}
