package livetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Spans are the spans of a trace.
type Spans []*tracepb.Span

// Named are the spans whose names begin so.
func (s Spans) Named(prefix string) (some Spans) {
	for _, span := range s {
		if strings.HasPrefix(span.Name, prefix) {
			some = append(some, span)
		}
	}

	return some
}

// Tree is the trace as text: a span a line, below the one that it is in, in the order of their
// beginnings. It reports spans whose parents are not there, and of ids that two have.
func (s Spans) Tree() string {
	known, children := map[string]bool{"": true}, map[string]Spans{}
	var b strings.Builder
	for _, span := range s {
		if known[string(span.SpanId)] {
			fmt.Fprintf(&b, "TWICE %s\n", span.Name)
		}
		known[string(span.SpanId)] = true
		children[string(span.ParentSpanId)] = append(children[string(span.ParentSpanId)], span)
	}
	for _, span := range s {
		if !known[string(span.ParentSpanId)] {
			fmt.Fprintf(&b, "WITHOUT ITS PARENT %s\n", span.Name)
		}
	}
	writeBranch(&b, children, "", "")

	return b.String()
}

// writeBranch writes what is below a span.
func writeBranch(b *strings.Builder, children map[string]Spans, parent, indent string) {
	below := children[parent]
	slices.SortStableFunc(below, func(x, y *tracepb.Span) int { return cmp.Compare(x.StartTimeUnixNano, y.StartTimeUnixNano) })
	for _, span := range below {
		fmt.Fprintf(b, "%s%s%s\n", indent, span.Name, failureOf(span))
		writeBranch(b, children, string(span.SpanId), indent+"  ")
	}
}

func failureOf(span *tracepb.Span) string {
	if span.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR {
		return " ERROR"
	}

	return ""
}
