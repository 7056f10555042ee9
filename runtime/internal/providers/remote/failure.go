package remote

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Broken is an exchange that reached no end, or one that is not a reply.
type Broken = model.Error

// NewBroken is an exchange that failed for no reason but the one that the message says.
func NewBroken(class model.Class, message string) *Broken {
	return &Broken{Class: class, Message: message}
}

// Cut is a reply whose end is missing.
func Cut(err error) *Broken {
	return &Broken{Class: model.Network, Message: "the reply was cut off", Err: err}
}

// network is what went wrong below HTTP.
func (e *Endpoint) network(err error) *Broken {
	var header tls.RecordHeaderError
	if errors.As(err, &header) && string(header.RecordHeader[:]) == "HTTP/" {
		err = http.ErrSchemeMismatch
	}
	b := &Broken{Class: model.Network, Message: e.Address.Shown + ": " + err.Error(), Err: err}
	var dns *net.DNSError
	switch {
	case distrusted(err):
		b.Class = model.Other
		b.Message = e.Address.Shown + ": the server cannot be trusted: " + err.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		b.Message = "no server answers at " + e.Address.Shown + ": is the server running?"
	case errors.As(err, &dns) && dns.IsNotFound:
		b.Message = "there is no host " + dns.Name + " (" + e.Address.Shown + ")"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		b.Message = e.Address.Shown + ": the connection was closed before the end of the reply"
	}

	return b
}

// distrusted reports whether an error is about who the server is: another attempt will not change that.
func distrusted(err error) bool {
	isOfTLS := errs.Is[tls.RecordHeaderError](err) || errs.Is[tls.AlertError](err) || errs.Is[*tls.CertificateVerificationError](err)
	isOfCertificate := errs.Is[x509.HostnameError](err) || errs.Is[x509.UnknownAuthorityError](err) || errs.Is[x509.CertificateInvalidError](err)

	return isOfTLS || isOfCertificate || errors.Is(err, http.ErrSchemeMismatch)
}

// Unreadable is a reply that is not JSON, or JSON of another form, unless it is a *Broken already.
func Unreadable(err error) error {
	switch {
	case errs.Is[*Broken](err):
		return err
	case err.Error() == "unexpected end of JSON input":
		return Cut(io.ErrUnexpectedEOF)
	}

	return &Broken{Class: model.Server, Message: "the reply cannot be read: " + err.Error(), Err: err}
}
