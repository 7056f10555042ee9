package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// largestBody is how many bytes a request may have.
const largestBody = 16 << 20

// readBody decodes the body of a request. A field that is not known is a mistake, so that a misspelled one is not passed over, and so is one
// that lacks: an answer without its value is not an empty one.
func readBody[T any](w http.ResponseWriter, r *http.Request) (in T, err error) {
	if form, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || form != "application/json" {
		const text = "the body has to be application/json, and Content-Type says %q"
		return in, newRequestError(http.StatusUnsupportedMediaType, "ContentTypeError", text, r.Header.Get("Content-Type"))
	}
	text, err := decodeOne(json.NewDecoder(http.MaxBytesReader(w, r.Body, largestBody)))
	if err == nil {
		err = decodeStruct(text, &in)
	}
	if name, isDoubled := jsontext.Doubled(text); err == nil && isDoubled {
		err = fmt.Errorf("it has %q twice", name)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return in, newRequestError(http.StatusRequestEntityTooLarge, "TooLargeError", "the body has more than %d bytes", largestBody)
	case errors.Is(err, io.EOF):
		return in, newRequestError(http.StatusBadRequest, "BodyError", "the body is empty")
	case err != nil:
		return in, newRequestError(http.StatusBadRequest, "BodyError", "the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
	}

	return in, nil
}

// decodeOne reads the only value of an input.
func decodeOne(d *json.Decoder) (text json.RawMessage, err error) {
	if err := d.Decode(&text); err != nil {
		return nil, err
	}
	if _, more := d.Token(); !errors.Is(more, io.EOF) {
		return nil, errors.New("something follows the object")
	}

	return text, nil
}

// decodeStruct decodes an object into a struct. All fields that the description requires must be
// there.
func decodeStruct(text []byte, into any) error {
	var given map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var mistyped *json.UnmarshalTypeError
	if err := d.Decode(into); errors.As(err, &mistyped) {
		return fmt.Errorf("%s has to be %s, not %s", cmp.Or(mistyped.Field, "it"), jsonKinds[mistyped.Type.Kind()], mistyped.Value)
	} else if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	if given == nil {
		return errors.New("it is null, and has to be an object")
	}
	for _, name := range requiredOf(reflect.TypeOf(into).Elem()) {
		if value := given[name]; value == nil || string(value) == "null" {
			return fmt.Errorf("%s is missing", name)
		}
	}

	return nil
}

// jsonKinds are what a value of a Go type is in JSON.
var jsonKinds = map[reflect.Kind]string{
	reflect.Struct: "an object", reflect.String: "a string", reflect.Bool: "true or false",
}

// requiredOf are the fields that have to be there in the body of a request.
func requiredOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); options == "" && name != "-" {
			names = append(names, name)
		}
	}

	return names
}

func newRequestError(status int, name, format string, args ...any) error {
	return &requestError{Status: status, Type: name, Problem: fmt.Sprintf(format, args...)}
}

// checkRun refuses a path that names no run: what cannot be the name of one is one that does not exist.
func checkRun(r *http.Request) error {
	run := r.PathValue("run")
	if run == "" || journal.CheckRun(run) == nil {
		return nil
	}
	const enough = 64

	return unknownRun(strconv.QuoteToASCII(run[:min(len(run), enough)]))
}

// checkQuery returns an error for a parameter that the operation does not have.
func (o *operation) checkQuery(r *http.Request) error {
	for name := range r.URL.Query() {
		if o.query != nil && !slices.Contains(o.query, name) {
			return newRequestError(http.StatusBadRequest, "QueryError", "the query has %q, and may have %s", name, strings.Join(o.query, ", "))
		}
	}

	return nil
}

// readNumber returns a whole number of the query, or the default.
func readNumber(r *http.Request, name string, least, most, without int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return without, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, newRequestError(http.StatusBadRequest, "QueryError", "%s is a whole number from %d to %d, not %q", name, least, most, text)
	}

	return n, nil
}

// writeJSON answers with a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	b := &body{w: w, status: status}
	if err := json.NewEncoder(b).Encode(value); err != nil && !b.begun {
		return err
	}

	return nil // a client that has gone needs no error
}

// body sends what is written to it, and makes no copy of it.
type body struct {
	w      http.ResponseWriter
	status int
	begun  bool
}

// Write implements io.Writer.
func (b *body) Write(text []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.w.Header().Set("Content-Type", "application/json")
		b.w.WriteHeader(b.status)
	}

	return len(text), sendPieces(b.w, http.NewResponseController(b.w), text, bodyWriteTime)
}

// writeError answers with an error.
func writeError(w http.ResponseWriter, err error) {
	_ = writeJSON(w, statusOf(err), problemOf(err))
}
