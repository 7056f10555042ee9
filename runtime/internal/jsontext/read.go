package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// Members returns the members of a JSON object in the order in which they are written, also several of one name, of which
// encoding/json would keep the last. Errors: [ErrNotObject], and what else is wrong, as a clause.
func Members(text []byte) (all []Member, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, ErrNotObject
	}
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			m := Member{Name: name.(string)}
			err = d.Decode(&m.Value)
			all = append(all, m)
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}

	return all, ended(d)
}

// Strictly reads one JSON value into another, which has to know all members.
func Strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}

	return ended(d)
}

// ended is an error unless a decoder has read everything.
func ended(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}

	return nil
}
