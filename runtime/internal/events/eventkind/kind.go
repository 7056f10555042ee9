// Package eventkind describes the kinds of events of a run, one row each. What reads events reads the row: their JSON,
// the lines and the panel on a terminal, the trace, the page of a run, telemetry, servers and tests. A row contains
// only data, and this package imports nothing, so that package event can read it.
package eventkind

// Kind is the row of one kind of events.
type Kind struct {
	// Name is the member "event" of the JSON.
	Name string
	// Fields are the members of its own in the JSON, in their order.
	Fields []Field
	// Recording is what the journal of a run has of the events.
	Recording Recording
	// IsProgress reports whether such an event shows that a run which was recovered has made progress.
	IsProgress bool

	// Progress is how the lines on a terminal show the event. Line are its words if that is Generic.
	Progress Treatment
	Line     string
	// Panel is how the panel on a terminal shows the event. Generic: the Line is its warning.
	Panel Treatment
	// Trace is how the trace of a run reads the event. Generic: it adds a Node.
	Trace Treatment
	// Node is what the event is in the tree of a trace; nil if it adds none.
	Node *Node
	// Telemetry is how package otel reads the event. Generic: it adds a Note to a span.
	Telemetry Treatment
	Note      *Note
	// Log is how the log of a server shows the event; none is Generic.
	Log Treatment
	// Report is how progress is reported to an MCP client; none is Custom. Generic: ReportLine are the words.
	Report     Treatment
	ReportLine string
}

// Treatment is what one reader does with the events of a kind. The zero value is a mistake: each row has to decide.
type Treatment uint8

// The treatments.
const (
	_ Treatment = iota
	// Ignored events are not shown.
	Ignored
	// Custom events have a function in the reader. A test of each reader compares its functions with the rows.
	Custom
	// Generic events are shown as the row says.
	Generic
)

// Recording is what the journal of a run has of events. The zero value is a mistake.
type Recording uint8

// The ways in which events are recorded.
const (
	_ Recording = iota
	// Once is an event that is recorded once, however often the run is resumed.
	Once
	// PerProcess is an event that each process which resumes the run may record again.
	PerProcess
	// Never is an event that observers receive, and that is neither recorded nor counted.
	Never
)

// Field is a member of the JSON of an event.
type Field struct {
	// Name is the name in the JSON.
	Name string
	// Of is the field of event.Event with the value.
	Of   Member
	Form Form
	// With is a text that must not be empty for the field to exist, Without one that must be empty.
	With, Without Member
}

// IsConditional reports whether the field exists only with or without another one.
func (f *Field) IsConditional() bool { return f.With != NoMember || f.Without != NoMember }

// IsOptional reports whether events of the kind may lack the field.
func (f *Field) IsOptional() bool {
	switch f.Of {
	case MemberCost, MemberGuards, MemberChoices, MemberEffect, MemberDue:
		return true
	}

	return f.Form&Optional != 0 || f.IsConditional()
}

// IsNumber reports whether the value of the field is a whole number.
func (f *Field) IsNumber() bool { return f.Of == MemberVisit || f.Of == MemberCount }

// Form is how a text is written. Members of other types have one form each.
type Form uint8

// The forms of texts.
const (
	Always   Form = 0
	Optional Form = 1 << iota
	// OrNull writes null instead of an empty text.
	OrNull
	// AsJSON writes a text that is JSON as JSON, and any other as text.
	AsJSON
)

// Node is what an event is in the tree of a trace.
type Node struct {
	// Kind is the kind of the node.
	Kind string
	// Name, Value and Problem are the fields of the event that those of the node are copied from; "" for none. A node
	// that a function of the trace makes has none.
	Name, Value, Problem string
	// OfRun puts the node where the run is, not at the agent of the event.
	OfRun bool

	// Word is what the page of a run calls the node.
	Word string
	// Title is how the page of a run describes the node, Tree how the tree on a terminal does: words with fields of
	// the node, or ByCode.
	Title, Tree string
	// Tone is the colour of the node.
	Tone Tone
}

// ByCode marks words that a function of the reader writes.
const ByCode = "(by code)"

// Tone is how a node is coloured: a class of the style of the page.
type Tone string

// The tones.
const (
	Plain Tone = ""
	// OfState is the tone of what machines do.
	OfState Tone = "state"
	// Bad is the tone of a problem. The filter of problems shows the node, too.
	Bad Tone = "bad"
)

// Note is an event of a span of telemetry.
type Note struct {
	Name string
	// At is the span that gets the note.
	At         Place
	Attributes []Attribute
}

// Place is a span of telemetry.
type Place uint8

// The places.
const (
	// AtAgent is the span of the whole agent that reports.
	AtAgent Place = iota
	// AtConversation is the span of the conversation that reports.
	AtConversation
	// AtBudget is the span of the agent whose budget it is, or of the run.
	AtBudget
)

// Attribute is an attribute of a note. The value of a Private one may contain text of people and models: it is sent
// only where texts are, without secrets.
type Attribute struct {
	Key, Field string
	Private    bool
}

// Of returns the row of a kind of events; nil if there is none.
func Of(name string) *Kind {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}

	return nil
}

// Field returns the field of a name; nil if there is none.
func (k *Kind) Field(name string) *Field {
	for i := range k.Fields {
		if k.Fields[i].Name == name {
			return &k.Fields[i]
		}
	}

	return nil
}

// IsRecorded reports whether events of a kind are numbered, and recorded in journals.
func IsRecorded(name string) bool {
	k := Of(name)

	return k == nil || k.Recording != Never
}

// NodeOf returns what a kind of nodes is; nil if no event adds nodes of that kind.
func NodeOf(kind string) *Node {
	for i := range All {
		if n := All[i].Node; n != nil && n.Kind == kind {
			return n
		}
	}

	return nil
}
