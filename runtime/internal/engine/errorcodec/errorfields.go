package errorcodec

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

var (
	errorType = reflect.TypeFor[error]()
	anyType   = reflect.TypeFor[any]()
)

// errorFields writes and reads the fields of an error. Its wrapped errors are recorded separately:
// a field that is one of them is recorded as its number.
type errorFields struct{ wraps []error }

// wrapped is the number of a wrapped error, as a field.
type wrapped struct {
	Number *int `json:"wrapped"`
}

// of writes the exported fields of a struct.
func (f errorFields) of(v reflect.Value) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	for i := range v.NumField() {
		name := v.Type().Field(i)
		if !name.IsExported() || v.Field(i).IsZero() || name.Type.Kind() == reflect.Func {
			continue
		}
		text, err := f.value(v.Field(i))
		if err != nil {
			return nil, err
		}
		fields[name.Name] = text
	}

	return fields, nil
}

// value writes a field: an error as a node, a value of type any as an error or a text, and errors
// in lists too.
func (f errorFields) value(v reflect.Value) (json.RawMessage, error) {
	if i := f.number(v); i >= 0 {
		return json.Marshal(wrapped{&i})
	}
	switch t := v.Type(); {
	case t == errorType:
		return json.Marshal(NodeOf(v.Interface().(error)))
	case t == anyType:
		if err, isError := v.Interface().(error); isError {
			node := NodeOf(err)
			node.Error = true

			return json.Marshal(node)
		}

		return json.Marshal(textNode(fmt.Sprint(v.Interface())))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		list := make([]json.RawMessage, v.Len())
		for i := range list {
			text, err := f.value(v.Index(i))
			if err != nil {
				return nil, err
			}
			list[i] = text
		}

		return json.Marshal(list)
	case isRecord(t):
		fields, err := f.of(v)
		if err != nil {
			return nil, err
		}

		return json.Marshal(fields)
	}

	return json.Marshal(v.Interface())
}

// number returns the number of a wrapped error; -1 if v is not one.
func (f errorFields) number(v reflect.Value) int {
	if !v.Type().Implements(errorType) || !v.Comparable() {
		return -1
	}

	return slices.IndexFunc(f.wraps, func(err error) bool {
		return err != nil && reflect.ValueOf(err).Comparable() && err == v.Interface().(error)
	})
}

// isRecord reports whether t is a struct that does not write itself as JSON.
func isRecord(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !t.Implements(reflect.TypeFor[json.Marshaler]())
}

// set reads what of has written.
func (f errorFields) set(v reflect.Value, fields map[string]json.RawMessage) error {
	for name, text := range fields {
		if field := v.FieldByName(name); field.IsValid() {
			if err := f.setValue(field, text); err != nil {
				return err
			}
		}
	}

	return nil
}

func (f errorFields) setValue(v reflect.Value, text json.RawMessage) error {
	var ref wrapped
	if v.Type().Implements(errorType) && json.Unmarshal(text, &ref) == nil && ref.Number != nil {
		return f.setWrapped(v, *ref.Number)
	}
	switch t := v.Type(); {
	case t == errorType, t == anyType:
		var node Node
		if err := json.Unmarshal(text, &node); err != nil {
			return err
		}
		if t == anyType && !node.Error {
			v.Set(reflect.ValueOf(node.text()))
		} else {
			v.Set(reflect.ValueOf(node.Err()))
		}

		return nil
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, one := range list {
			if err := f.setValue(v.Index(i), one); err != nil {
				return err
			}
		}

		return nil
	case isRecord(t):
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return err
		}

		return f.set(v, fields)
	}

	return json.Unmarshal(text, v.Addr().Interface())
}

// setWrapped sets a field to the wrapped error with a number.
func (f errorFields) setWrapped(v reflect.Value, number int) error {
	if number < 0 || number >= len(f.wraps) {
		return fmt.Errorf("no error %d is recorded", number)
	}
	if err := f.wraps[number]; v.Kind() == reflect.Interface {
		v.Set(reflect.ValueOf(err))
	} else if !errors.As(err, v.Addr().Interface()) {
		return fmt.Errorf("error %d is no %s", number, v.Type())
	}

	return nil
}
