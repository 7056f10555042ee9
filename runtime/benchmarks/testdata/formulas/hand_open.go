package agents

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// handNext is the rows of the machine open, written by hand over a context of which nothing is known.
func (r *openRun) handNext(state OpenState, on workflow.Event) (OpenState, rt.Match) {
	if on != workflow.Success {
		return 0, ""
	}
	switch state {
	case OpenStateScalars:
		if is(r.Context("phase"), "open") && above(r.Context("score"), 7.5) {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateCoercion, rt.MatchExact
	case OpenStateCoercion:
		if isNumber(r.Context("count"), 5) && !isNumber(r.Context("limit"), 7) {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateLogic, rt.MatchExact
	case OpenStateLogic:
		if !r.Context("urgent").True() && !isNumber(r.Context("count"), 0) {
			return OpenStateYes, rt.MatchGuard
		}
		if score, ok := number(r.Context("score")); ok && score >= 9 && r.Context("phase").True() {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateOptional, rt.MatchExact
	case OpenStateOptional:
		limit := r.Context("limit")
		if limit.IsNone() {
			return OpenStateYes, rt.MatchGuard
		}
		if order, ok := compare(r.Context("count"), limit); ok && order < 0 {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateMembership, rt.MatchExact
	case OpenStateMembership:
		status, isText := r.Context("phase").AsText()
		if has(r.Context("tags"), "slow") && isText && (status == "new" || status == "open") {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateMethods, rt.MatchExact
	case OpenStateMethods:
		author, _ := r.Context("review", "author").AsText()
		status, _ := r.Context("phase").AsText()
		if strings.HasPrefix(strings.ToLower(author), "a") || strings.TrimSpace(status) == "open" {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateGet, rt.MatchExact
	case OpenStateGet:
		limit := workflow.Int(10)
		if r.Context().Has("limit") {
			limit = r.Context("limit")
		}
		if order, ok := compare(limit, r.Context("count")); ok && order >= 0 {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateTyped, rt.MatchExact
	case OpenStateTyped:
		grade := &r.steps.Grade.Data
		if grade.Score > 5 && grade.Verdict == "good" && grade.By != nil {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateDynamic, rt.MatchExact
	case OpenStateDynamic:
		look := r.steps.Look
		if is(look.Get("state"), "seen") && above(look.Get("times"), 1) {
			return OpenStateYes, rt.MatchGuard
		}

		return OpenStateValues, rt.MatchExact
	}

	return 0, ""
}

// is reports whether v is a text and that one, which reads as no number.
func is(v workflow.Value, text string) bool {
	said, isText := v.AsText()

	return isText && said == text
}

func isNumber(v workflow.Value, want float64) bool {
	n, ok := number(v)

	return ok && n == want
}

func above(v workflow.Value, least float64) bool {
	n, ok := number(v)

	return ok && n > least
}

// number is the number that v is, or reads as.
func number(v workflow.Value) (n float64, ok bool) {
	text, isText := v.AsText()
	if !isText {
		return v.AsNumber()
	}
	text = strings.TrimSpace(text)
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)

	return n, err == nil
}

// compare compares two texts, or two numbers of which one may be a text that reads as one.
func compare(x, y workflow.Value) (order int, ok bool) {
	if a, whole := x.AsInt(); whole {
		if b, whole := y.AsInt(); whole {
			return cmp.Compare(a, b), true
		}
	}
	a, isText := x.AsText()
	b, areTexts := y.AsText()
	if isText && areTexts {
		return strings.Compare(a, b), true
	}
	m, ok := number(x)
	n, both := number(y)

	return cmp.Compare(m, n), ok && both
}

// has reports whether a text is in a text, in a list or a name in an object.
func has(v workflow.Value, text string) bool {
	switch {
	case v.IsText():
		said, _ := v.AsText()

		return strings.Contains(said, text)
	case v.IsObject():
		return v.Has(text)
	}
	for _, item := range v.Items() {
		if is(item, text) {
			return true
		}
	}

	return false
}

func (r *openRun) handValues(_ workflow.Value) (workflow.Value, error) {
	value := workflow.Text(r.Context("phase").String() + ": " + r.Context("count").String() + " of " +
		strconv.Itoa(r.Context("tags").Len()))
	r.RecordOutput("values", value)

	return value, nil
}

func (r *openRun) handAlternatives(_ workflow.Value) (workflow.Value, error) {
	by := r.Context("review", "author").String()
	if by == "" {
		by = r.Context("phase").String()
	}
	if by == "" {
		by = "nobody"
	}
	value := workflow.Text("by " + by)
	r.RecordOutput("alternatives", value)

	return value, nil
}

func (r *openRun) handFilters(_ workflow.Value) (workflow.Value, error) {
	limit := r.Context("limit").String()
	if limit == "" {
		limit = "no limit"
	}
	value := workflow.Text(strings.ToUpper(r.Context("phase").String()) + " (" + joined(r.Context("tags"), ", ") + ") " + limit)
	r.RecordOutput("filters", value)

	return value, nil
}

// joined is the items of a list as they render, with a text between them; anything else as it renders.
func joined(v workflow.Value, between string) string {
	if !v.IsList() {
		return v.String()
	}
	var b strings.Builder
	for i, item := range v.Items() {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(item.String())
	}

	return b.String()
}

func (r *openRun) handConditions(_ workflow.Value) (workflow.Value, error) {
	now, said := "", ""
	if r.Context("urgent").True() {
		now = "Now: " + r.Context("phase").String() + "."
	}
	if review := r.Context("review"); review.True() {
		said = review.Get("author").String() + " says " + review.Get("verdict").String() + "."
	}
	value := workflow.Text(now + " " + said)
	r.RecordOutput("conditions", value)

	return value, nil
}

func (r *openRun) handItems(_ workflow.Value) (workflow.Value, error) {
	var b strings.Builder
	b.WriteString("Tags:")
	for _, tag := range r.Context("tags").Items() {
		b.WriteString(" <")
		b.WriteString(tag.String())
		b.WriteString(">")
	}
	b.WriteString(".")
	value := workflow.Text(b.String())
	r.RecordOutput("items", value)

	return value, nil
}

func (r *openRun) handOutputs(_ workflow.Value) (workflow.Value, error) {
	grade := &r.steps.Grade.Data
	by := "nobody"
	if grade.By != nil && *grade.By != "" {
		by = *grade.By
	}
	value := workflow.Text(grade.Verdict + ": " + strings.Join(grade.Reasons, "; ") +
		" (" + by + " after " + r.steps.Look.Get("times").String() + ")")
	r.RecordOutput("outputs", value)

	return value, nil
}
