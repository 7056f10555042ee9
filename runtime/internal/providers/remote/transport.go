package remote

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// shared is the transport of all models, so that they share connections.
var shared = sync.OnceValue(func() http.RoundTripper {
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    30 * time.Second,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    32, // branches ask the same server
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		WriteBufferSize:        32 << 10, // most conversations go out in one piece,
		ReadBufferSize:         16 << 10, // and what has come of a reply is read in one
	}
})

// proxy is the proxy of a request, from the environment. The error of the standard library has the address, and an address of a
// proxy may have a password.
func proxy(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, errors.New("the address of the proxy in HTTP_PROXY or HTTPS_PROXY cannot be understood")
	}

	return u, nil
}
