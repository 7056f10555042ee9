package local

import (
	"encoding/json"
	"fmt"
	"reflect"
)

var (
	errorType = reflect.TypeFor[error]()
	anyType   = reflect.TypeFor[any]()
)

// fieldsOf writes the exported fields of a struct.
func fieldsOf(v reflect.Value) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	for i := range v.NumField() {
		name := v.Type().Field(i)
		if !name.IsExported() || v.Field(i).IsZero() || name.Type.Kind() == reflect.Func {
			continue
		}
		text, err := valueOf(v.Field(i))
		if err != nil {
			return nil, err
		}
		fields[name.Name] = text
	}

	return fields, nil
}

// valueOf writes a field: an error as a node, what may be anything as an error or a text, and errors within lists too.
func valueOf(v reflect.Value) (json.RawMessage, error) {
	switch t := v.Type(); {
	case t == errorType:
		return json.Marshal(nodeOf(v.Interface().(error)))
	case t == anyType:
		if err, isError := v.Interface().(error); isError {
			node := nodeOf(err)
			node.Error = true

			return json.Marshal(node)
		}

		return json.Marshal(textNode(fmt.Sprint(v.Interface())))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		list := make([]map[string]json.RawMessage, v.Len())
		for i := range list {
			fields, err := fieldsOf(v.Index(i))
			if err != nil {
				return nil, err
			}
			list[i] = fields
		}

		return json.Marshal(list)
	case t.Kind() == reflect.Struct:
		fields, err := fieldsOf(v)
		if err != nil {
			return nil, err
		}

		return json.Marshal(fields)
	}

	return json.Marshal(v.Interface())
}

// setFields reads what fieldsOf has written.
func setFields(v reflect.Value, fields map[string]json.RawMessage) error {
	for name, text := range fields {
		if f := v.FieldByName(name); f.IsValid() {
			if err := setValue(f, text); err != nil {
				return err
			}
		}
	}

	return nil
}

func setValue(v reflect.Value, text json.RawMessage) error {
	switch t := v.Type(); {
	case t == errorType, t == anyType:
		var node errorNode
		if err := json.Unmarshal(text, &node); err != nil {
			return err
		}
		if t == anyType && !node.Error {
			v.Set(reflect.ValueOf(node.text()))
		} else {
			v.Set(reflect.ValueOf(node.error()))
		}

		return nil
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, fields := range list {
			if err := setFields(v.Index(i), fields); err != nil {
				return err
			}
		}

		return nil
	case t.Kind() == reflect.Struct:
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return err
		}

		return setFields(v, fields)
	}

	return json.Unmarshal(text, v.Addr().Interface())
}
