package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// The contestants of the section mcp.
const (
	emptyTool   = "empty tool"
	appendTool  = "empty tool that appends"
	boardMemory = "board in memory"
	boardDisk   = "board on disk"
)

// measureMCP measures transitions of a live machine over the Model Context Protocol beside an empty tool of the same SDK, over
// the same kind of connection.
func (b *bench) measureMCP(ctx context.Context) error {
	for _, over := range []connection{{"stdio", overPipes}, {"HTTP", overHTTP}} {
		if err := b.measureOver(ctx, over); err != nil {
			return err
		}
	}

	return nil
}

// connection is a way to reach a server.
type connection struct {
	name string
	// open serves a server and returns what a client dials, and what ends it.
	open func(context.Context, served) (dial func() sdk.Transport, end func(), err error)
}

func (b *bench) measureOver(ctx context.Context, over connection) error {
	b.progress.say("mcp over %s", over.name)
	folder, err := os.MkdirTemp("", "agentc-benchmarks-") // on a disk, where the workshop may be in memory
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	servers, closeBoards, err := contestServers(folder)
	if err != nil {
		return err
	}
	calls, rounds := 1024, 5
	if b.small {
		calls, rounds = 64, 1
	}
	for _, callers := range []int{1, 32} {
		err = errors.Join(err, b.measureCallers(ctx, over, servers, calls, rounds, callers))
	}

	return errors.Join(err, closeBoards())
}

// measureCallers lets clients call each server, all at the same time, one call after another.
func (b *bench) measureCallers(ctx context.Context, over connection, servers []served, calls, rounds, callers int) error {
	var contestants []contest.Contestant
	for _, s := range servers {
		clients, end, err := connectAll(ctx, over, s, callers)
		if err != nil {
			return err
		}
		defer end()
		contestants = append(contestants, contest.Contestant{Name: s.name, Steps: calls, Run: func() error {
			return contest.Together(callers, func(i int) error { return clients[i].calls(ctx, calls/callers) })
		}})
	}
	scores, err := contest.Hold(rounds, contestants...)
	if err != nil {
		return err
	}
	label := fmt.Sprintf("mcp over %s, %s client%s: ", over.name, count(callers), "s"[:min(callers-1, 1)])
	for _, of := range []struct {
		name, reference string
		goal            goal
	}{
		{boardMemory, emptyTool, goal{atLeast, 0.8}},
		{boardDisk, appendTool, goal{atLeast, 0.8}},
		{boardDisk, emptyTool, goal{}},
	} {
		b.compare(label+"transitions a second, "+of.name+" / "+of.reference, scores, of.reference, of.name, of.goal)
	}

	return nil
}
