package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// ErrNotObject means that a text does not begin as a JSON object does.
var ErrNotObject = errors.New("it is not a JSON object")

// errMore means that a text has something behind its JSON object.
var errMore = errors.New("there is more behind its JSON object")

// Members returns the members of a JSON object in the order in which they are written, also several
// of one name, of which encoding/json would keep the last. Errors: [ErrNotObject], and as a clause
// any other problem.
func Members(text []byte) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, ErrNotObject
	}
	members, err := readMembers(d)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}

	return members, requireEnd(d)
}

// readMembers reads the rest of an object whose first brace has been read.
func readMembers(d *json.Decoder) ([]Member, error) {
	var members []Member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := Member{Name: name.(string)} // the decoder accepts no other key
		if err := d.Decode(&m.Value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}

	return members, nil
}

// Strictly reads one JSON value into another, which has to know all members.
func Strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}

	return requireEnd(d)
}

// requireEnd returns an error unless a decoder has read everything.
func requireEnd(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}

	return nil
}

// Doubled returns a name that an object in a JSON text has more than once: readers disagree about which of the values
// counts. Names of the outermost object are the same also if they only differ in upper and lower case, as for
// encoding/json. found is false if there is none, or if the text is not JSON.
func Doubled(text []byte) (name string, found bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var open []map[string]bool // the names of each object that is open; nil for an array
	isName := false            // whether the next text is a name
	for {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		switch token {
		case json.Delim('{'):
			open, isName = append(open, map[string]bool{}), true
			continue
		case json.Delim('['):
			open, isName = append(open, nil), false
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			isName = len(open) > 0 && open[len(open)-1] != nil
			continue
		}
		if len(open) == 0 {
			continue
		}
		names := open[len(open)-1]
		if !isName {
			isName = names != nil
			continue
		}
		name, isName = token.(string), false
		key := name
		if len(open) == 1 {
			key = strings.ToLower(name)
		}
		if names[key] {
			return name, true
		}
		names[key] = true
	}
}
