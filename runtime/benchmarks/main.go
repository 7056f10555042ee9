package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes are those of agentc: 0 done, 1 a goal is missed, 2 usage, 3 the measuring itself failed.
const (
	exitOK = iota
	exitMissed
	exitUsage
	exitFailed
)

// sections are the parts of the table in order.
var sections = []struct {
	name    string
	measure func(*bench)
}{
	{"transition", (*bench).measureTransitions},
	{"live", (*bench).measureLive},
	{"guard", (*bench).measureGuards},
	{"chain", (*bench).measureChains},
	{"run", (*bench).measureChainRuns},
	{"graph", (*bench).measureGraphs},
	{"tool", (*bench).measureTools},
	{"start", (*bench).measureStarts},
	{"pattern", (*bench).measurePatterns},
	{"workflow", (*bench).measureWorkflows},
	{"check", (*bench).measureChecks},
	{"analysis", (*bench).measureAnalyses},
	{"generate", (*bench).measureGenerate},
	{"build", (*bench).measureBuilds},
	{"mcp", (*bench).measureMCP},
	{"journal", (*bench).measureJournals},
	{"store", (*bench).measureStores},
	{"durable", (*bench).measureDurables},
	{"client", (*bench).measureClients},
	{"page", (*bench).measurePages},
	{"binary", (*bench).measureBinaries},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "draw machines, walks and projects from this `number`")
	only := flags.String("only", "", "measure these `sections` only: "+sectionNames())
	keep := flags.Bool("keep", false, "leave the generated projects and programs on disk and say where they are")
	small := flags.Bool("small", false, "tiny sizes and few rounds: whether it runs, not how fast")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	chosen, err := choose(*only)
	if err != nil || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "benchmarks: unknown", strings.Join(append(flags.Args(), *only), " "))
		return exitUsage
	}

	folder, err := os.MkdirTemp(quickFolder(), "agentc-benchmarks-")
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return exitFailed
	}
	if *keep {
		fmt.Fprintln(stderr, "benchmarks: everything is in", folder)
	} else {
		defer os.RemoveAll(folder)
	}

	b := &bench{seed: *seed, small: *small, progress: newProgress(stderr)}
	err = b.run(ctx, folder, chosen)
	b.progress.done()
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return exitFailed
	}
	if err := errors.Join(writeTable(stdout, b.rows), writeVersions(ctx, stdout)); err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return exitFailed
	}
	if failed(b.rows) {
		return exitMissed
	}

	return exitOK
}

// quickFolder is where files are made in memory; "" if the system has no such place. To make a file can take longer on disk than to
// generate it.
func quickFolder() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		return shared
	}

	return ""
}

func sectionNames() string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}

	return strings.Join(names, ",")
}

// choose returns the names of the sections to measure; all of them for "".
func choose(only string) ([]string, error) {
	all := strings.Split(sectionNames(), ",")
	if only == "" {
		return all, nil
	}
	chosen := strings.Split(only, ",")
	for _, name := range chosen {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no section %q", name)
		}
	}

	return chosen, nil
}
