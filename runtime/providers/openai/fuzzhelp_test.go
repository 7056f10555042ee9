package openai

import (
	"io"
	"net/http"
	"net/url"
)

// responseOf is a response with a body.
func responseOf(body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(body),
		Request: &http.Request{URL: &url.URL{Scheme: "http", Host: "localhost"}},
	}
}
