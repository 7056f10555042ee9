package openai

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/agentc-dev/agentc/runtime"
)

// brokenError is an exchange that came to no end, or to one that is no reply.
type brokenError struct {
	class     runtime.ModelErrorClass
	message   string
	requestID string
	err       error
}

func (e *brokenError) Error() string { return e.message }

func (e *brokenError) Unwrap() error { return e.err }

func broken(class runtime.ModelErrorClass, message string) *brokenError {
	return &brokenError{class: class, message: message}
}

// cut is a reply whose end is missing.
func cut(err error) *brokenError {
	return &brokenError{class: runtime.ModelNetwork, message: "the reply was cut off", err: err}
}

// network is what went wrong below HTTP. The address is shown without its query, unlike in the errors of net/http.
func (m *Model) network(err error) *brokenError {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	b := &brokenError{class: runtime.ModelNetwork, message: m.address.shown + ": " + err.Error(), err: err}
	var dns *net.DNSError
	switch {
	case distrusted(err):
		b.class = runtime.ModelOther
		b.message = m.address.shown + ": the server cannot be trusted: " + err.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		b.message = "nobody answers at " + m.address.shown + ": is the server running?"
	case errors.As(err, &dns) && dns.IsNotFound:
		b.message = "there is no host " + dns.Name + " (" + m.address.shown + ")"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		b.message = m.address.shown + ": the connection was closed before the end of the reply"
	}

	return b
}

// distrusted reports whether an error is about who the server is: another attempt will not change that.
func distrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var host x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError

	return errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, &verification) || errors.As(err, &record) ||
		errors.As(err, &alert) || errors.As(err, &host) || errors.As(err, &authority) || errors.As(err, &invalid)
}
