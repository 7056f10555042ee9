package workflow

import (
	"errors"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Parallel configures a parallel step.
type Parallel struct {
	Step string
	// Isolated discards the changes of the branches to their contexts. Otherwise Keep is the branch
	// whose value counts if two of them write different ones, "first" or "last". If Keep is "",
	// different values are a ConflictError.
	Isolated bool
	Keep     string
	// Ignore treats a failed branch as one without output; otherwise it fails the step.
	Ignore bool
}

// Branch is a branch of a parallel step. R is the type of the run.
type Branch[R any] struct {
	Name string
	Run  func(r *R, input Value) (Value, error)
	// Fields are the paths of the context that the branch writes back; nil: all.
	Fields [][]string
}

// branchRuns are branches of a parallel step.
type branchRuns[R any] []branchRun[R]

// branchRun is a branch that has run.
type branchRun[R any] struct {
	Name   string
	Output Value
	// Run is the branch's copy of the run.
	Run *R
	// fields are the paths that the branch writes back.
	fields [][]string
}

// Fork runs branches in parallel, each with a copy of the run, and merges their contexts. It
// returns the branches that did not fail.
func Fork[R any, P embedsRun[R]](r P, p Parallel, input Value, branches ...Branch[R]) (branchRuns[R], error) {
	all, results, err := runApart[R, P](r, 0, branches, func(i int, own *R) (Value, error) { return branches[i].Run(own, input) })
	if err := joinBranchErrors(results, err, p.Ignore); err != nil {
		return nil, err
	}
	ran := all.withoutFailed(results)
	if p.Isolated {
		return ran, nil
	}

	return ran, mergeContexts[R, P](ran, r.baseRun(), p.Keep)
}

// runApart runs branches in parallel, at most limit at a time (0: no limit), each with a copy of the
// run.
func runApart[R any, P embedsRun[R]](
	r P, limit int, branches []Branch[R], run func(i int, own *R) (Value, error),
) (branchRuns[R], rt.Results, error) {
	ran := make(branchRuns[R], len(branches))
	list := make([]rt.Branch, len(branches))
	for i, branch := range branches {
		ran[i] = branchRun[R]{Name: branch.Name, Run: new(R), fields: branch.Fields}
		list[i] = rt.Branch{Name: branch.Name, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			own := P(ran[i].Run)
			*own = *r
			own.baseRun().fx = fx
			own.baseRun().BeginBranch()
			own.Bind()
			var err error
			ran[i].Output, err = run(i, ran[i].Run)

			return runtime.Finish{}, unwrapReported(err)
		}}
	}
	results, err := rt.Flow(r.baseRun().workflow).Together(r.baseRun().fx, limit, "", list...)

	return ran, results, err
}

// withoutFailed returns the branches that did not fail.
func (ran branchRuns[R]) withoutFailed(results rt.Results) branchRuns[R] {
	var left branchRuns[R]
	for i, result := range results {
		if result.Err == nil {
			left = append(left, ran[i])
		}
	}

	return left
}

// Items configures a step that runs for each item of a list, each with a copy of the run.
type Items struct {
	// Width is how many items run at a time.
	Width int
	// Skip leaves out the outputs of items that failed, and Keep has none in their places. Without
	// them, a failed item fails the step.
	Skip, Keep bool
}

// EachApart calls body for each item of the list at a path of the context, each with a copy of the
// run. It returns the list of the outputs, in the order of the items, and the run of the last item
// that did not fail; nil without one. The step fails if all of its items do.
func EachApart[R any, P embedsRun[R]](
	r P, how Items, body func(r *R, item Value) (Value, error), path ...string,
) (outputs Value, last *R, err error) {
	list, err := r.baseRun().listAt(path)
	if err != nil {
		return Value{}, nil, err
	}
	branches := make([]Branch[R], len(list))
	for i := range list {
		branches[i].Name = "item " + strconv.Itoa(i)
	}
	ran, results, err := runApart[R, P](r, how.Width, branches, func(i int, own *R) (Value, error) {
		base := P(own).baseRun()
		base.item, base.turn = list[i], turn{i, len(list)}

		return body(own, list[i])
	})
	if err := joinBranchErrors(results, err, how.Skip || how.Keep); err != nil {
		return Value{}, nil, err
	}
	var values []Value
	for i, result := range results {
		switch {
		case result.Err == nil:
			last = ran[i].Run
			values = append(values, ran[i].Output)
		case how.Keep:
			values = append(values, Value{})
		}
	}

	return List(values...), last, mergeContexts[R, P](ran.withoutFailed(results), r.baseRun(), keepNeither)
}

// joinBranchErrors returns the error that fails the step, ends the run or leaves the state; nil if
// the step succeeds.
func joinBranchErrors(results rt.Results, err error, ignore bool) error {
	var left *leaveSignal
	if errors.As(err, &left) {
		return left
	}
	if err != nil {
		return reportedError{err}
	}
	var failed []error
	for _, result := range results {
		if result.Err == nil {
			continue
		}
		if errors.As(result.Err, &left) {
			return left
		}
		failed = append(failed, runtime.BranchError{Name: result.Name, Err: result.Err})
	}
	if len(failed) == 0 || ignore {
		return nil
	}
	if len(failed) == 1 {
		return reportedError{failed[0]}
	}

	return reportedError{errors.Join(failed...)}
}

// mergeContexts merges the contexts of the branches into the context of r.
func mergeContexts[R any, P embedsRun[R]](ran branchRuns[R], r *Run, keep string) error {
	base := r.fullContext()
	contexts, ends := make([]Value, len(ran)), make([]branchEnd, len(ran))
	for i, branch := range ran {
		run := P(branch.Run).baseRun()
		contexts[i] = run.fullContext()
		ends[i] = branchEnd{branch.Name, contexts[i], run.writes}
		if branch.fields == nil {
			continue
		}
		copied, err := copyFields(branch.fields, contexts[i], base)
		if err != nil {
			return pathError(nil, err)
		}
		contexts[i] = copied
		ends[i].context, ends[i].writes = copied, r.writesWithin(run.writes, branch.fields)
	}
	merged, clash := mergeBranches(base, contexts, keep, r.rules)
	if clash != nil {
		return conflictError(clash.Path, ran[clash.First].Name, ran[clash.Second].Name)
	}
	joined, err := r.joinFields(merged, base, ends)
	if err != nil {
		return err
	}
	err = r.Inherit(joined)
	if err != nil {
		return err
	}
	for _, end := range ends {
		r.recordAll(end.writes, func(field []string) []string { return field }, r.rules)
	}

	return nil
}

// writesWithin returns the writes of a branch to the fields that it writes back as a whole.
func (r *Run) writesWithin(writes *fieldWrite, fields [][]string) (within *fieldWrite) {
	for i, rule := range r.rules {
		isBack := slices.ContainsFunc(fields, func(path []string) bool {
			return len(path) <= len(rule.Field) && slices.Equal(path, rule.Field[:len(path)])
		})
		if !isBack {
			continue
		}
		for _, w := range writes.writesTo(i) {
			w.previous = within
			within = &w
		}
	}

	return within
}

// recordAll records writes of a branch, or of an imported workflow, whose fields have rules, as
// writes of the run. renamed returns where a field is here; nil if it is not copied.
func (r *Run) recordAll(writes *fieldWrite, renamed func(field []string) []string, rules []Rule) {
	if !r.isBranch {
		return
	}
	for i, rule := range rules {
		field := renamed(rule.Field)
		own := slices.IndexFunc(r.rules, func(of Rule) bool { return of.Merge == rule.Merge && slices.Equal(of.Field, field) })
		if own < 0 {
			continue
		}
		for _, w := range writes.writesTo(i) {
			w.rule, w.previous = own, r.writes
			r.writes = &w
		}
	}
}

// copyFields returns base with the values that context has at the paths of fields.
func copyFields(fields [][]string, context, base Value) (Value, error) {
	for _, path := range fields {
		value := context.Get(path...)
		if isSame(value, base.Get(path...)) {
			continue
		}
		changed, err := base.Set(path, value)
		if err != nil {
			return Value{}, err
		}
		base = changed
	}

	return base, nil
}

// Outputs returns an object with the output of each branch by its name.
func (ran branchRuns[R]) Outputs() Value {
	members := make([]Member, len(ran))
	for i, branch := range ran {
		members[i] = Member{Name: branch.Name, Value: branch.Output}
	}

	return Object(members...)
}

// Names returns the list of the names of the branches.
func (ran branchRuns[R]) Names() Value {
	return ran.mapToList(func(branch branchRun[R]) Value { return Text(branch.Name) })
}

// Values returns the list of the outputs.
func (ran branchRuns[R]) Values() Value {
	return ran.mapToList(func(branch branchRun[R]) Value { return branch.Output })
}

func (ran branchRuns[R]) mapToList(of func(branchRun[R]) Value) Value {
	items := make([]Value, len(ran))
	for i, branch := range ran {
		items[i] = of(branch)
	}

	return newList(items)
}

// First returns the output of the first branch; none without branches.
func (ran branchRuns[R]) First() Value { return ran.Values().At(0) }

// Last returns the output of the last branch; none without branches.
func (ran branchRuns[R]) Last() Value { return ran.Values().At(len(ran) - 1) }
