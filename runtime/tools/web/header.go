package web

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

// Bounds of the headers of one request.
const (
	mostHeaders    = 64
	longestHeaders = 32 << 10 // bytes of all names and values
)

// owned are the headers that describe how a message is carried, or to whom: they are the client's.
var owned = []string{
	"Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate",
	"Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// field is a header as a model wrote it.
type field struct{ name, value string }

var errHeaders = errors.New(`headers: write {"Accept": "text/plain"}`)

// parseFields reads the argument headers: an object, or, as older skills have it, a list of objects
// with a header or a name and a value each.
func parseFields(args json.RawMessage) ([]field, error) {
	if len(args) == 0 || string(args) == "null" {
		return nil, nil
	}
	objects := []map[string]string{nil}
	if args[0] == '[' {
		if json.Unmarshal(args, &objects) != nil {
			return nil, errHeaders
		}
	} else if json.Unmarshal(args, &objects[0]) != nil {
		return nil, errHeaders
	}

	var fields []field
	for _, object := range objects {
		name, named := object["name"]
		value, valued := object["value"]
		if named && valued && len(object) == 2 {
			fields = append(fields, field{name, value})

			continue
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			fields = append(fields, field{name, object[name]})
		}
	}

	return fields, nil
}

// headerOf makes the header of a request. Errors: *refusal.
func headerOf(fields []field, v *variables) (http.Header, error) {
	if len(fields) > mostHeaders {
		return nil, newRefusal("a request may have %d headers", mostHeaders)
	}
	header, length := http.Header{}, 0
	for _, f := range fields {
		name := textproto.CanonicalMIMEHeaderKey(f.name)
		if !isToken(name) {
			return nil, newRefusal("%q is not the name of a header", f.name)
		}
		if slices.Contains(owned, name) {
			return nil, newRefusal("the header %s is not yours to set", name)
		}
		value, err := v.expandText(f.value, false, asItIs)
		if err != nil {
			return nil, err
		}
		if strings.ContainsFunc(value, isControl) {
			return nil, newRefusal("the value of header %s has a line break or another control character", name)
		}
		length += len(name) + len(value)
		if length > longestHeaders {
			return nil, newRefusal("the headers of a request may have %d bytes", longestHeaders)
		}
		header.Add(name, value)
	}

	return header, nil
}

func asItIs(value string) string { return value }

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// isToken reports whether a text can be the name of a header (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	for _, c := range []byte(name) {
		isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		isDigit := c >= '0' && c <= '9'
		if !isLetter && !isDigit && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}

	return name != ""
}
