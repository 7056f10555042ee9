package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// classes are the classes that a script may name.
var classes = []model.Class{
	model.RateLimit, model.Overloaded, model.Server, model.Network, model.Timeout,
	model.Auth, model.Quota, model.TooLong, model.Refused, model.BadRequest, model.Other,
}

// parseFailure reads what is under error of a turn: text, or {status, class, message, retry_after
// in seconds}.
func parseFailure(raw json.RawMessage) (*failure, error) {
	if raw[0] == '"' {
		return &failure{class: model.Other, message: unquoteText(raw)}, nil
	}
	f := &failure{}
	if _, err := readFields(raw, f.setMember, "status", "class", "message", "retry_after"); err != nil {
		return nil, fmt.Errorf("error: %w", err)
	}
	if f.class == "" {
		f.class = model.ClassOfStatus(f.status)
	}
	if f.message == "" {
		f.message = "so says the script"
	}

	return f, nil
}

func (f *failure) setMember(m member) (err error) {
	switch m.Name {
	case "status":
		f.status, err = strconv.Atoi(string(m.Value))
		if err != nil || f.status < 100 || f.status > 599 {
			err = fmt.Errorf("found %s, expected an HTTP status from 100 to 599", compactJSON(m.Value))
		}
	case "retry_after":
		seconds, wrong := strconv.ParseFloat(string(m.Value), 64)
		if wrong != nil || seconds < 0 || seconds > math.MaxInt32 {
			err = fmt.Errorf("found %s, expected seconds", compactJSON(m.Value))
		}
		f.retryAfter = time.Duration(seconds * float64(time.Second))
	case "message":
		f.message, err = textIn(m.Value)
	case "class":
		name, wrong := textIn(m.Value)
		f.class, err = model.Class(name), wrong
		if err == nil && !slices.Contains(classes, f.class) {
			err = fmt.Errorf("found %q, expected one of %q", name, classes)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", m.Name, err)
	}

	return err
}

// parseToolAnswer reads {result: text or JSON} or {error: text}.
func parseToolAnswer(raw json.RawMessage) (toolAnswer, error) {
	var a toolAnswer
	n, err := readFields(raw, func(m member) error {
		if m.Name == "result" {
			result := textOf(m.Value)
			a.result, a.json = result.content, result.json

			return nil
		}
		a.problem = unquoteText(m.Value)
		if a.problem == "" {
			return errors.New("error: expected text, found " + describeValue(m.Value))
		}

		return nil
	}, "result", "error")
	if err == nil && n != 1 {
		err = errors.New("an answer holds result or error, one of them")
	}

	return a, err
}

// parseAnswer reads what a person says: text, or any JSON as its text.
func parseAnswer(raw json.RawMessage) (string, error) { return textOf(raw).content, nil }

// parseVerdict reads true, false, or {ok, reason}.
func parseVerdict(raw json.RawMessage) (runtime.Verdict, error) {
	switch raw[0] {
	case 't', 'f':
		return runtime.Verdict{OK: raw[0] == 't'}, nil
	case '{':
	default:
		return runtime.Verdict{}, errors.New("expected true, false or {ok, reason}, found " + describeValue(raw))
	}

	var v runtime.Verdict
	said := false
	_, err := readFields(raw, func(m member) error {
		said = said || m.Name == "ok"
		into := any(&v.OK)
		if m.Name == "reason" {
			into = &v.Reason
		}
		if json.Unmarshal(m.Value, into) != nil {
			return errors.New(m.Name + ": found " + describeValue(m.Value))
		}

		return nil
	}, "ok", "reason")
	if err == nil && !said {
		err = errors.New("ok is missing: a verdict says true or false")
	}

	return v, err
}
