package workflow

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Members of the context that belong to the machine that runs.
const (
	nextState    = "next_state"
	currentState = "current_state"
)

// aliases are older names for the context itself.
var aliases = []string{"scratchpad", "import_artifacts"}

// Bind is called for each new run, and for each copy of one. A run with a declared context has its
// own, which calls [Declare].
func (r *Run) Bind() {}

// Declare declares that the context has a schema: after each change it is decoded into a struct and
// has to be valid. Each rule is for one of its fields.
func Declare[T any](r *Run, into *T, read rt.Reader[T], rules ...Rule) {
	r.rules = rules
	r.applySchema = func(newest, context Value, size int) (Value, int, error) {
		o := Output[T]{Value: newest, Data: *into, size: size}
		err := o.updateWithDefaults(context, read)
		if err == nil {
			*into = o.Data
		}

		return o.Value, o.size, err
	}
}

// Begin sets the initial context of the run, a JSON object; nil is an empty one. The error is a
// *[compiled.ContextError].
func (r *Run) Begin(context json.RawMessage) error {
	err := r.begin(context)
	if err == nil {
		return nil
	}

	err = &compiled.ContextError{Agent: r.workflow, Err: unwrapContextError(err)}
	r.reportError(err)

	return err
}

func (r *Run) begin(context json.RawMessage) error {
	if context == nil {
		return r.Inherit(Object())
	}
	initial, err := Parse(context)
	if err != nil {
		return err
	}

	return r.Inherit(initial)
}

// Inherit gives the run a copy of another context.
func (r *Run) Inherit(context Value) error { return r.overlayContext(Value{}, context) }

// CheckContext returns the check of an initial context: it has to be an object and to pass check,
// the check of its schema, which is nil without one. The errors are *[runtime.ValueError]s.
func CheckContext(check func(json.RawMessage) error) func(context json.RawMessage) error {
	return func(context json.RawMessage) error {
		initial, err := Parse(context)
		if err != nil {
			return err
		}
		lifted, _, err := splitUpdate(initial)
		if err != nil {
			return unwrapContextError(err)
		}
		if check == nil {
			return nil
		}

		return check([]byte(lifted.JSON()))
	}
}

// unwrapContextError returns the problem of a context without the path, which for an initial
// context is always the same.
func unwrapContextError(err error) error {
	if faulty, ok := err.(*errs.Coded); ok && faulty.Err != nil {
		return faulty.Err
	}

	return err
}

// Context returns the value at a path in the context; the whole of it without a path.
func (r *Run) Context(path ...string) Value { return r.context.Get(path...) }

// NextState is the next_state that was put into the context since the state began; none without
// one. Outside of all machines it is the state in which the newest machine ended.
func (r *Run) NextState() Value {
	if r.position.contextNext.IsNone() && r.machine == nil && r.endState != "" {
		return Text(r.endState)
	}

	return r.position.contextNext
}

// CurrentState is the state that runs; outside of all machines the state in which the newest one
// ended, none before one did.
func (r *Run) CurrentState() Value {
	switch {
	case r.position.state != "":
		return Text(r.position.state)
	case r.machine != nil:
		return Text(r.machine.stateName())
	case r.endState != "":
		return Text(r.endState)
	}

	return Value{}
}

// SetContext writes a value to a path in the context; missing objects on the path are created. A
// field with a rule combines it with the value that it has. The error has the code ContextError.
func (r *Run) SetContext(value Value, path ...string) error {
	if len(path) == 0 {
		return r.replaceContext(value, path)
	}
	w, err := r.combineFields(contextWrite{path: path, value: value})
	if err != nil || w.isDropped {
		return err
	}
	err = r.replaceContext(w.value, w.path)
	if err == nil {
		r.writes = w.recorded
	}

	return err
}

// replaceContext sets the value at a path in the context, whatever rules its fields have.
func (r *Run) replaceContext(value Value, path []string) error {
	switch {
	case len(path) == 0:
		return r.Inherit(value)
	case len(path) == 1 && isRoutingName(path[0]):
		routing := Object(Member{Name: path[0], Value: value})
		if err := checkRouting(routing); err != nil {
			return err
		}
		r.applyRouting(routing)
		return nil
	}
	changed, err := r.context.Set(path, value)
	if err != nil {
		return pathError(path, err)
	}

	return r.writeField(path, changed)
}

// MergeContext puts the members of an object over the context: objects are merged, fields with a
// rule combined, and anything else is replaced. The error has the code ContextError.
func (r *Run) MergeContext(update Value) error {
	update, routing, err := splitUpdate(update)
	if err != nil {
		return err
	}
	w, err := r.combineFields(contextWrite{value: update, merges: true})
	if err != nil {
		return err
	}
	err = r.overlaySplit(r.context, w.value, routing)
	if err == nil {
		r.writes = w.recorded
	}

	return err
}

// MergeFields is [Run.MergeContext] for the members of update with one of names.
func (r *Run) MergeFields(update Value, names ...string) error {
	if update.Kind() == kindObject {
		update = update.filterMembers(func(name string, _ Value) bool { return slices.Contains(names, name) })
	}

	return r.MergeContext(update)
}

// overlayContext merges update into a context, and makes the result the context of the run.
func (r *Run) overlayContext(context, update Value) error {
	update, routing, err := splitUpdate(update)
	if err != nil {
		return err
	}

	return r.overlaySplit(context, update, routing)
}

// overlaySplit is overlayContext for the results of [splitUpdate].
func (r *Run) overlaySplit(context, update, routing Value) error {
	err := r.writeField(nil, context.Merge(update))
	if err != nil {
		return err
	}
	r.applyRouting(routing)

	return nil
}

// writeField replaces the context with a changed one if it fits the schema. path is the changed
// path; nil if any value may have changed.
func (r *Run) writeField(path []string, changed Value) error {
	if r.applySchema == nil {
		r.context = changed

		return nil
	}
	valid, size, err := r.applySchema(r.context, changed, r.contextSize)
	if err != nil {
		return pathError(path, err)
	}
	r.context, r.contextSize = valid, size

	return nil
}

// applyRouting stores next_state and current_state for the machine.
func (r *Run) applyRouting(routing Value) {
	if routing.Has(nextState) {
		r.position.contextNext = routing.Get(nextState)
	}
	if state, isText := routing.Get(currentState).AsText(); isText {
		r.position.state = state
	}
}

func isRoutingName(name string) bool { return name == nextState || name == currentState }

// splitUpdate divides an object that is merged into the context into the members of the context and
// those for the machine. Members below an alias of the context become members of the context
// itself.
func splitUpdate(update Value) (context, routing Value, err error) {
	if update.Kind() != kindObject {
		return Value{}, Value{}, pathError(nil, &runtime.ValueError{Problem: "found " + update.describeKind() + ", expected an object"})
	}
	for _, alias := range aliases {
		if !update.Has(alias) {
			continue
		}
		inner := update.Get(alias)
		update = update.Without(alias)
		switch inner.Kind() {
		case kindObject:
			update = update.Merge(inner)
		case kindNone:
		default:
			problem := "found " + inner.describeKind() + ", expected an object"
			return Value{}, Value{}, pathError([]string{alias}, &runtime.ValueError{Path: alias, Problem: problem})
		}
	}
	if !update.Has(nextState) && !update.Has(currentState) {
		return update, Value{}, nil
	}
	routing = update.filterMembers(func(name string, _ Value) bool { return isRoutingName(name) })
	if err := checkRouting(routing); err != nil {
		return Value{}, Value{}, err
	}

	return update.Without(nextState, currentState), routing, nil
}

// checkRouting returns an error for a current_state that cannot be a state. A next_state is checked
// when the machine follows it.
func checkRouting(routing Value) error {
	switch state := routing.Get(currentState); state.Kind() {
	case kindNone, kindText:
		return nil
	default:
		problem := "found " + state.describeKind() + ", expected the name of a state"
		return pathError([]string{currentState}, &runtime.ValueError{Path: currentState, Problem: problem})
	}
}

// fullContext returns the context with the next_state that the machine reads.
func (r *Run) fullContext() Value {
	if r.position.contextNext.IsNone() {
		return r.context
	}

	return r.context.Merge(Object(Member{Name: nextState, Value: r.position.contextNext}))
}

// SetAt is the builtin context_set: it puts value at a path that is only known at run time, and
// returns {path, value, success}. A field with a rule is replaced, too.
func (r *Run) SetAt(path, value Value) (Value, error) {
	if path.text == nextState { // what most machines are driven by
		r.position.contextNext = value

		return contextSetResult(path, value), nil
	}

	return r.changeContext(Value.ContextSet, path, value)
}

// MergeAt is the builtin context_merge: it merges an object into the one at path, and returns
// {path, merged_keys, success}.
func (r *Run) MergeAt(path, value Value) (Value, error) {
	place, _ := parsePath(path.text)
	w, err := r.combineFields(contextWrite{path: place, value: value, merges: true})
	if err != nil {
		return Value{}, err
	}
	var result Value
	if len(w.path) < len(place) { // it is a part of a field with a rule
		_, result, err = r.context.ContextMerge(path, value)
		if err == nil {
			err = r.replaceContext(w.value, w.path)
		}
	} else {
		result, err = r.changeContext(Value.ContextMerge, path, w.value)
	}
	if err != nil {
		return Value{}, err
	}
	r.writes = w.recorded

	return result, nil
}

// GetAt is the builtin context_get: the value at a path that is only known at run time, or
// fallback.
func (r *Run) GetAt(path, fallback Value) (Value, error) {
	switch place, _ := parsePath(path.text); {
	case slices.Equal(place, []string{nextState}):
		return r.NextState().Or(fallback), nil
	case slices.Equal(place, []string{currentState}):
		return r.CurrentState().Or(fallback), nil
	}

	return r.context.ContextGet(path, fallback)
}

func (r *Run) changeContext(builtin func(context, path, value Value) (changed, result Value, err error), path, value Value) (Value, error) {
	changed, result, err := builtin(r.context, path, value)
	if err != nil {
		return Value{}, err
	}
	place, _ := parsePath(path.text)
	if len(place) == 1 && isRoutingName(place[0]) {
		return result, r.replaceContext(value, place)
	}
	if len(place) == 0 {
		return result, r.Inherit(changed)
	}

	return result, r.writeField(place, changed)
}
