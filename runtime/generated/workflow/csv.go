package workflow

import (
	"slices"
	"strings"
)

// ToCSV is to_csv(rows, headers): a line for the headers and one for each object in rows, each
// followed by CRLF. One object is one row. The columns are headers or, without any, all names that
// the objects have, sorted. Fields are rendered as in a template. Only fields that need quotes have
// them, and line ends in them stay as they are.
func (rows Value) ToCSV(headers Value) (Value, error) {
	arg := argument{"to_csv", "rows", rows}
	objects, err := arg.asRows()
	if err != nil {
		return Value{}, err
	}
	for i, object := range objects {
		if object.Kind() != kindObject {
			return Value{}, arg.mismatchErrorAt(formatIndex(i), "an object", object)
		}
	}
	columns, given, err := argument{"to_csv", "headers", headers}.asTexts()
	if err != nil {
		return Value{}, err
	}
	if !given {
		columns = collectNames(objects)
	}

	return Text(renderCSV(columns, objects)), nil
}

// collectNames returns the names of all members, sorted.
func collectNames(objects []Value) []string {
	var all []string
	for _, object := range objects {
		for name := range object.Members() {
			all = append(all, name)
		}
	}
	slices.Sort(all)

	return slices.Compact(all)
}

func renderCSV(columns []string, rows []Value) string {
	if len(columns) == 0 {
		return ""
	}
	var b strings.Builder
	writeRecord(&b, columns)
	fields := make([]string, len(columns))
	for _, row := range rows {
		for i, column := range columns {
			fields[i] = row.Get(column).String()
		}
		writeRecord(&b, fields)
	}

	return b.String()
}

// writeRecord writes a line of RFC 4180. The writer of encoding/csv would change line ends inside
// of fields.
func writeRecord(b *strings.Builder, fields []string) {
	for i, field := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		// An empty field that is alone would be an empty line, which readers skip.
		if strings.ContainsAny(field, "\",\r\n") || field == "" && len(fields) == 1 {
			field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
		}
		b.WriteString(field)
	}
	b.WriteString("\r\n")
}
