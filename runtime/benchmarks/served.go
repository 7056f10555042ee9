package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	serving "github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What a server of runs is measured with, and the goal.
const (
	startingClients = 16
	startedEffects  = 10
	sqliteStarted   = 3 // times the file store
)

// measureStarts measures runs that many clients start at a server while others work.
func (b *journalBench) measureStarts() {
	b.progress.say("store, SQLite, runs over HTTP")
	runs, rounds := b.size(300, 20), b.size(5, 1)
	inDatabase, closeDatabase := b.started("database", must(sqlite.Open("sqlite:"+filepath.Join(b.disk, "started.db"))), runs)
	defer closeDatabase()
	inFiles, closeFiles := b.started("files", journal.Files(filepath.Join(b.disk, "started")), runs)
	defer closeFiles()
	scores := must(contest.Hold(rounds, inDatabase, inFiles))
	what := fmt.Sprintf("store, SQLite: runs that %d clients start over HTTP / those in the file store", startingClients)
	b.compare(what, scores, "database", "files", goal{atMost, sqliteStarted})
}

// started is a contestant whose clients start so many runs together, until all of them are done. done ends its server.
func (b *journalBench) started(name string, store journal.Store, runs int) (c contest.Contestant, done func()) {
	var atWork sync.WaitGroup
	failed := make(firstFailure, 1)
	server := httptest.NewServer(serving.New(serving.Options{
		Program: busyProgram(&atWork), Store: store, MaxRuns: runs,
		Log: slog.New(slog.NewTextHandler(failed, &slog.HandlerOptions{Level: slog.LevelError})),
	}).Handler())
	var begun atomic.Int64
	c = contest.Contestant{Name: name, Steps: runs, Run: func() error {
		last := begun.Load() + int64(runs)
		atWork.Add(runs)
		err := contest.Together(startingClients, func(int) error {
			for n := begun.Add(1); n <= last; n = begun.Add(1) {
				if err := b.start(server.URL, fmt.Sprint("run-", n)); err != nil {
					return err
				}
			}

			return nil
		})
		if err != nil {
			return err
		}
		done := make(chan struct{})
		go func() {
			atWork.Wait()
			close(done)
		}()
		select {
		case <-done:
			return nil
		case line := <-failed:
			return fmt.Errorf("a run failed: %s", line)
		}
	}}

	return c, func() {
		server.Close()
		if c, ok := store.(io.Closer); ok {
			check(c.Close())
		}
	}
}

// firstFailure is a log of failures that keeps its first line.
type firstFailure chan string

// Write keeps the first line. The error is always nil.
func (l firstFailure) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}

	return len(line), nil
}

// start starts a run at a server.
func (b *journalBench) start(server, run string) error {
	body := must(json.Marshal(map[string]string{"run": run, "input": "the task"}))
	request := must(http.NewRequestWithContext(b.ctx, http.MethodPost, server+"/runs", bytes.NewReader(body)))
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body) // else the connection is not used again
	if reply.StatusCode != http.StatusCreated {
		return fmt.Errorf("run %s: %s: %s", run, reply.Status, text)
	}

	return err
}

// busyProgram has an agent with a few effects.
func busyProgram(atWork *sync.WaitGroup) *compiled.Program {
	send := func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"sent"`), nil }
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		defer atWork.Done()
		for range startedEffects {
			if _, err := fx.Call(runtime.FuncCall{Name: "send", Run: send}); err != nil {
				return runtime.Finish{}, err
			}
		}

		return runtime.Finish{Key: "done", Value: "sent"}, nil
	}

	return &compiled.Program{Name: "letters", Entry: "main", Shape: "s", Text: "t", Agents: []compiled.Agent{{Name: "main", Pattern: "oneshot", Run: run}}}
}
