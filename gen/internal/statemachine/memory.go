package statemachine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// memory is what a loop has besides its turns: variables, and an output of its own. The loop is
// then one of several steps that [ir.Loop.Wraps] around it: the variables are assigned before it
// and at the end of its body, and the output is computed behind it.
type memory struct {
	*step
	// around is the frame of these steps; nil for a loop that is all of its step.
	around *frame
	// state is the variables; nil without variables.
	state *ir.Output
	// init declares the variables, and updates changes them after each turn; nil without them.
	init, updates *yamldoc.Node
	// isTyped is set if the file has a schema of the variables.
	isTyped bool
	// first and next are the tasks that assign the variables; next is nil if no turn changes them.
	// end is the spot behind the steps of a turn.
	first, next *ir.Task
	end         spot
}

// memoryFields are the fields of a loop that need steps around it.
var memoryFields = []string{"init", "state", "output", "output_template"}

// lowerMemory lowers the variables of a loop. The body is lowered after it.
func (s *step) lowerMemory(do *ir.Loop, loop *yamldoc.Node) *memory {
	m := &memory{step: s, init: loop.Value("init"), updates: loop.Value("state")}
	if !slices.ContainsFunc(memoryFields, func(name string) bool { return loop.Field(name) != nil }) {
		return m
	}
	name := nestedName(s.at.frame.pipeline, s.task.Name.Value, "loop")
	m.around = s.childFrame(ofOnce, s.data)
	steps := s.lowerPipeline(firstSteps(loop), m.around, name, "loop "+s.task.Name.Value)
	steps.Span = s.task.Span
	s.task.Do = &ir.Loop{Max: 1, OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast, Wraps: true, Body: steps}
	m.declareState()
	if m.state != nil {
		m.first = m.newAssignment(m.init)
		steps.Tasks = append(steps.Tasks, m.first)
		s.later = append(s.later, m.lowerFirst, m.lowerUpdates, m.reportNames) // before the steps that read them
	}
	do.State = m.state
	input := &ir.Access{Root: ir.RootInput, Type: withoutOwner(s.data), Written: previousStepName}
	steps.Tasks = append(steps.Tasks, &ir.Task{
		Name: s.task.Name, Span: s.task.Span, Do: do, Part: ir.PartLoop,
		Input: &ir.Datum{Kind: ir.DatumValue, Value: input}, Output: &ir.Output{Name: s.task.Name},
	})

	return m
}

// firstSteps returns the steps that run before the first turn of a loop; nil without them.
func firstSteps(loop *yamldoc.Node) *yamldoc.Node {
	init := loop.Value("init")
	if init == nil || init.Kind != yamldoc.Seq {
		return nil
	}

	return init
}

// bodyFrame returns the frame of the body of the loop.
func (m *memory) bodyFrame(kind frameKind) *frame {
	if m.around == nil {
		return m.childFrame(kind, unknown)
	}

	return m.loopSpot().childFrame(kind, unknown)
}

// loopSpot returns the spot of the loop in the steps around it.
func (m *memory) loopSpot() spot {
	is := func(t *ir.Task) bool { return t.Part == ir.PartLoop }

	return spot{frame: m.around, index: slices.IndexFunc(m.around.pipeline.Tasks, is)}
}

// declareState declares the variables, with the types of their schema or of their first values.
func (m *memory) declareState() {
	declared := m.updates.Value("schema")
	if m.init == nil && m.updates == nil {
		return
	}
	schema := &ir.Schema{Kind: ir.SchemaObject}
	if lowered := m.lowerSchema(declared); lowered != nil {
		if lowered.Kind != ir.SchemaObject || lowered.Nullable {
			m.report(diag.New(diag.WrongType, declared.Span, "the schema of the variables of a loop must be of type object"))
			return
		}
		copied := *lowered
		schema, m.isTyped = &copied, true
	}
	for _, f := range m.init.Members() {
		property := schema.Property(f.Key.Text)
		switch {
		case property == nil && m.isTyped && schema.Additional == nil:
			m.report(diag.New(diag.UndefinedVariable, f.Key.Span, "the schema of the variables has no %q", f.Key.Text).
				Suggest(f.Key.Text, schema.PropertyNames()))
		case property == nil:
			property = &ir.Property{Name: frontend.Key(f), Required: true, Schema: firstSchema(f.Value)}
			schema.Properties = append(schema.Properties, property)
		}
	}
	for _, p := range schema.Properties {
		if p.Required && m.init.Field(p.Name.Value) == nil {
			m.report(diag.New(diag.MissingField, p.Name.Span, "variable %q has no first value", p.Name.Value).
				WithHint("write it into init of the loop, or leave it out of required"))
		}
	}
	of := m.workflowName() + "/" + m.task.Name.Value
	name := ir.Text{Value: ir.StateOf + m.task.Name.Value, Span: cmp.Or(declared, m.init, m.updates).Span}
	m.state = &ir.Output{Name: name, Type: ir.Type{Schema: schema, Owner: ir.OwnerLoop, OwnerName: of}}
	m.workflow.Outputs = append(m.workflow.Outputs, m.state)
}

// firstSchema returns the schema of a variable with a first value. It is not shared, as more may
// become known of it.
func firstSchema(value *yamldoc.Node) *ir.Schema {
	known := typeOfNested(value).Schema
	if known == nil {
		return &ir.Schema{Kind: ir.SchemaAny}
	}
	schema := *known
	if schema.Kind == ir.SchemaObject && len(schema.Properties) == 0 {
		schema.Additional = &ir.Schema{Kind: ir.SchemaAny}
	}

	return &schema
}

// newAssignment returns a task that assigns the variables.
func (m *memory) newAssignment(at *yamldoc.Node) *ir.Task {
	t := &ir.Task{Name: m.state.Name, Do: &ir.PassOn{}, Output: m.state, Type: m.state.Type, Part: ir.PartState}
	if at != nil {
		t.Name.Span, t.Span = at.Span, at.Span
	}
	t.Input = &ir.Datum{Span: t.Name.Span, Kind: ir.DatumFields}

	return t
}

// lowerFirst lowers the first values of the variables.
func (m *memory) lowerFirst() {
	scope := m.builder.scopeAt(spot{frame: m.around})
	if m.init == nil || m.init.Kind != yamldoc.Map {
		return
	}
	m.first.Input.Fields = m.lowerFields(m.init, scope)
	for _, f := range m.first.Input.Fields {
		p := m.state.Type.Schema.Property(f.Name.Value)
		if p != nil && !m.isTyped {
			refineSchema(p.Schema, typeOfDatum(f.Value).Schema)
		}
	}
}

// reportNames reports names of the variables that Go cannot have.
func (m *memory) reportNames() { m.report(schemadoc.CheckNames(m.state.Type.Schema)...) }

// refineSchema copies into a schema what another one knows more of the types: the limits of a first
// value are not those of the values that follow.
func refineSchema(schema, known *ir.Schema) {
	switch {
	case known == nil:
	case schema.Kind == ir.SchemaAny:
		*schema = *withoutLimits(known)
	case schema.Kind == ir.SchemaArray && schema.Items == nil && known.Kind == ir.SchemaArray:
		schema.Items = withoutLimits(known.Items)
	}
}

// withoutLimits returns a schema of all values of the same types.
func withoutLimits(s *ir.Schema) *ir.Schema {
	if s == nil || s.Target != nil || s.Tag != "" {
		return s
	}
	types := &ir.Schema{
		Kind: s.Kind, Span: s.Span, Nullable: s.Nullable, Title: s.Title, Description: s.Description,
		Items: withoutLimits(s.Items), Additional: withoutLimits(s.Additional),
	}
	for _, p := range s.Properties {
		types.Properties = append(types.Properties, &ir.Property{Name: p.Name, Required: p.Required, Schema: withoutLimits(p.Schema)})
	}

	return types
}

// typeOfDatum returns the type of data whose templates are parsed.
func typeOfDatum(d *ir.Datum) ir.Type {
	switch d.Kind {
	case ir.DatumText:
		return textType
	case ir.DatumValue:
		return typeOfResult(d.Value)
	case ir.DatumList:
		if len(d.List) > 0 {
			return listTypeOf(commonType(ir.Map(d.List, typeOfDatum)...))
		}
		return listType
	case ir.DatumJSON:
		return typeOfLiteral(d.JSON)
	case ir.DatumFields:
		return objectType(ir.Map(d.Fields, func(f ir.DatumField) *ir.Property {
			return newProperty(f.Name, typeOfDatum(f.Value))
		})...)
	}

	return unknown
}

// typeOfResult returns the type of the value of an expression as data: it takes null if the value may
// be missing, and is unknown if the value may be another one than those of the type.
func typeOfResult(x ir.Expression) ir.Type {
	is, kinds := withoutOwner(x.ValueType()), builtin.KindsOfResult(x)
	isOther := kinds.There()&^builtin.KindsOf(is.Schema) != 0
	switch {
	case is.Schema == nil:
		return is
	case isOther, hasOtherDefault(x):
		return unknown
	case kinds&builtin.None != 0:
		return orNone(is)
	}

	return is
}

// hasOtherDefault reports whether the default of a name is not one of the values of its schema.
func hasOtherDefault(x ir.Expression) bool {
	if placeholder, isPlaceholder := x.(*ir.Placeholder); isPlaceholder && len(placeholder.Values) == 1 && len(placeholder.Filters) == 0 {
		x = placeholder.Values[0]
	}
	access, isAccess := x.(*ir.Access)
	if !isAccess || access.Default == nil {
		return false
	}
	literal, isLiteral := access.Default.(*ir.Literal)
	if !isLiteral {
		return true
	}

	return literal.Value != nil && !sample.Fits(access.Type.Schema, builtin.LiteralJSON(literal))
}

// addUpdate adds the update of the variables to the end of the body.
func (m *memory) addUpdate(body *frame, end spot) {
	if m.state == nil || m.updates == nil {
		return
	}
	m.next = m.newAssignment(m.updates)
	steps := body.pipeline
	turn := &ir.Task{Do: &ir.PassOn{}, Part: ir.PartTurn}
	given := &ir.Access{Root: ir.RootInput, Type: unknown, Written: previousStepName}
	if end.index == 0 {
		turn.Output = &ir.Output{Name: turn.Name}
	} else {
		last := steps.Tasks[end.index-1]
		turn.Name, turn.Output, turn.Type = last.Name, last.Output, outputType(last)
		given = &ir.Access{
			Root: ir.RootStep, Output: last.Output, Type: last.Output.Type, MayBeNone: mayLackOutput(last),
			Written: stepsName + last.Name.Value,
		}
		m.later = append(m.later, func() { given.Type = last.Output.Type })
	}
	turn.Input = &ir.Datum{Kind: ir.DatumValue, Value: given}
	steps.Tasks = append(steps.Tasks, m.next, turn)
	m.end = end
}

// The names with which messages call what the steps around a loop read.
const (
	previousStepName = "previous_step"
	stepsName        = "steps."
)

// The ways to change a variable after a turn.
const (
	updateSet    = "set"
	updateAppend = "append"
	updateMerge  = "merge"
)

// lowerUpdates lowers the new values of the variables. All of them read the values of the turn.
func (m *memory) lowerUpdates() {
	if m.next == nil {
		return
	}
	scope := m.builder.scopeAt(m.end)
	changed := map[string]*ir.Datum{}
	by := map[string]string{}
	for _, how := range []string{updateSet, updateAppend, updateMerge} {
		m.reportTargets(how)
		for _, f := range m.updates.Value(how).Members() {
			property := m.variable(f)
			if property == nil {
				continue
			}
			value := m.lowerNestedDatum(f.Value, scope)
			if first := by[f.Key.Text]; first != "" {
				m.report(diag.New(diag.DuplicateKey, f.Key.Span, "variable %q is in %s and in %s", f.Key.Text, first, how).
					WithHint("a turn changes a variable once: write all of its new value in one of them"))
				continue
			}
			by[f.Key.Text] = how
			if value != nil {
				changed[f.Key.Text] = m.newValue(how, f, property, value)
			}
		}
	}
	for _, p := range m.state.Type.Schema.Properties {
		value := changed[p.Name.Value]
		isAbsent := value == nil && m.init.Field(p.Name.Value) == nil // in each turn: it has its default, or none
		if isAbsent {
			continue
		}
		if value == nil {
			value = m.valueOf(p)
		}
		m.next.Input.Fields = append(m.next.Input.Fields, ir.DatumField{Name: p.Name, Value: value})
	}
}

// reportTargets reports changes in their older form, a list of targets: only variables of the loop
// are changed.
func (m *memory) reportTargets(how string) {
	n := m.updates.Value(how)
	if n == nil || n.Kind != yamldoc.Seq {
		return
	}
	if len(n.Items) == 0 {
		m.report(diag.New(diag.WrongType, n.Span, "%s must be a mapping of variables, found a list", how))
	}
	for _, entry := range n.Items {
		target := frontend.Text(entry.Value("target"))
		d := diag.New(diag.WrongType, entry.Span, "%s is by variable, not a list of targets", how)
		if target.Value == "" {
			m.report(d.WithHint("write %s: {NAME: …}", how))
			continue
		}
		names := strings.Split(target.Value, ".")
		name, value := names[len(names)-1], "…"
		if v := entry.Value("value"); v != nil {
			value = v.CompactJSON()
		}
		m.report(d.WithHint("write init: {%s: %s}, and %s: {%s: %s}; then read it as loop.state.%s",
			name, firstOf[how], how, name, value, name))
	}
}

// firstOf are first values of a variable that is changed in each way.
var firstOf = map[string]string{updateSet: "…", updateAppend: "[]", updateMerge: "{}"}

// variable returns the variable that a field changes; nil for one that is not declared, which it
// reports.
func (m *memory) variable(f *yamldoc.Field) *ir.Property {
	schema := m.state.Type.Schema
	property := schema.Property(f.Key.Text)
	if property != nil {
		return property
	}
	d := diag.New(diag.UndefinedVariable, f.Key.Span, "loop %q has no variable %q", m.task.Name.Value, f.Key.Text).
		Suggest(f.Key.Text, schema.PropertyNames())
	if len(d.Fixes) == 0 {
		d.WithHint("give it a first value: init: {%s: …}", f.Key.Text)
	}
	m.report(d)

	return nil
}

// newValue returns the new value of a variable after a turn.
func (m *memory) newValue(how string, f *yamldoc.Field, p *ir.Property, value *ir.Datum) *ir.Datum {
	kinds := builtin.KindsOf(p.Schema)
	switch {
	case how == updateSet:
		return value
	case how == updateAppend && kinds&builtin.List == 0:
		m.report(diag.New(diag.GuardType, f.Key.Span, "variable %q is %s, but append adds an item to a list", f.Key.Text, kinds.There()).
			Note(p.Name.Span, "it is declared here").
			WithHint("let it begin as a list: init: {%s: []}, or write set", f.Key.Text))
		return nil
	case how == updateMerge && kinds&builtin.Object == 0:
		m.report(diag.New(diag.GuardType, f.Key.Span, "variable %q is %s, but merge puts fields into an object", f.Key.Text, kinds.There()).
			Note(p.Name.Span, "it is declared here").
			WithHint("let it begin as an object: init: {%s: {}}, or write set", f.Key.Text))
		return nil
	case how == updateAppend:
		if !m.isTyped {
			refineSchema(p.Schema, listTypeOf(typeOfDatum(value)).Schema)
		}
		return &ir.Datum{Span: value.Span, Kind: ir.DatumAppend, List: []*ir.Datum{m.valueOf(p), value}}
	}

	return &ir.Datum{Span: value.Span, Kind: ir.DatumMerge, List: []*ir.Datum{m.valueOf(p), value}}
}

// valueOf returns the value of a variable in the turn.
func (m *memory) valueOf(p *ir.Property) *ir.Datum {
	return &ir.Datum{Kind: ir.DatumValue, Value: &ir.Access{
		Written: loopName + "." + stateField + "." + p.Name.Value, Root: ir.RootStep, Output: m.state,
		Path: []ir.Field{{Name: p.Name, Property: p}}, Type: ir.Type{Schema: p.Schema}, MayBeNone: !p.Required,
	}}
}

// lowerOutput lowers the output of the loop in place of that of its last turn. turns are the names
// below `loop` in the body.
func (m *memory) lowerOutput(loop *yamldoc.Node, turns []expr.Name) {
	value, template := loop.Field("output"), loop.Field("output_template")
	if value != nil && template != nil {
		m.report(diag.New(diag.UnusedField, template.Key.Span, "field %q is not used beside output", template.Key.Text))
	}
	if value == nil && template == nil {
		if m.around != nil {
			m.loopTask().Type = m.task.Type
		}
		return
	}
	t := &ir.Task{
		Name: ir.Text{Value: "output of " + m.task.Name.Value, Span: m.task.Name.Span}, Do: &ir.PassOn{}, Part: ir.PartOutput,
	}
	t.Output = &ir.Output{Name: t.Name}
	t.Span = cmp.Or(value, template).Value.Span
	before := m.loopTask()
	before.Type, before.Output.Type = m.task.Type, m.task.Type
	at := endOf(m.around)
	m.around.pipeline.Tasks = append(m.around.pipeline.Tasks, t)
	lower, written := m.lowerNestedDatum, value
	if value == nil {
		lower, written = m.lowerDatum, template
		t.Type = textType
	} else {
		t.Type = typeOfNested(value.Value)
	}
	t.Output.Type, m.task.Type = t.Type, t.Type
	m.later = append(m.later, func() {
		scope := m.builder.scopeAt(at)
		setLoopName(scope, turns)
		t.Input = lower(written.Value, scope)
	})
}

// loopTask returns the loop in the steps around it.
func (m *memory) loopTask() *ir.Task { return m.around.pipeline.Tasks[m.loopSpot().index] }

// stateField is the name below `loop` of the variables.
const stateField = "state"

// stateName returns the name of the variables below `loop`.
func stateName(state *ir.Output) expr.Name {
	return expr.Name{Name: stateField, Value: &ir.Access{Root: ir.RootStep, Output: state, Type: state.Type}}
}

// turnNames returns the names below `loop` in the body of a loop or a map. Without variables of its
// own, a loop has those of the loop around it.
func (s *step) turnNames(bound int, state *ir.Output) []expr.Name {
	names := turnNames(bound)
	if state != nil {
		return append(names, stateName(state))
	}
	for _, outer := range s.at.frame.turns {
		if outer.Name == stateField {
			return append(names, outer)
		}
	}

	return append(names, expr.Name{Name: stateField, Absent: "no loop around has variables: init gives them their first values"})
}
