package recording

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// appendLine appends the line of a request with its outcome, and takes it in as if it had been read. What an earlier request of the file has
// is not written again, so that a conversation of n turns costs in proportion to n.
func (d *decoder) appendLine(dst []byte, q *request, l line) ([]byte, error) {
	messages := prefixDigests(q.messages)
	l.Request = labelOf(q.keyOf(messages[len(q.messages)]), q.model)
	l.Model, l.NamedSettings = q.model, model.NamedSettings(q.settings)
	base := d.mostSimilar(l.Request, q.system, messages)
	if base == nil {
		base = &stored{}
	}
	l.Like = base.label
	kept := base.last.commonPrefix(messages)
	if count := kept.length(); count < base.last.length() {
		l.Keep = &count
	}
	l.Messages = q.messages[kept.length():]
	if q.system != base.system {
		l.System = &q.system
	}
	if !slices.Equal(q.tools, base.tools) {
		tools := append([]tool{}, q.tools...)
		l.Tools = &tools
	}
	if q.schema != base.schema {
		l.Schema = &q.schema
	}
	dst, err := appendLine(dst, &l)
	if err == nil {
		err = d.readEntry(len(d.recording.entries)+1, &l)
	}

	return dst, err
}

// appendHeader appends a header, and takes it in.
func (d *decoder) appendHeader(dst []byte, h header) ([]byte, error) {
	d.headers = append(d.headers, h)

	return appendLine(dst, h)
}

// mostSimilar is the request of the file that one is most like: the same, if it is there, else the one with the longest beginning in common, else
// one with its system prompt. It is nil without any that its label names.
func (d *decoder) mostSimilar(label, system string, messages []digest) *stored {
	if same := d.labels[label]; same != nil {
		return same
	}
	for count := len(messages) - 1; count > 0; count-- {
		if n := d.nodes[messages[count]]; n != nil && d.isLabelUnique(n.first) {
			return n.first
		}
	}
	if first := d.systems[system]; d.isLabelUnique(first) {
		return first
	}

	return nil
}

// isLabelUnique reports whether no other request has the label: people may have edited the file.
func (d *decoder) isLabelUnique(q *stored) bool {
	return q != nil && q.label != "" && d.labels[q.label] == q
}

// newFailure is what a call failed with, and what it has used; nil if that says nothing about the model: the caller who waited has gone, or the program is at fault.
func (n normal) newFailure(err error, used *model.Reply) *failure {
	var failed *model.Error
	var late *runtime.TimeoutError
	switch {
	case errors.As(err, &failed):
		f := &failure{
			Class: string(failed.Class), Status: failed.Status, Message: n.normalText(failed.Message), Model: n.normalText(failed.Model),
			Agent: n.normalText(failed.Agent), RetryAfter: duration(failed.RetryAfter), Usage: usage(used.Usage), Cost: used.Cost,
		}
		if failed.Message == "" && failed.Err != nil {
			f.Message = n.normalText(failed.Err.Error())
		}

		return f
	case errors.As(err, &late):
		return &failure{What: n.normalText(late.What), After: duration(late.After), Usage: usage(used.Usage), Cost: used.Cost}
	}

	return nil
}

// asError returns the failure as an engine gets it from a model.
func (f *failure) asError() error {
	if f.After != 0 {
		return &runtime.TimeoutError{What: f.What, After: time.Duration(f.After)}
	}

	return &model.Error{
		Class: model.Class(f.Class), Status: f.Status, Message: f.Message, Model: f.Model, Agent: f.Agent,
		RetryAfter: time.Duration(f.RetryAfter),
	}
}

// usedReply returns what the failure has used of a model, as an engine gets it.
func (f *failure) usedReply(name string) model.Reply {
	return model.Reply{Model: cmp.Or(f.Model, name), Usage: model.Usage(f.Usage), Cost: f.Cost}
}
