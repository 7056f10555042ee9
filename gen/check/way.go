package check

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// ways are the shortest ways from the initial state of a machine to each of its states, guards taken as possible.
type ways struct {
	*machine
	// in is the last step of the way to each state; nil where there is none, and for the initial state.
	in []*hop
	// length is the number of steps, 1-based; 0 where there is no way.
	length []int
}

// hop is a transition on a way.
type hop struct {
	from int
	// key is that of the row, with its place; the target of an unconditional state has no key but a place.
	key ir.Text
}

func (x *machine) ways() ways {
	w := ways{x, make([]*hop, len(x.States)), make([]int, len(x.States))}
	start := x.start()
	if start == nil {
		return w
	}
	queue := []int{x.index[start]}
	w.length[queue[0]] = 1
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		x.eachStep(i, func(to int, key ir.Text) {
			if w.length[to] == 0 {
				w.length[to], w.in[to] = w.length[i]+1, &hop{i, key}
				queue = append(queue, to)
			}
		})
	}

	return w
}

// eachStep calls visit for each transition of a state, in source order.
func (x *machine) eachStep(i int, visit func(to int, key ir.Text)) {
	s := x.States[i]
	if s.Always != nil {
		if to := x.resolve(*s.Always); to != nil {
			visit(x.index[to], ir.Text{Span: s.Always.Span})
		}
	}
	for _, row := range s.Rows {
		if row.End || x.endsBy(row) {
			continue
		}
		if to := x.resolve(row.To); to != nil {
			visit(x.index[to], row.Key)
		}
	}
}

// note adds to d the shortest way into a group of states, at its last step. Without one, because nobody can say where the
// machine starts or where a state leads, d stays as it is.
func (w ways) note(d *diag.Diagnostic, group []int) *diag.Diagnostic {
	first := -1
	for _, i := range group {
		if w.length[i] > 0 && (first < 0 || w.length[i] < w.length[first]) {
			first = i
		}
	}
	switch {
	case first < 0:
		return d
	case w.in[first] == nil:
		return d.Note(w.Initial.Span, "the machine starts in %q", w.names[first])
	}

	return d.Note(w.in[first].key.Span, "reached by %s", w.written(first))
}

// written writes the way to a state as `draft --needs-work--> critique`; of a long one the beginning and the end.
func (w ways) written(to int) string {
	var parts []string
	for at := w.in[to]; at != nil; at = w.in[at.from] {
		parts = append(parts, fmt.Sprintf("%s %s", w.names[at.from], arrow(at.key.Value)))
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	if more := len(parts) - maxListed; more > 0 {
		parts = append(append(parts[:maxListed/2:maxListed/2], fmt.Sprintf("… (%d more) …", more)), parts[len(parts)-maxListed/2:]...)
	}

	return strings.Join(append(parts, w.names[to]), " ")
}

// arrow writes a transition with its key, of which there is none behind an unconditional state.
func arrow(key string) string {
	if key == "" {
		return "-->"
	}

	return "--" + key + "-->"
}
