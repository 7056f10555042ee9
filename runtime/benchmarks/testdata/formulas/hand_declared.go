package agents

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// handNext is the rows of the machine declared, written by hand over the struct that its context is.
func (r *declaredRun) handNext(state DeclaredState, on workflow.Event) (DeclaredState, rt.Match) {
	if on != workflow.Success {
		return 0, ""
	}
	c := &r.context
	switch state {
	case DeclaredStateScalars:
		if c.Phase == "open" && c.Score > 7.5 {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateLogic, rt.MatchExact
	case DeclaredStateLogic:
		if !c.Urgent && c.Count != 0 || c.Score >= 9 && c.Phase != "" {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateOptional, rt.MatchExact
	case DeclaredStateOptional:
		if c.Limit == nil || c.Count < *c.Limit {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateNested, rt.MatchExact
	case DeclaredStateNested:
		review := c.Review
		if review != nil && review.Verdict != nil && *review.Verdict == "good" && review.Author != "nobody" {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateMembership, rt.MatchExact
	case DeclaredStateMembership:
		if slices.Contains(c.Tags, "slow") && (c.Phase == "new" || c.Phase == "open") {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateMethods, rt.MatchExact
	case DeclaredStateMethods:
		if c.Review != nil && strings.HasPrefix(strings.ToLower(c.Review.Author), "a") ||
			strings.TrimSpace(c.Phase) == "open" {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateGet, rt.MatchExact
	case DeclaredStateGet:
		limit := int64(10)
		if c.Limit != nil {
			limit = *c.Limit
		}
		if limit >= c.Count {
			return DeclaredStateYes, rt.MatchGuard
		}

		return DeclaredStateValues, rt.MatchExact
	}

	return 0, ""
}

func (r *declaredRun) handValues(_ workflow.Value) (workflow.Value, error) {
	c := &r.context
	value := workflow.Text(c.Phase + ": " + strconv.FormatInt(c.Count, 10) + " of " + strconv.Itoa(len(c.Tags)))
	r.RecordOutput("values", value)

	return value, nil
}

func (r *declaredRun) handAlternatives(_ workflow.Value) (workflow.Value, error) {
	c := &r.context
	by := "nobody"
	if c.Review != nil && c.Review.Author != "" {
		by = c.Review.Author
	} else if c.Phase != "" {
		by = c.Phase
	}
	value := workflow.Text("by " + by)
	r.RecordOutput("alternatives", value)

	return value, nil
}

func (r *declaredRun) handFilters(_ workflow.Value) (workflow.Value, error) {
	c := &r.context
	limit := "no limit"
	if c.Limit != nil {
		limit = strconv.FormatInt(*c.Limit, 10)
	}
	value := workflow.Text(strings.ToUpper(c.Phase) + " (" + strings.Join(c.Tags, ", ") + ") " + limit)
	r.RecordOutput("filters", value)

	return value, nil
}

func (r *declaredRun) handConditions(_ workflow.Value) (workflow.Value, error) {
	c := &r.context
	now, said := "", ""
	if c.Urgent {
		now = "Now: " + c.Phase + "."
	}
	if c.Review != nil {
		verdict := ""
		if c.Review.Verdict != nil {
			verdict = string(*c.Review.Verdict)
		}
		said = c.Review.Author + " says " + verdict + "."
	}
	value := workflow.Text(now + " " + said)
	r.RecordOutput("conditions", value)

	return value, nil
}

func (r *declaredRun) handItems(_ workflow.Value) (workflow.Value, error) {
	var b strings.Builder
	b.WriteString("Tags:")
	for _, tag := range r.context.Tags {
		b.WriteString(" <")
		b.WriteString(tag)
		b.WriteString(">")
	}
	b.WriteString(".")
	value := workflow.Text(b.String())
	r.RecordOutput("items", value)

	return value, nil
}
