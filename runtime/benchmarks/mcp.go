package main

import (
	"context"
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
func (b *bench) measureMCP() {
	for _, over := range []connection{{"stdio", overPipes}, {"HTTP", overHTTP}} {
		b.measureOver(over)
	}
}

// connection is a way to reach a server.
type connection struct {
	name string
	// open serves a server and returns what a client dials, and what ends it.
	open func(context.Context, served) (dial func() sdk.Transport, end func())
}

func (b *bench) measureOver(over connection) {
	b.progress.say("mcp over %s", over.name)
	folder := must(os.MkdirTemp("", "agentc-benchmarks-")) // on a disk, where the workshop may be in memory
	defer os.RemoveAll(folder)
	servers, closeBoards := contestServers(b.ctx, folder)
	defer closeBoards()
	calls, rounds := b.size(1024, 64), b.size(5, 1)
	for _, callers := range []int{1, 32} {
		b.measureCallers(over, servers, calls, rounds, callers)
	}
}

// measureCallers lets clients call each server, all at the same time, one call after another.
func (b *bench) measureCallers(over connection, servers []served, calls, rounds, callers int) {
	var contestants []contest.Contestant
	for _, s := range servers {
		clients, end := connectAll(b.ctx, over, s, callers)
		defer end()
		contestants = append(contestants, contest.Contestant{Name: s.name, Steps: calls, Run: func() error {
			return contest.Together(callers, func(i int) error { return clients[i].calls(b.ctx, calls/callers) })
		}})
	}
	scores := must(contest.Hold(rounds, contestants...))
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
}
