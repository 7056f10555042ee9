package eventkind

// Member is a field of event.Event.
type Member uint8

// The fields of event.Event that are of a kind. Package event describes each of them.
const (
	NoMember Member = iota
	MemberMachine
	MemberState
	MemberTo
	MemberKey
	MemberMatched
	MemberVisit
	MemberGuards
	MemberValue
	MemberJSON
	MemberSynthetic
	MemberName
	MemberRole
	MemberArgs
	MemberText
	MemberUsage
	MemberReason
	MemberChannel
	MemberChoices
	MemberSchema
	MemberExample
	MemberEffect
	MemberDue
	MemberCost
	MemberShape
	MemberProblem
	MemberType
	MemberStatus
	MemberContext
	MemberCount
	MemberWait
)

var memberNames = [...]string{
	MemberMachine:   "Machine",
	MemberState:     "State",
	MemberTo:        "To",
	MemberKey:       "Key",
	MemberMatched:   "Matched",
	MemberVisit:     "Visit",
	MemberGuards:    "Guards",
	MemberValue:     "Value",
	MemberJSON:      "JSON",
	MemberSynthetic: "Synthetic",
	MemberName:      "Name",
	MemberRole:      "Role",
	MemberArgs:      "Args",
	MemberText:      "Text",
	MemberUsage:     "Usage",
	MemberReason:    "Reason",
	MemberChannel:   "Channel",
	MemberChoices:   "Choices",
	MemberSchema:    "Schema",
	MemberExample:   "Example",
	MemberEffect:    "Effect",
	MemberDue:       "Due",
	MemberCost:      "Cost",
	MemberShape:     "Shape",
	MemberProblem:   "Problem",
	MemberType:      "Type",
	MemberStatus:    "Status",
	MemberContext:   "Context",
	MemberCount:     "Count",
	MemberWait:      "Wait",
}

// String returns the name of the field.
func (m Member) String() string { return memberNames[m] }
