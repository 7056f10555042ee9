// Command owner begins a run in a store, prints a line, and owns the run until it is killed.
//
//	owner ADDRESS RUN
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func main() {
	address, run := os.Args[1], os.Args[2]
	store, err := open(address)
	if err != nil {
		panic(err)
	}
	w, err := journal.Create(context.Background(), store, run, journal.Record{Time: time.Now()})
	if err != nil {
		panic(err)
	}
	fmt.Println("owned")
	time.Sleep(time.Hour)
	runtime.KeepAlive(w)
}

func open(address string) (journal.Store, error) {
	switch {
	case strings.HasPrefix(address, "sqlite:"):
		return sqlite.Open(address)
	case strings.HasPrefix(address, "postgres:"):
		return postgres.Open(address)
	}

	return journal.Files(address), nil
}
