package gen_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Random programs of one project, and projects of one module of Go.
const (
	batchSize   = 25
	moduleSize  = 10
	runsOfEach  = 600
	scriptsMost = 12
)

// TestRandomPrograms makes random programs, runs what is generated for them in all ways if those are few, and holds what the compiler says
// against what the runs do:
//
//   - one about which nothing is said has a run that ends;
//   - one whose runs all end, and enter each state, has no error;
//   - check and simulate agree on what can never end, and on rows;
//   - no run uses more than its bound;
//   - no run does what is excluded;
//   - each state, row, branch and turn of a loop that a run takes, and each end, is one that package flow predicts.
//
// What is known to be wrong is in testdata/random_faults.txt, with its reason. To make others:
//
//	go test ./gen -run TestRandomPrograms -timeout 0 -seed 1000 -programs 10000
func TestRandomPrograms(t *testing.T) {
	n := 500
	if testing.Short() {
		n = batchSize
	}
	seeds := randomSeeds(n)
	n = len(seeds)
	counts, excused, known := randomCounts{}, readExcuses(t, "testdata/random_faults.txt"), map[string]bool{}
	for module := range slices.Chunk(seeds, batchSize*moduleSize) {
		var batches []*randomBatch
		for some := range slices.Chunk(module, batchSize) {
			batches = append(batches, newRandomBatch(t, fmt.Sprint("b", some[0]), some))
		}
		judgeBatches(t, counts, batches, excused, known)
	}
	isAll := !testing.Short() && *seedCount == 0 && *firstSeed == 0
	for fault := range excused {
		if isAll && !known[fault] {
			t.Errorf("testdata/random_faults.txt excuses what is right: %s", fault)
		}
	}
	t.Logf("%d programs: %s", n, counts)
	for _, what := range []string{"programs without errors", "entry points that end", "entry points that never end", "programs that are right", "scripts"} {
		if counts[what] < n/50 {
			t.Errorf("%s: %d are so few that the test says little", what, counts[what])
		}
	}
}

// randomCounts are how many there are of what is compared.
type randomCounts map[string]int

func (c randomCounts) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, fmt.Sprintf("%s: %d", what, c[what]))
	}

	return strings.Join(parts, ", ")
}

// judgeBatches runs the programs of some batches and judges each of them. Of the faults that are excused it notes those that there are.
func judgeBatches(t *testing.T, counts randomCounts, batches []*randomBatch, excused map[string]string, known map[string]bool) {
	t.Helper()
	var jobs []job
	var done []func(*seen)
	var verdicts []*verdict
	for _, b := range batches {
		facts := b.analyses()
		for _, p := range b.programs {
			v := &verdict{T: t, batch: b, program: p, analyses: facts, counts: counts, excused: excused, known: known, simulated: b.simulate(p), isComplete: true}
			verdicts = append(verdicts, v)
			for _, a := range b.entries[p] {
				jobs, done = append(jobs, v.jobOf(a)), append(done, func(s *seen) { v.runs = append(v.runs, s) })
			}
			for _, played := range v.scripts() {
				jobs, done = append(jobs, played.job), append(done, func(s *seen) { played.seen = s })
			}
		}
	}
	packages := map[string]*gen.Result{}
	for _, b := range batches {
		packages[b.name] = b.result
	}
	for i, s := range explore(t, packages, jobs) {
		done[i](s)
	}
	for _, v := range verdicts {
		v.judge()
	}
}

// analyses are what the packages of the compiler say about the programs of a batch, by entry point.
type analyses struct {
	costs map[string]cost.Entry
	tools map[string]map[string]bool
	// deeds are the calls that untrusted text reaches, and leaks those that the text of pages does.
	deeds, leaks map[string]map[string]bool
	// tasks are those of workflows, by workflow and name.
	tasks map[string]*ir.Task
	// arms have the conditionals by the first task of each branch, and machines the machines by agent and name.
	arms     map[*ir.Task]*flow.Choice
	machines map[string]*flow.Machine
}

func (b *randomBatch) analyses() *analyses {
	x := &analyses{
		costs: map[string]cost.Entry{}, tools: map[string]map[string]bool{}, deeds: map[string]map[string]bool{}, leaks: map[string]map[string]bool{},
		tasks: map[string]*ir.Task{}, arms: map[*ir.Task]*flow.Choice{}, machines: map[string]*flow.Machine{},
	}
	program := b.result.Program
	for _, e := range cost.BoundEntries(program, cost.Options{Input: 100, Attempts: 1}) {
		x.costs[e.Name] = e
	}
	for _, e := range can.FindEntries(program, b.facts, program.EntryPoints()) {
		x.tools[e.Name] = ir.SetOf(ir.Map(e.Tools, func(u can.Use) string { return callerName(u.Agent) + " " + u.Tool }))
	}
	for _, a := range program.EntryPoints() {
		reached := func(from string) map[string]bool {
			paths := can.FindFlows(b.facts, []*ir.Agent{a}, can.Flow{From: []string{from}, To: []string{can.Any, "send"}})
			return ir.SetOf(ir.Map(paths, func(path can.Path) string { return callerName(path.Agent) + " " + path.Tool }))
		}
		x.deeds[a.Name.Value], x.leaks[a.Name.Value] = reached(can.Untrusted), reached("web")
	}
	for _, a := range program.Agents {
		if m := a.MachineOf(); m != nil {
			x.machines[a.Name.Value+"|"+a.Name.Value] = b.facts.Machine(m)
		}
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if !isWorkflow {
			continue
		}
		ir.WalkTasks(w.Body, func(task *ir.Task) {
			name := a.Name.Value + "|" + task.Name.Value
			x.tasks[name] = task
			if m, isMachine := task.Do.(*ir.Machine); isMachine {
				x.machines[name] = b.facts.Machine(m)
			}
		})
		for _, choice := range b.facts.Choices(w) {
			for _, arm := range choice.Do.Branches {
				if len(arm.Body.Tasks) > 0 {
					x.arms[arm.Body.Tasks[0]] = choice
				}
			}
		}
	}

	return x
}

// callerName is the agent of a conversation, or the workflow of a step.
func callerName(agent string) string {
	name, _, _ := strings.Cut(agent, "/")

	return name
}

// simulate finds the runs of a program without errors; nil for one with errors.
func (b *randomBatch) simulate(p *randomProgram) *simulate.Result {
	if slices.ContainsFunc(b.found[p], func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil
	}

	return simulate.FindRuns(b.result.Program, simulate.Options{Roots: b.entries[p]})
}

// verdict compares what is said about a program with what its runs do.
type verdict struct {
	*testing.T
	*analyses
	batch   *randomBatch
	program *randomProgram
	counts  randomCounts
	// excused are the faults that are known, by seed and kind, and known those that were found.
	excused   map[string]string
	known     map[string]bool
	simulated *simulate.Result
	// isComplete says that all initial contexts are tried.
	isComplete bool
	runs       []*seen
	played     []*playedScript
	// faults are what is wrong with the compiler.
	faults []string
}

// playedScript is a script that simulate has written, and what came of it.
type playedScript struct {
	job
	script *simulate.Script
	seen   *seen
}

// fault notes something that is wrong, of some kind: silent, error, simulate, script, spend, deed or trace.
func (v *verdict) fault(kind, format string, args ...any) {
	v.faults = append(v.faults, kind+": "+fmt.Sprintf(format, args...))
}

// jobOf is the job of making the runs of an agent.
func (v *verdict) jobOf(a *ir.Agent) job {
	j := job{Package: v.batch.name, Entry: a.Name.Value, Most: runsOfEach}
	for _, w := range v.program.workflows {
		if w.name == a.Name.Value {
			isAll := false
			j.Contexts, isAll = w.initialContexts()
			v.isComplete = v.isComplete && isAll
		}
	}

	return j
}

// scripts are some of the scripts that simulate writes.
func (v *verdict) scripts() []*playedScript {
	if v.simulated == nil {
		return nil
	}
	scripts, _ := v.simulated.Scripts(nil)
	for _, s := range scripts[:min(len(scripts), scriptsMost)] {
		file := s.Document([]string{"Takes rows."}).YAML()
		text, findings := scriptdoc.Convert(source.NewFile(s.Name+".yaml", file), v.batch.result.Program)
		for _, d := range findings {
			v.fault("script", "a script of simulate: %s\n%s", d.Message, file)
		}
		j := job{Package: v.batch.name, Entry: s.Root.Name.Value, Script: string(text), Context: s.Context}
		v.played = append(v.played, &playedScript{job: j, script: s})
	}

	return v.played
}

func (v *verdict) judge() {
	v.Helper()
	v.judgeEnds()
	for _, s := range v.runs {
		v.judgeTrace(s)
		v.judgeSpend(s)
		v.judgeDeeds(s)
	}
	if v.simulated != nil {
		v.judgeSimulated()
		v.judgeScripts()
	}
	seed := strings.Trim(v.program.prefix, "p-")
	var isKnown bool
	v.faults = slices.DeleteFunc(v.faults, func(fault string) bool {
		kind, _, _ := strings.Cut(fault, ":")
		_, excuses := v.excused[seed+" "+kind]
		v.known[seed+" "+kind] = true
		isKnown = isKnown || excuses
		return excuses
	})
	if isKnown {
		v.counts["programs with known faults"]++
	}
	if len(v.faults) == 0 {
		return
	}
	v.Errorf("seed %s:\n  %s", seed, strings.Join(v.faults, "\n  "))
	if *seedCount == 1 {
		for _, name := range slices.Sorted(maps.Keys(v.program.files)) {
			v.Logf("-- %s --\n%s", name, v.program.files[name].Data)
		}
		for _, s := range v.runs {
			v.Logf("%+v", *s)
		}
		for _, d := range v.batch.found[v.program] {
			v.Logf("%v %s [%s]", d.Severity, d.Message, d.Check.Name)
		}
	}
}

// said reports whether something is said about whether runs end, with a severity.
func (v *verdict) said(severity diag.Severity) bool {
	return slices.ContainsFunc(v.batch.found[v.program], func(d *diag.Diagnostic) bool {
		return d.Severity == severity && slices.Contains(workChecks, d.Check)
	})
}

// judgeEnds compares what is said about ends with the ends of runs.
func (v *verdict) judgeEnds() {
	isWrong, isRight := v.said(diag.Error), v.isComplete
	v.counts["programs"]++
	if !isWrong {
		v.counts["programs without errors"]++
	}
	entered := map[string]bool{}
	for _, s := range v.runs {
		v.counts["runs"] += s.Runs
		for of := range s.States {
			entered[of] = true
		}
		for of := range s.Moves {
			if words := strings.Split(of, "|"); words[1] != "finish" {
				entered[strings.Join([]string{words[0], words[1], words[5]}, "|")] = true
			}
		}
		switch {
		case len(s.Ends) > 0:
			v.counts["entry points that end"]++
		case s.All && v.isComplete:
			v.counts["entry points that never end"]++
			if !isWrong && !v.said(diag.Warning) {
				v.fault("silent", "nothing is said, and no run of %s ends: %v", s.Entry, s.Fails)
			}
		}
		isRight = isRight && s.AllWell && len(s.Ends) > 0 && len(s.Fails) == 0
	}
	for name, m := range v.machines {
		if !strings.HasPrefix(name, v.program.prefix) {
			continue
		}
		for _, s := range m.States {
			isRight = isRight && entered[name+"|"+s.Name.Value]
		}
	}
	if !isRight {
		return
	}
	v.counts["programs that are right"]++
	if isWrong {
		v.fault("error", "an error in what runs, ends and enters each state")
	}
}

// judgeTrace holds what runs do against what package flow predicts.
func (v *verdict) judgeTrace(s *seen) {
	for of, how := range s.States {
		if state := v.stateOf(of); state == nil || !state.Reached {
			v.fault("trace", "a run of %s enters the state %s, which is not reached: %s", s.Entry, of, how)
		}
	}
	for of, how := range s.Moves {
		if !v.isPredicted(of) {
			v.fault("trace", "a run of %s takes the row %s, which is dead: %s", s.Entry, of, how)
		}
	}
	for of, times := range s.Times {
		task := v.tasks[of]
		if task == nil { // a fallback
			continue
		}
		if v.batch.facts.IsEndless(task) && s.TimesWell[of] > 0 && task.Fallback == nil {
			v.fault("trace", "step %s ends although nothing fails, and is said never to", of)
		}
		if choice := v.arms[task]; choice != nil {
			for _, arm := range choice.DeadBranches() {
				if len(arm.Body.Tasks) > 0 && arm.Body.Tasks[0] == task {
					v.fault("trace", "branch %q is taken, and is said to be dead", arm.Name.Value)
				}
			}
		}
		if most := v.mostTimes(s.Entry, task); most > 0 && times > most {
			v.fault("trace", "step %s ends %d times in a run, and its loops have %d turns", of, times, most)
		}
		v.counts["steps that end"]++
	}
	v.counts["states that are entered"] += len(s.States)
	v.counts["rows that are taken"] += len(s.Moves)
	if least := leastCalls(s.Well); least >= 0 {
		agent := v.batch.result.Program.AgentByName(s.Entry)
		if calls := v.batch.facts.Calls(agent); calls > least {
			v.fault("trace", "a run of %s ends with %d calls, and the fewest are said to be %d", s.Entry, least, calls)
		}
	}
}

func leastCalls(ends map[string]int) int {
	least := -1
	for _, calls := range ends {
		if least < 0 || calls < least {
			least = calls
		}
	}

	return least
}

// stateOf finds the state of an event.
func (v *verdict) stateOf(of string) *flow.State {
	at := strings.LastIndex(of, "|")
	if m := v.machines[of[:at]]; m != nil {
		return ir.First(m.States, func(s *flow.State) bool { return s.Name.Value == of[at+1:] })
	}

	return nil
}

// isPredicted reports whether a transition is a move that can be taken, or an end is an outcome.
func (v *verdict) isPredicted(of string) bool {
	words := strings.Split(of, "|")
	if words[1] == "finish" {
		agent := v.batch.result.Program.AgentByName(words[0])
		return agent == nil || v.batch.facts.Outcomes(agent).CanFinishWith(words[2])
	}
	from, key, matched, to := v.stateOf(strings.Join(words[:3], "|")), words[3], words[4], words[5]
	if from == nil {
		return false
	}
	isTaken := func(move *flow.Move) bool {
		switch {
		case move.Dead != flow.Alive:
			return false
		case move.Row == nil:
			return matched == "next-state" || matched == "unconditional"
		}
		target := move.Row.To.Value
		isFor := ir.FoldKey(move.Row.Key.Value) == ir.FoldKey(key) || move.Row.IsCatchAll()
		return isFor && (target == to || move.Row.End && to == "")
	}

	return from.Anywhere || slices.ContainsFunc(from.Moves, isTaken)
}

// mostTimes is how often a step of a workflow can end in a run that begins with it; 0 if that is not known.
func (v *verdict) mostTimes(entry string, task *ir.Task) int {
	w, isWorkflow := ir.WorkflowOf(v.batch.result.Program.AgentByName(entry).Node)
	if !isWorkflow {
		return 0
	}

	return timesIn(w.Body, task)
}

// timesIn is how often a task of a pipeline can end in one run of that; 0 if it is not in it.
func timesIn(body *ir.Pipeline, task *ir.Task) int {
	if body == nil {
		return 0
	}
	for _, t := range body.Tasks {
		tries := 1 + t.Retries
		if t == task {
			return 1
		}
		switch do := t.Do.(type) {
		case *ir.Loop:
			turns := do.Max
			if do.IsForEach() {
				turns = 2 // the longest list of random programs
			}
			if n := timesIn(do.Body, task); n > 0 {
				return n * turns * tries
			}
		case *ir.Branch:
			for _, arm := range do.Branches {
				if n := timesIn(arm.Body, task); n > 0 {
					return n * tries
				}
			}
			if n := timesIn(do.Default, task); n > 0 {
				return n * tries
			}
		case *ir.Parallel:
			for _, arm := range do.Branches {
				if n := timesIn(arm.Body, task); n > 0 {
					return n * tries
				}
			}
		case *ir.Machine:
			for _, s := range do.States {
				if n := timesIn(s.Body, task); n > 0 {
					return n * do.MaxSteps * tries
				}
			}
		}
	}

	return 0
}

// judgeSpend compares what runs use with their bounds.
func (v *verdict) judgeSpend(s *seen) {
	most := v.costs[s.Entry].Most
	for what, used := range map[string][2]cost.Amount{
		"calls": {cost.Amount(s.Calls), most.Calls}, "tokens of input": {cost.Amount(s.Input), most.Input},
		"tokens of output": {cost.Amount(s.Output), most.Output},
	} {
		if used[0] > used[1] {
			v.fault("spend", "a run of %s uses %d %s, and its bound is %d", s.Entry, used[0], what, used[1])
		}
	}
	if most.Calls > 0 && cost.Amount(s.Calls) == most.Calls {
		v.counts["runs that reach the bound of calls"]++
	}
}

// judgeDeeds compares the calls of tools with those that are not excluded.
func (v *verdict) judgeDeeds(s *seen) {
	for _, of := range []struct {
		what  string
		done  map[string]string
		known map[string]bool
	}{
		{"calls", s.Tools, v.tools[s.Entry]}, {"lets untrusted text get to", s.Deeds, v.deeds[s.Entry]}, {"lets a page get to", s.Leaks, v.leaks[s.Entry]},
	} {
		for name, how := range of.done {
			agent, tool, _ := strings.Cut(name, " ")
			v.counts[of.what]++
			if !of.known[callerName(agent)+" "+tool] {
				v.fault("deed", "a run of %s %s %s, which is excluded: %s", s.Entry, of.what, name, how)
			}
		}
	}
}

// judgeSimulated compares what simulate says about rows and ends with check, with flow and with runs.
func (v *verdict) judgeSimulated() {
	ends, endsWell, taken := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range v.runs {
		ends[s.Entry], endsWell[s.Entry] = len(s.Ends) > 0, len(s.Well) > 0
		for of := range s.Moves {
			taken[of] = true
		}
	}
	for _, endless := range v.simulated.Endless {
		v.counts["entry points that simulate says never end"]++
		found := ends
		if endless.Why.Reason == simulate.Failure {
			found = endsWell
		}
		if found[endless.Agent.Name.Value] {
			v.fault("simulate", "simulate says that %s never ends, and a run ends", endless.Agent.Name.Value)
		} else if !v.said(diag.Error) && !v.said(diag.Warning) {
			v.fault("simulate", "simulate says that %s never ends, and check says nothing", endless.Agent.Name.Value)
		}
	}
	for _, m := range v.simulated.Machines {
		name := m.Agent.Name.Value
		name += "|" + map[bool]string{true: name}[m.Step == nil]
		if m.Step != nil {
			name += m.Step.Name.Value
		}
		for _, row := range m.Rows {
			if row.Row != nil {
				v.judgeRow(name, row, taken)
			}
		}
	}
}

// judgeRow compares what simulate says about a row.
func (v *verdict) judgeRow(machine string, row *simulate.Row, taken map[string]bool) {
	isAlive, isTaken := false, false
	for _, s := range v.machines[machine].States {
		for _, move := range s.Moves {
			isAlive = isAlive || move.Row == row.Row && s.Reached && move.Dead == flow.Alive
		}
	}
	for of := range taken {
		words := strings.Split(of, "|")
		isTaken = isTaken || words[1] != "finish" && strings.Join(words[:2], "|") == machine && v.isOnly(of, row)
	}
	text := fmt.Sprintf("row %q of state %q of %s to %q", row.Key().Value, row.State.Name.Value, machine, row.To().Value)
	v.counts["rows that are simulated"]++
	switch {
	case row.Taken && !isAlive:
		v.fault("simulate", "simulate takes the %s, which is dead", text)
	case isTaken && !row.Taken && !row.Open:
		v.fault("simulate", "a run takes the %s, and simulate says that none does", text)
	case isAlive && !row.Taken && !row.Open:
		v.counts["rows that only simulate says are dead"]++
	}
}

// isOnly reports whether a transition can only be that of a row.
func (v *verdict) isOnly(of string, row *simulate.Row) bool {
	words := strings.Split(of, "|")
	from := v.stateOf(strings.Join(words[:3], "|"))
	if from == nil || words[4] == "next-state" {
		return false
	}
	fits := ir.Where(from.Moves, func(move *flow.Move) bool {
		return move.Row != nil && (ir.FoldKey(move.Row.Key.Value) == ir.FoldKey(words[3]) || move.Row.IsCatchAll()) && move.Row.To.Value == words[5]
	})

	return len(fits) == 1 && fits[0].Row == row.Row
}

// judgeScripts compares the rows that scripts take with those for which they were written.
func (v *verdict) judgeScripts() {
	for _, p := range v.played {
		v.counts["scripts"]++
		if len(p.seen.Ends) == 0 {
			v.fault("script", "a script of simulate does not end: %v\n%s", p.seen.Fails, p.script.Document(nil).YAML())
			continue
		}
		taken := map[string]bool{}
		for of := range p.seen.Moves {
			words := strings.Split(of, "|")
			if words[1] == "finish" {
				continue
			}
			line := fmt.Sprintf(`{"event":"transition","agent":%q,"machine":%q,"from":%q,"key":%q,"matched":%q,"to":%q}`,
				words[0], words[1], words[2], words[3], words[4], words[5])
			line = strings.Replace(line, `"to":""`, `"to":null`, 1)
			if !workRowTaken(v.T, v.batch.result.Program, line, taken) {
				rowsTaken(v.T, "", guardedKey(v.batch.result.Program, line), taken)
			}
		}
		want := map[string]bool{}
		for _, r := range p.script.Rows {
			want[rowText(r)] = true
		}
		if !maps.Equal(want, taken) {
			v.fault("script", "a script of simulate takes %v, and says that it takes %v\n%s", slices.Sorted(maps.Keys(taken)), slices.Sorted(maps.Keys(want)), p.script.Document(nil).YAML())
		}
		v.judgeCases(p)
	}
}

// judgeCases compares the branches that a script takes with the steps that its run did: the first step of a branch is among them, if it
// cannot fail.
func (v *verdict) judgeCases(p *playedScript) {
	for _, c := range p.script.Cases {
		v.counts["cases that scripts take"]++
		do, isConditional := c.Step.Task.Do.(*ir.Branch)
		if !isConditional || c.Kind != simulate.CaseBranch {
			continue
		}
		first := do.ArmBody(c.Name).Tasks
		if len(first) == 0 {
			continue
		}
		_, isSimple := first[0].Do.(*ir.PassOn)
		if isSimple && p.seen.Times[c.Step.Agent.Name.Value+"|"+first[0].Name.Value] == 0 {
			v.fault("script", "a script of simulate does not take %s of step %q\n%s", c, c.Step.Task.Name.Value, p.script.Document(nil).YAML())
		}
	}
}
