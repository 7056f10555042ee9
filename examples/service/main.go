// Command service answers the questions of a shop's customers. It is a Go service with a database of its own, to which an agent was
// added: desk.go runs it, orders.go has its tools.
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
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/serve"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "the address to listen on")
	dir := flag.String("data", "data", "the folder of the database and of the journals")
	verbose := flag.Bool("v", false, "log each event of a run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	level := slog.LevelInfo
	if *verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
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
	d := &desk{ctx: ctx, db: db, app: agents.New(orders{db}), runs: journal.Files(filepath.Join(dir, "runs")), log: log}
	if err := d.resumeAll(); err != nil {
		return err
	}

	mux := http.NewServeMux()
	d.routes(mux)
	operators := serve.New(serve.Options{Program: d.app.Program(), Store: d.runs, Log: log})
	defer operators.Close()
	mux.Handle("GET /agents/", http.StripPrefix("/agents", operators.Handler())) // to look at runs: answers go through the desk

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
	d.busy.Wait()

	return nil
}
