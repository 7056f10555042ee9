package sqlstore

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/size"
)

// Lease is how long the lease of an owner lasts unless the address of the store says otherwise, and the shortest and the longest that it
// can say.
const (
	Lease    = 10 * time.Second
	shortest = 100 * time.Millisecond
	longest  = time.Hour
)

// CutLease takes the lease out of an address, as in ?lease=5s.
func CutLease(address string) (rest string, lease time.Duration, err error) {
	rest, query, found := strings.Cut(address, "?")
	if !found {
		return address, Lease, nil
	}
	var others []string
	lease = Lease
	for _, setting := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(setting, "=")
		if name != "lease" {
			others = append(others, setting)
			continue
		}
		value, err = url.QueryUnescape(value)
		if err == nil {
			lease, err = size.Duration(value)
		}
		if err != nil || lease < shortest || lease > longest {
			return "", 0, fmt.Errorf("lease is a time from %v to %v, such as 5s, not %q", shortest, longest, value)
		}
	}
	if len(others) > 0 {
		rest += "?" + strings.Join(others, "&")
	}

	return rest, lease, nil
}
