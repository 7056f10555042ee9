// Command service answers the questions of a shop's customers. It is a Go service with a database of its own, to which an agent was
// added: desk.go starts and answers its runs, orders.go has its tools.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/agentc-dev/agentc/examples/service/agents"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "the address to listen on")
	dir := flag.String("data", "data", "the folder of the database and of the journals")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(ctx, *addr, *dir, log); err != nil {
		log.Error("service", "error", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, addr, dir string, log *slog.Logger) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	db, err := openDatabase(filepath.Join(dir, "shop.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	program, store := agents.New(orders{db}).Program(), journal.Files(filepath.Join(dir, "runs"))
	runs := serve.New(serve.Options{Program: program, Store: store, Log: log})
	defer runs.Close()
	go runs.Watch(ctx) // resumes what the last process left, however it ended

	mux := http.NewServeMux()
	d := &desk{runs: runs.Client(access.Caller{}), log: log}
	d.routes(mux)
	mux.Handle("GET /agents/", http.StripPrefix("/agents", runs.Handler())) // to look at runs: answers go through the desk

	server := &http.Server{Handler: mux}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", listener.Addr().String())
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.Background())
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}

	return nil
}
