package gen_test

// errorPrinter is a part of the players: it prints errors by their codes and fields, so that cases do not hold their sentences.
const errorPrinter = `package main

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
)

// errorText returns the codes and the fields of an error and its causes, a line each. An error without a code, fields or causes is
// its text.
func errorText(err error) string { return strings.Join(errorLines(err), "\n") }

func errorLines(err error) []string {
	head := strings.TrimSpace(codeOf(err) + " " + fieldsOf(err))
	causes := causesOf(err)
	if head == "" && len(causes) == 0 {
		return []string{err.Error()}
	}
	var lines []string
	indent := ""
	if head != "" {
		lines, indent = append(lines, head), "  "
	}
	for _, cause := range causes {
		for _, line := range errorLines(cause) {
			lines = append(lines, indent+line)
		}
	}

	return lines
}

func codeOf(err error) string {
	if coded, is := err.(interface{ ErrorType() string }); is {
		return coded.ErrorType()
	}

	return ""
}

func causesOf(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	if cause := errors.Unwrap(err); cause != nil {
		return []error{cause}
	}

	return nil
}

// notFields are members of errors that are codes, causes, sentences, or different each time.
var notFields = []string{"Code", "Err", "Failed", "Problem", "Message", "Hint", "Stack"}

// fieldsOf returns the fields of an error that have a value, as JSON. Of an error that is a code and a sentence, they are the names in
// the sentence.
func fieldsOf(err error) string {
	fields, isObject := plainValue(reflect.ValueOf(err)).(map[string]any)
	if !isObject {
		return ""
	}
	if _, hasCode := fields["Code"]; hasCode {
		return namesIn(err.Error())
	}
	for _, name := range notFields {
		delete(fields, name)
	}
	if len(fields) == 0 {
		return ""
	}
	text, failed := json.Marshal(fields)
	if failed != nil {
		return failed.Error()
	}

	return string(text)
}

// plainValue returns a value without functions, empty fields and fields that are not exported.
func plainValue(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid, reflect.Func, reflect.Chan:
		return nil
	case reflect.Pointer, reflect.Interface:
		return plainValue(v.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || v.Field(i).IsZero() {
				continue
			}
			if value := plainValue(v.Field(i)); value != nil {
				fields[f.Name] = value
			}
		}
		return fields
	case reflect.Slice:
		if text, isBytes := v.Interface().([]byte); isBytes {
			return string(text)
		}
		items := []any{}
		for i := range v.Len() {
			items = append(items, plainValue(v.Index(i)))
		}
		return items
	}

	return v.Interface()
}

// nameOrNumber is a name that a sentence quotes, or a number.
var nameOrNumber = regexp.MustCompile("\"[^\"]*\"|[0-9]+")

// namesIn returns the names and the numbers of a sentence.
func namesIn(sentence string) string {
	return strings.Join(nameOrNumber.FindAllString(sentence, -1), " ")
}
`
