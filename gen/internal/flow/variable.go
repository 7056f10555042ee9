package flow

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"
	"sort"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// maxValues bounds the values of a variable.
const maxValues = 64

// maxSamples bounds the values that conditions distinguish of a variable: None, a name that is not
// written, and a few values that steps write are others. Names with more are not followed.
const maxSamples = maxValues - 8

// variable is a name of the context, or an output of a step, that conditions of a workflow read, or
// from which steps compute what they read.
type variable struct {
	access *ir.Access
	// sample are the values that conditions distinguish; nil for a name that they do not compare
	// with constants.
	sample *expr.Sample
	// values are the values that conditions distinguish, None first, and those that steps write.
	values []workflow.Value
	// exact are the values that represent only themselves. Any other value represents all values
	// that conditions do not distinguish from it.
	exact set
	// unwritten is the set of the value None of a name that nothing has written yet.
	unwritten set
	// anything, unless it is empty, is the set of one value that represents all.
	anything set
	// restricted are the sets of the values of schemas, as far as they are known.
	restricted map[*ir.Schema]set
}

// newVariable returns a variable, and the set of its possible values.
func newVariable(access *ir.Access, sample *expr.Sample) (v *variable, initial set) {
	v = &variable{
		access: access, sample: sample, values: []workflow.Value{{}}, exact: none, restricted: map[*ir.Schema]set{},
	}
	switch constants := expr.Constants(access.Type.Schema); {
	case sample != nil && sample.IsExact:
		return v, v.addValues(sample.Values...)
	case sample != nil:
		if !sample.IsAlone(workflow.Value{}) {
			v.exact = 0
		}
		return v, v.addRepresentatives(sample.Values)
	case constants != nil && len(constants) <= maxSamples:
		return v, none | v.addValues(constants...)
	}

	v.anything = v.addRepresentatives([]workflow.Value{workflow.Text("?")})

	return v, v.anything
}

// addRepresentatives adds values that represent others, and returns their set.
func (v *variable) addRepresentatives(samples []workflow.Value) set {
	found := set(0)
	for _, value := range samples {
		if value.IsNone() {
			found |= none
			continue
		}
		found |= 1 << len(v.values)
		v.values = append(v.values, value)
	}

	return found
}

// set is a set of values of a variable.
type set uint64

func (v *variable) all() set {
	if v.anything != 0 {
		return v.anything
	}

	return (set(1)<<len(v.values) - 1) &^ v.unwritten
}

// addUnwritten adds the value None of a name that nothing has written yet.
func (v *variable) addUnwritten() {
	v.unwritten = 1 << len(v.values)
	v.values = append(v.values, workflow.Value{})
	v.exact |= v.unwritten
}

// none is the set of the value None alone.
const none set = 1

// addValues returns the set of some values. It adds missing ones, which earlier sets of all values
// represent.
func (v *variable) addValues(given ...workflow.Value) set {
	found := set(0)
	for _, value := range given {
		i := v.indexOf(value)
		if i < 0 {
			i = len(v.values)
			if i == maxValues {
				return v.all()
			}
			v.values = append(v.values, value)
			v.exact |= 1 << i
		}
		found |= 1 << i
	}

	return found
}

// indexOf returns the index of an exact value; -1 if it is missing.
func (v *variable) indexOf(value workflow.Value) int {
	json := value.JSON()
	for i, known := range v.values {
		if v.exact&(1<<i) != 0 && known.JSON() == json {
			return i
		}
	}

	return -1
}

// possibleTexts returns the set of the texts that data of the source can be, if the values in it
// are not known.
func (v *variable) possibleTexts(d *ir.Datum) set {
	if v.sample == nil || v.sample.Alike == nil {
		return v.all()
	}
	found := v.all()
	for n, value := range v.sample.Values {
		canBe := slices.ContainsFunc(v.sample.Alike[n], func(alike workflow.Value) bool {
			text, isText := alike.AsText()
			return isText && expr.CanRender(d, text)
		})
		if !canBe {
			found &^= v.representative(value)
		}
	}

	return found
}

// representative returns the set of a value that represents others, or of None.
func (v *variable) representative(value workflow.Value) set {
	if value.IsNone() {
		return none
	}
	json := value.JSON()
	for i, known := range v.values {
		if v.exact&(1<<i) == 0 && known.JSON() == json {
			return 1 << i
		}
	}

	return 0
}

// values are the sets of values of all variables at one time. For each live variable, they have its
// number in four bytes and its set in eight, in order. The set of any other variable is empty.
type values string

// valueSize is the number of bytes of a variable in values.
const valueSize = 4 + 8

// find returns the position of a variable, or where it would be.
func (e values) find(i int) (at int, isThere bool) {
	n, isThere := sort.Find(len(e)/valueSize, func(n int) int { return cmp.Compare(i, e.number(n)) })

	return n * valueSize, isThere
}

// number returns the variable at an index.
func (e values) number(n int) int {
	return int(binary.BigEndian.Uint32([]byte(e[n*valueSize : n*valueSize+4])))
}

func (e values) at(i int) set {
	at, isThere := e.find(i)
	if !isThere {
		return 0
	}

	return set(binary.BigEndian.Uint64([]byte(e[at+4 : at+valueSize])))
}

func (e values) with(i int, s set) values {
	at, isThere := e.find(i)
	behind := at
	if isThere {
		behind += valueSize
	}
	changed := append(make([]byte, 0, len(e)+valueSize), e[:at]...)
	if s != 0 {
		changed = binary.BigEndian.AppendUint32(changed, uint32(i))
		changed = binary.BigEndian.AppendUint64(changed, uint64(s))
	}

	return values(append(changed, e[behind:]...))
}

// restrict returns the values of some variables alone.
func (e values) restrict(live *big.Int) values {
	var kept []byte
	for n := range len(e) / valueSize {
		if live.Bit(e.number(n)) == 1 {
			kept = append(kept, e[n*valueSize:(n+1)*valueSize]...)
		}
	}

	return values(kept)
}

// findVariables finds the variables of a workflow, without some of those with the most values, and
// the conditions of its branches.
func (x *paths) findVariables(w *ir.Flow, without int) {
	var conditions []ir.Expression
	x.given, x.context, x.rules = taskInputs(w.Body), w.Context, w.Context.FieldRules()
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		switch do := t.Do.(type) {
		case *ir.Machine:
			conditions = append(conditions, ir.Map(do.Rows(), func(row *ir.Row) ir.Expression { return interp.GuardCondition(row.When) })...)
		case *ir.Loop:
			if do.Exit != nil && do.Exit.Root != nil {
				conditions = append(conditions, do.Exit.Root)
			}
			if do.ItemsPath() != nil { // whether there is a list, and whether it has items
				isMissing := &ir.Compare{Op: ir.OpEqual, X: do.Over, Y: &ir.Literal{}}
				conditions = append(conditions, isMissing, do.Over)
			}
		case *ir.Branch:
			x.keys[do] = x.findKey(t, do)
			x.arms[do] = armConditions(do, x.keys[do])
			if x.arms[do] != nil {
				x.missed[do] = map[string]bool{}
			}
			conditions = append(conditions, x.arms[do]...)
		}
	})
	x.beginnings = findBeginnings(w.Body)
	samples := ir.Where(expr.Samples(conditions, sourceFinder(x, w.Body)), func(s *expr.Sample) bool { return len(s.Values) <= maxSamples })
	slices.SortStableFunc(samples, func(a, b *expr.Sample) int { return cmp.Compare(len(b.Values), len(a.Values)) })
	for _, sample := range samples[min(max(0, without), len(samples)):] {
		x.addVariable(sample.Access, sample)
	}
	ir.WalkTasks(w.Body, x.findList)
	if without == withLeft {
		x.addNamesLeft(w)
	}
	if without <= withInputs {
		for _, condition := range conditions { // names that conditions also use otherwise
			ir.WalkAccesses(condition, x.addRead)
		}
		x.addInherited(w)
		x.addInputVariables(w.Body)
	}
	ir.WalkTasks(w.Body, x.findCollector)
	ir.WalkTasks(w.Body, x.recordReads)
	x.findLiving(w)
}

// findList records the variable of a loop's list, if the loop does not write it.
func (x *paths) findList(t *ir.Task) {
	loop, isLoop := t.Do.(*ir.Loop)
	if !isLoop || loop.ItemsPath() == nil {
		return
	}
	list, isKnown := x.byName[expr.NameOf(loop.Over)]
	if isKnown && x.variables[list].sample != nil && !slices.Contains(x.writtenIn(t), list) {
		x.lists[loop] = list
	}
}

// addVariable adds the variable of a name.
func (x *paths) addVariable(access *ir.Access, sample *expr.Sample) {
	v, initial := newVariable(access, sample)
	isOutput, isItem := access.Root == ir.RootStep, access.Root == ir.RootThis
	switch {
	case isItem:
	case isOutput, x.isEmpty && !x.hasDefault(access):
		v.addUnwritten()
		initial = v.unwritten
	case initial&none != 0:
		v.addUnwritten()
		initial = initial&^(none&v.exact) | v.unwritten // None may represent others
	}
	x.byName[expr.NameOf(access)] = len(x.variables)
	switch n := len(x.variables); {
	case isOutput:
		x.byOutput[access.Output] = append(x.byOutput[access.Output], n)
	case isItem:
		x.ofItem = append(x.ofItem, n)
	default:
		x.contextVariables = append(x.contextVariables, n)
	}
	x.variables = append(x.variables, v)
	x.initial = append(x.initial, initial)
}

// hasDefault reports whether a field of the context is there at the beginning, because its schema
// has a default.
func (x *paths) hasDefault(access *ir.Access) bool {
	property := x.context.Resolved().Property(access.Path[0].Name.Value)

	return property != nil && property.Schema != nil && property.Schema.Default != ""
}

// findKey returns the key of a conditional, or its input without a key.
func (x *paths) findKey(t *ir.Task, do *ir.Branch) ir.Expression {
	given := x.given[t]
	switch {
	case do.Key != nil:
		return do.Key.Root
	case do.Func == nil && given != nil && given.Kind == ir.DatumValue:
		return given.Value
	}

	return nil
}

// armConditions returns the condition that the key of a conditional is missing, and one for each of
// its branches; nil without such conditions.
func armConditions(do *ir.Branch, key ir.Expression) []ir.Expression {
	if isTruth(key) {
		return truthConditions(do, key)
	}
	switch key.(type) {
	case *ir.Method, *ir.Access:
	default:
		return nil
	}
	conditions := []ir.Expression{&ir.Compare{Op: ir.OpEqual, X: key, Y: &ir.Literal{}}}
	for _, arm := range do.Branches {
		if interp.IsNoneText(arm.Name.Value) {
			return nil
		}
		conditions = append(conditions, interp.BranchCondition(key, arm.Name.Value))
	}

	return conditions
}

// isTruth reports whether a key of branches is true, false or unknown.
func isTruth(key ir.Expression) bool {
	switch key := key.(type) {
	case *ir.Compare, *ir.Contains, *ir.Logic, *ir.Not:
		return true
	case *ir.Method:
		return key.Arg != nil
	case *ir.FuncCall:
		return key.Name != ir.FuncLen
	}

	return false
}

// truthConditions returns the conditions of the branches of a conditional whose key is true or
// false. It is never missing. If it is unknown, no condition holds.
func truthConditions(do *ir.Branch, key ir.Expression) []ir.Expression {
	never := &ir.Literal{Value: false}
	is := map[string]ir.Expression{"true": key, "false": &ir.Not{X: key}}
	conditions := []ir.Expression{never}
	for _, arm := range do.Branches {
		condition := is[arm.Name.Value]
		if condition == nil {
			condition = never
		}
		conditions = append(conditions, condition)
	}

	return conditions
}

// valuesAfter returns the values of variables after a task has ended well: its writes to the
// context, and its output. by is the task or the fallback with the output; nil for any of them.
// What an import copies back is written before.
func (x *paths) valuesAfter(t, by *ir.Task, e values) values {
	before := e
	output := x.outputSchema(by, before)
	for _, i := range x.byOutput[t.Output] {
		if !x.hasArmOutputs(t) && !x.collects(t, i) {
			e = e.with(i, x.outputValues(x.variables[i], by, output)|x.lackedOutput(t, x.variables[i]))
		}
	}
	isFallback := by != nil && by != t
	for _, w := range t.ContextWrites() {
		switch {
		case w.IsOutput:
			w.Schema = output
		case isFallback || isImport(t): // only the operation of t does that
			continue
		case x.writtenData(t, w) != nil:
			w.Schema = cmp.Or(x.datumSchema(x.writtenData(t, w), before), w.Schema)
		}
		e = x.writeVariables(e, w)
	}

	return x.copyValues(t, before, e)
}

// copyBack returns the values of variables after an import has copied fields of the context back.
func (x *paths) copyBack(t *ir.Task, do *ir.Import, e values) values {
	before := e
	for _, w := range t.ContextWrites() {
		if w.IsOutput {
			continue
		}
		if w.Path != nil {
			w.Schema = x.p.copiedBack(do, w.Path)
		}
		e = x.writeVariables(e, w)
	}
	if do.OnFailure == ir.FailureAbort {
		return e
	}
	for _, i := range x.contextVariables { // a failure that counts as an output copies nothing
		e = e.with(i, e.at(i)|before.at(i))
	}

	return e
}

// isImport reports whether a task runs an imported workflow.
func isImport(t *ir.Task) bool {
	_, is := t.Do.(*ir.Import)

	return is
}

// writeVariables returns the values of variables after a write to the context.
func (x *paths) writeVariables(e values, w ir.ContextWrite) values {
	for _, i := range x.contextVariables {
		switch {
		case w.Path != nil && w.Path.IsRouting():
			return e
		case w.Path == nil:
			e = e.with(i, x.variables[i].all())
		default:
			e = x.writeCombined(e, i, w)
		}
	}

	return e
}

// isSkippable reports whether a task may end well without its writes: an import whose failure
// counts as an output.
func isSkippable(t *ir.Task) bool {
	do, isImport := t.Do.(*ir.Import)

	return isImport && do.OnFailure != ir.FailureAbort
}

// lackedOutput returns the values that a name has after an import whose failure counts as an output: a
// step that is skipped has no output, and the default is an object without fields.
func (x *paths) lackedOutput(t *ir.Task, v *variable) set {
	do, isImport := t.Do.(*ir.Import)
	isLacked := isImport && (do.OnFailure == ir.FailureSkip || do.OnFailure == ir.FailureDefault && len(v.access.Path) > 0)
	if !isLacked || x.p.neverFails[importedFlow(do)] {
		return 0
	}

	return v.unwritten
}

// unifyOutputs splits the values of an output that several variables share, so that they are equal
// in all of them.
func (x *paths) unifyOutputs(t *ir.Task, e values) []values {
	given := map[string][]int{}
	var shared []string
	for _, i := range x.writableVariables(t) {
		if path, isGiven := outputField(t, x.variables[i]); isGiven && !x.isCombined(x.variables[i]) {
			given[path] = append(given[path], i)
			if len(given[path]) == 2 {
				shared = append(shared, path)
			}
		}
	}
	all := []values{e}
	for _, path := range shared {
		var next []values
		for _, e := range all {
			for _, e := range x.split(e, given[path][:1]) {
				if first := given[path][0]; x.isExact(e, first) {
					value := x.onlyValue(e, first)
					for _, i := range given[path][1:] {
						e = e.with(i, x.variables[i].addValues(value))
					}
				}
				next = append(next, e)
			}
		}
		all = next
	}

	return all
}

// outputField returns the field of a task's output whose value a variable has after it.
func outputField(t *ir.Task, v *variable) (field string, isGiven bool) {
	if len(v.access.Path) != 1 {
		return "", false
	}
	field = v.access.Path[0].Name.Value
	if v.access.Root == ir.RootStep {
		return field, v.access.Output == t.Output
	}
	property, _ := propertyOf(t.MergedSchema(), field)

	return field, t.MergesOutput() && property != nil && property.Required && !t.Type.Schema.Nullable
}

// writeField writes a value to a path in the context, or merges it: into the variable, around it,
// or inside of it.
func (x *paths) writeField(e values, i int, w ir.ContextWrite) values {
	v := x.variables[i]
	rest := v.access.Path
	for _, name := range w.Path.Path {
		if len(rest) == 0 {
			return e.with(i, v.all())
		}
		if rest[0].Name.Value != name.Value {
			return e
		}
		rest = rest[1:]
	}
	switch {
	case !w.Merge:
		return e.with(i, v.valuesAt(w.Schema, rest))
	case len(rest) == 0:
		return e.with(i, v.all())
	}
	if w.Schema != nil && len(w.Schema.Enum) == 1 {
		return x.writeMember(e, i, expr.Constants(w.Schema)[0].Get(rest[0].Name.Value), rest[1:])
	}
	property, open := propertyOf(w.Schema, rest[0].Name.Value)
	switch {
	case property == nil && open:
		return e.with(i, v.all())
	case property == nil:
		return e
	case property.Required && len(rest) == 1 && !w.Schema.Nullable:
		return e.with(i, v.valuesAt(property.Schema, nil))
	}

	return e.with(i, e.at(i)|v.valuesAt(property.Schema, rest[1:]))
}

// writeMember writes a member of a known object, with the value at a path inside of it.
func (x *paths) writeMember(e values, i int, member workflow.Value, rest []ir.Field) values {
	found := x.variables[i].valuesAt(exactSchema(member), rest)
	switch {
	case member.IsNone():
		return e
	case len(rest) == 0:
		return e.with(i, found)
	}

	return e.with(i, e.at(i)|found)
}

// propertyOf returns a property of a schema; open reports whether there may be others.
func propertyOf(s *ir.Schema, name string) (property *ir.Property, open bool) {
	if s == nil || s.Kind != ir.SchemaObject {
		return nil, true
	}
	property = s.Property(name)

	return property, property == nil && (s.Additional != nil || len(s.Properties) == 0)
}

// valuesAt returns the values at a path inside of a schema.
func (v *variable) valuesAt(schema *ir.Schema, path []ir.Field) set {
	found := set(0)
	for _, field := range path {
		if schema != nil && len(schema.Enum) > 0 {
			schema = memberSchema(schema, field.Name.Value)
			continue
		}
		property, open := propertyOf(schema, field.Name.Value)
		switch {
		case property == nil && open:
			return v.all()
		case property == nil:
			return none
		case !property.Required || schema.Nullable:
			found |= none
		}
		schema = property.Schema
	}
	if constants := expr.Constants(schema); constants != nil {
		return found | v.addValues(constants...)
	}

	return found | v.restrictTo(schema)
}

// restrictTo returns the values of a schema without a list of values.
func (v *variable) restrictTo(schema *ir.Schema) set {
	if schema == nil || v.sample == nil {
		return v.all()
	}
	found, isKnown := v.restricted[schema]
	if isKnown {
		return found
	}
	for _, value := range v.sample.RestrictTo(schema) {
		if v.sample.IsExact {
			found |= v.addValues(value)
		} else {
			found |= v.representative(value)
		}
	}
	if found == 0 { // no value fits
		return v.all()
	}
	v.restricted[schema] = found

	return found
}

// onlyValue returns the value of a variable with a single one.
func (x *paths) onlyValue(e values, i int) workflow.Value {
	return x.variables[i].values[bits.TrailingZeros64(uint64(e.at(i)))]
}
