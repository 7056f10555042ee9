package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// FuzzEvents: events are read as a slower reader reads them that splits the whole text into lines, however the bytes come in.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\ndata: b\n\n", "data:a\r\n\r\ndata:  b\r\r", "data\n\ndata: x\ndata\ndata: y\n\n",
		": comment\n\nid: 1\nretry: 5\n\n",
		"data: {\"a\":1}", "data: [DONE]", "data\n\ndata: \ndata\n\ndata: 1\n\ndata: ", "data: half", "\n\r\n\r", "event: x\ndata: 1\n\ndata",
		"data: \xff\x00\n\n", "datas: x\n\nDATA: y\n\n", "event: error\ndata: x\n\ndata: y\n\n", "event: error\n\n", "error: x\n\n{\"error\":1}\n\n",
		"event: error\nevent: x\ndata: 1\n\nerror",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, slowly bool) {
		var in io.Reader = strings.NewReader(text)
		if slowly {
			in = iotest.OneByteReader(in)
		}
		stream := NewEvents(bufio.NewReader(in))
		var got []string
		var end error
		for end == nil {
			var data []byte
			if data, end = stream.Next(); end == nil {
				got = append(got, marked(string(data), stream.IsError()))
			}
		}
		want, cut := plainEvents(text)
		if !slices.Equal(got, want) || errors.Is(end, io.ErrUnexpectedEOF) != cut {
			t.Errorf("%q:\ngot  %q, %v\nwant %q, %v", text, got, end, want, cut)
		}
	})
}

// plainEvents is what the events of a text are. cut says that the end cuts one off.
func plainEvents(text string) (events []string, cut bool) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var data []string
	isError := false
	for i, line := range lines {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		isBare := strings.HasPrefix(line, `{"error"`)
		switch {
		case isBare:
			data, isError = append(data, line), true
		case field == "data" || field == "error":
			data, isError = append(data, value), isError || field == "error"
		case field == "event":
			isError = value == "error"
		}
		last := i == len(lines)-1
		if data == nil && !isError || line != "" && !last {
			continue
		}
		whole := strings.Join(data, "\n")
		switch {
		case isError || strings.TrimSpace(whole) != "" && (!last || json.Valid([]byte(whole)) || whole == Done):
			events = append(events, marked(whole, isError))
		case strings.TrimSpace(whole) != "":
			return events, true
		}
		data, isError = nil, false
	}

	return events, false
}

// marked is the data of an event, with a mark if it reports an error.
func marked(data string, isError bool) string {
	if isError {
		return "error: " + data
	}

	return data
}

// FuzzRefusal: whatever a server sends with an error, it comes to one short line that has no key.
func FuzzRefusal(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"message":"no","code":429,"details":[{"retryDelay":"1.5s"}]}}`, `[{"error":"no"}]`, `{"detail":["no"]}`, "no",
		"<html><TITLE>502 Bad Gateway</Title>", "<" + strings.Repeat("\xff", 40) + "<title>caf\xe9</title>",
		"<" + strings.Repeat("Ⱥ", 40) + "<title>Ⱥ</title>", "<" + strings.Repeat("İ", 40) + "<title>İ</title>",
	} {
		f.Add(502, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		k := Key{Secret: "sk-0123456789"}
		response := &http.Response{
			StatusCode: status, Header: http.Header{}, Request: &http.Request{URL: &url.URL{Scheme: "http", Host: "localhost"}},
			Body: io.NopCloser(bytes.NewReader(body)),
		}
		refusal := Refused(k, response)
		text := refusal.Message + refusal.Code + refusal.Kind + refusal.Param
		if strings.Contains(text, k.Secret) || strings.ContainsAny(text, "\x00\x1b\r\n") ||
			len(refusal.Message) > MaxMessage+3 || !utf8.ValidString(text) {
			t.Errorf("%q", text)
		}
		if refusal.Class == "" || refusal.RetryAfter < 0 || refusal.RetryAfter > mostWait {
			t.Errorf("%+v", refusal)
		}
	})
}

// FuzzArguments: what a model wrote as arguments comes back as an object, unchanged if it is one.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"{}", "", " {\"a\": 1}", "[1]", "{", "\xff", "{}{}", "\u2028"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, args, name string) {
		made := Arguments(args)
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(made), &object); err != nil || object == nil {
			t.Errorf("%q became %q: %v", args, made, err)
		}
		var was map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &was) == nil && was != nil && made != args {
			t.Errorf("%q became %q", args, made)
		}
		made = CallName(name)
		if made == "" || len(made) > MaxName || strings.ContainsFunc(made, func(r rune) bool { return r > 'z' || !NameByte(byte(r)) }) {
			t.Errorf("%q became %q", name, made)
		}
	})
}
