package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// readAnswer reads the whole text of an answer, of at most limit bytes. The problem explains to a
// model why there is none.
func readAnswer(response *http.Response, limit int64) (text, problem string, err error) {
	kind, charset := contentType(response.Header)
	if !isText(kind) {
		return "", "the answer is " + kind + ", which is not text", nil
	}
	if coding := response.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "", fmt.Sprintf("the answer is packed as %q, which was not asked for", clipText(coding)), nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return "", "", err
	}
	cut := int64(len(body)) > limit
	if cut {
		body = trimPartialRune(body[:limit])
	}
	text, problem = decodeText(body, kind, charset)
	if kind == "text/html" || kind == "application/xhtml+xml" {
		text = pageText(text, pageOf(response.Request))
	}
	if cut && problem == "" {
		text += fmt.Sprintf("\n\n[The answer is cut here: it has more than the %d bytes that are read of one.]", limit)
	}

	return text, problem, nil
}

// trimPartialRune returns a text that was cut, without the part of a character at its end.
func trimPartialRune(body []byte) []byte {
	for back := 1; back <= min(utf8.UTFMax, len(body)); back++ {
		if last := body[len(body)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return body[:len(body)-back]
			}

			break
		}
	}

	return body
}

// pageOf is the address of a page, for its links: without what may have values of variables.
func pageOf(request *http.Request) *url.URL {
	return &url.URL{Scheme: request.URL.Scheme, Host: request.URL.Host, Path: request.URL.Path}
}

// contentType is the kind of an answer and its charset, in lower case; both are "" where the server
// does not say.
func contentType(header http.Header) (kind, charset string) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return "", ""
	}

	return clipText(kind), strings.ToLower(params["charset"])
}

// texts are kinds of application/… that are text.
var texts = map[string]bool{
	"application/json": true, "application/x-ndjson": true, "application/jsonl": true, "application/xml": true,
	"application/yaml": true, "application/x-yaml": true, "application/toml": true, "application/rtf": true,
	"application/javascript": true, "application/x-javascript": true, "application/ecmascript": true,
	"application/sql": true, "application/graphql": true, "application/x-sh": true, "application/x-www-form-urlencoded": true,
	// What a server does not know is judged by what it is.
	"application/octet-stream": true, "": true,
}

// isText reports whether an answer of a kind may be text.
func isText(kind string) bool {
	_, suffix, _ := strings.Cut(kind, "+")

	hasTextSuffix := suffix == "json" || suffix == "xml" || suffix == "yaml"

	return strings.HasPrefix(kind, "text/") || texts[kind] || hasTextSuffix
}

// inPage finds the charset that a page of HTML gives itself.
var inPage = regexp.MustCompile(`(?i)<meta[^>]{0,200}charset=["']?([a-z0-9_-]+)`)

// decodeText converts the text of a body to UTF-8; the problem is the reason why it cannot.
func decodeText(body []byte, kind, charset string) (text, problem string) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if charset == "" && !utf8.Valid(body) && strings.Contains(kind, "html") {
		if found := inPage.FindSubmatch(body[:min(len(body), 1024)]); found != nil {
			charset = strings.ToLower(string(found[1]))
		}
	}
	switch charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
			return "", "the answer is not text in UTF-8"
		}

		return string(body), ""
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		return decodeWestern(body), ""
	}

	return "", fmt.Sprintf("the answer is in %q, which cannot be read here", clipText(charset))
}

// windows1252 are the characters 0x80 to 0x9f of windows-1252, which is also what is meant by
// iso-8859-1 on the web.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func decodeWestern(body []byte) string {
	var text strings.Builder
	for _, b := range body {
		if b >= 0x80 && b < 0xa0 {
			text.WriteRune(windows1252[b-0x80])
		} else {
			text.WriteRune(rune(b))
		}
	}

	return text.String()
}

// clipText bounds what a server says of itself.
func clipText(text string) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}

	return text
}
