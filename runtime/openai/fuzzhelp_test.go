package openai

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// responseOf is a response without a body.
func responseOf() *http.Response {
	return &http.Response{
		StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(strings.NewReader("")),
		Request: &http.Request{URL: &url.URL{Scheme: "http", Host: "localhost"}},
	}
}
