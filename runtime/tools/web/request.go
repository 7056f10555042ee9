package web

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// arguments are the arguments of both tools.
type arguments struct {
	URL     string
	Headers json.RawMessage
	Body    string
}

// sendAndRead sends a request and reads the answer.
func (c *caller) sendAndRead(
	ctx context.Context, method string, client *http.Client, in arguments, v *variables,
) runtime.ToolResult {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := c.newRequest(ctx, method, in, v)
	if err != nil {
		return runtime.ToolResult{Problem: err.Error()}
	}
	response, err := client.Do(request)
	if err != nil {
		return runtime.ToolResult{Problem: c.describeFailure(ctx, request, err)}
	}
	defer response.Body.Close()

	text, problem, err := readAnswer(response, c.MaxSize)
	if err != nil {
		problem = c.describeFailure(ctx, request, err)
	}

	return resultOf(response.StatusCode, text, problem)
}

// resultOf makes a result of an answer: an answer without success is a problem, and the model gets
// its text too.
func resultOf(status int, text, problem string) runtime.ToolResult {
	said := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
	well := status >= 200 && status < 300
	switch {
	case well && problem != "":
		return runtime.ToolResult{Problem: problem}
	case well && text == "":
		return runtime.ToolResult{Text: "The server answered " + said + ", without a text."}
	case well:
		return runtime.ToolResult{Text: text}
	case text == "":
		return runtime.ToolResult{Problem: "the server answered " + said}
	}

	return runtime.ToolResult{Problem: "the server answered " + said + ":\n\n" + text}
}

// newRequest makes the request of a call; nothing is sent yet. The errors are for a model.
func (c *caller) newRequest(ctx context.Context, method string, in arguments, v *variables) (*http.Request, error) {
	if err := c.checkAddress(in.URL, v); err != nil {
		return nil, err
	}
	u, err := expandURL(in.URL, v)
	if err != nil {
		return nil, err
	}
	fields, err := parseFields(in.Headers)
	if err != nil {
		return nil, err
	}
	header, err := headerOf(fields, v)
	if err != nil {
		return nil, err
	}
	body, err := c.newBody(header, in.Body, method, v)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, newRefusal("the URL cannot be read")
	}
	request.Header = header
	setDefault(header, "User-Agent", "agentc")
	info, ok := runtime.CallFromContext(ctx)
	if ok && method == http.MethodPost {
		// Whoever gets it twice, because a run was resumed without knowing how it went, can tell.
		setDefault(header, "Idempotency-Key", info.IdempotencyKey())
	}
	if info.Traceparent != "" {
		setDefault(header, "Traceparent", info.Traceparent)
	}

	return request, nil
}

func setDefault(header http.Header, name, value string) {
	if header.Get(name) == "" {
		header.Set(name, value)
	}
}

// checkAddress checks a URL whose variables are not put in yet, so that no value of one can change
// the host, and notes whether values may go there.
func (c *caller) checkAddress(text string, v *variables) error {
	switch {
	case len(text) > longestURL:
		return newRefusal("the URL has %d bytes, and may have %d", len(text), longestURL)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) || strings.Contains(text, `\`):
		return newRefusal("the URL has a character that no URL has")
	}
	u, err := url.Parse(text)
	if err != nil {
		return newRefusal("the URL cannot be read")
	}
	to, variables, err := c.hosts.checkURL(u)
	if err != nil {
		return err
	}
	if !variables {
		v.kept = fmt.Sprintf("%s over %s", to, u.Scheme)
	}

	return nil
}

// expandURL puts the values of variables into a URL that has been checked: behind its host, and so
// that they cannot say anything but themselves.
func expandURL(text string, v *variables) (*url.URL, error) {
	text, err := v.expandText(text, false, func(value string) string {
		return strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
	})
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, newRefusal("the URL cannot be read")
	}
	u.Fragment, u.RawFragment = "", ""

	return u, nil
}

// newBody makes the body of a request, and says in the header what it is unless the model has.
func (c *caller) newBody(header http.Header, text, method string, v *variables) (io.Reader, error) {
	if method == http.MethodGet {
		return nil, nil
	}
	kind, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	escape := asItIs
	switch {
	case json.Valid([]byte(text)):
		escape = inJSON
		setDefault(header, "Content-Type", "application/json")
	case kind == "application/x-www-form-urlencoded":
		escape = url.QueryEscape
	default:
		setDefault(header, "Content-Type", "text/plain; charset=utf-8")
	}
	text, err := v.expandText(text, true, escape)
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > c.MaxSize {
		return nil, newRefusal("the body is too large: it has %d bytes, and may have %d", len(text), c.MaxSize)
	}

	return strings.NewReader(text), nil
}

// inJSON is a value within a string of JSON.
func inJSON(value string) string {
	text, _ := json.Marshal(value)

	return string(text[1 : len(text)-1])
}

// describeFailure explains to a model why there is no answer.
func (c *caller) describeFailure(ctx context.Context, request *http.Request, err error) string {
	var refused *refusal
	var unknown *net.DNSError
	var certificate *tls.CertificateVerificationError
	var at *url.Error
	host := request.URL.Hostname()
	switch {
	case errors.As(err, &refused):
		return refused.reason
	case ctx.Err() != nil:
		return fmt.Sprintf("%s has not answered within %v", host, c.Timeout)
	case errors.As(err, &unknown):
		return fmt.Sprintf("the host %s cannot be found", unknown.Name)
	case errors.As(err, &certificate):
		return fmt.Sprintf("the certificate of %s does not fit: %v", host, certificate.Err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return host + " ended the connection before its answer did"
	case errors.As(err, &at):
		err = at.Err // without the URL, which has the values of variables
	}

	return fmt.Sprintf("%s has not answered: %s", host, strings.ToValidUTF8(err.Error(), "�"))
}
