package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
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

// parseFailure reads what is under error of a turn: text, or {status, class, message, retry_after in seconds}.
func parseFailure(raw json.RawMessage) (*failure, error) {
	if kindOf(raw) == '"' {
		return &failure{class: model.Other, message: unquote(raw)}, nil
	}
	members, err := fields(raw, "status", "class", "message", "retry_after")
	if err != nil {
		return nil, fmt.Errorf("error: %w", err)
	}

	f := &failure{}
	for _, m := range members {
		if err := f.set(m); err != nil {
			return nil, fmt.Errorf("error: %s: %w", m.name, err)
		}
	}
	if f.class == "" {
		f.class = model.ClassOfStatus(f.status)
	}
	if f.message == "" {
		f.message = "so says the script"
	}

	return f, nil
}

func (f *failure) set(m member) error {
	switch m.name {
	case "status":
		status, err := strconv.Atoi(string(m.value))
		if err != nil || status < 100 || status > 599 {
			return fmt.Errorf("found %s, expected an HTTP status from 100 to 599", compact(m.value))
		}
		f.status = status
	case "retry_after":
		seconds, err := strconv.ParseFloat(string(m.value), 64)
		if err != nil || seconds < 0 || seconds > math.MaxInt32 {
			return fmt.Errorf("found %s, expected seconds", compact(m.value))
		}
		f.retryAfter = time.Duration(seconds * float64(time.Second))
	default:
		if kindOf(m.value) != '"' {
			return errors.New("expected text, found " + describe(m.value))
		}
		if m.name == "message" {
			f.message = unquote(m.value)

			return nil
		}

		return f.setClass(unquote(m.value))
	}

	return nil
}

func (f *failure) setClass(name string) error {
	for _, class := range classes {
		if string(class) == name {
			f.class = class

			return nil
		}
	}

	return fmt.Errorf("found %q, expected one of %q", name, classes)
}

// parseToolAnswer reads {result: text or JSON} or {error: text}.
func parseToolAnswer(raw json.RawMessage) (toolAnswer, error) {
	members, err := fields(raw, "result", "error")
	if err != nil {
		return toolAnswer{}, err
	}
	if len(members) != 1 {
		return toolAnswer{}, errors.New("an answer holds result or error, one of them")
	}

	value := members[0].value
	if members[0].name == "error" {
		if kindOf(value) != '"' || unquote(value) == "" {
			return toolAnswer{}, errors.New("error: expected text, found " + describe(value))
		}

		return toolAnswer{problem: unquote(value)}, nil
	}
	if kindOf(value) == '"' {
		return toolAnswer{result: unquote(value)}, nil
	}

	return toolAnswer{result: compact(value), json: true}, nil
}

// parseAnswer reads what a person says: text, or any JSON as its text.
func parseAnswer(raw json.RawMessage) (string, error) {
	if kindOf(raw) == '"' {
		return unquote(raw), nil
	}

	return compact(raw), nil
}

// parseVerdict reads true, false, or {ok, reason}.
func parseVerdict(raw json.RawMessage) (runtime.Verdict, error) {
	var ok bool
	if json.Unmarshal(raw, &ok) == nil && kindOf(raw) != 'n' {
		return runtime.Verdict{OK: ok}, nil
	}
	if kindOf(raw) != '{' {
		return runtime.Verdict{}, errors.New("expected true, false or {ok, reason}, found " + describe(raw))
	}
	members, err := fields(raw, "ok", "reason")
	if err != nil {
		return runtime.Verdict{}, err
	}

	var v runtime.Verdict
	said := false
	for _, m := range members {
		said = said || m.name == "ok"
		into := any(&v.OK)
		if m.name == "reason" {
			into = &v.Reason
		}
		if err := json.Unmarshal(m.value, into); err != nil {
			return runtime.Verdict{}, errors.New(m.name + ": found " + describe(m.value))
		}
	}

	if !said {
		return runtime.Verdict{}, errors.New("ok is missing: a verdict says true or false")
	}

	return v, nil
}
