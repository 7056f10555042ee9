package web

import (
	"net/netip"
	"slices"
)

// reserved are the networks of which no address is public: those of IANA's special-purpose
// registries for IPv4, and of IPv6 those within what is given out at all.
var reserved = parseNetworks(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

var (
	// given is what of IPv6 is given out to the public.
	given = netip.MustParsePrefix("2000::/3")
	// translated are addresses whose last 32 bits are one of IPv4, to which a translator leads.
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

// metadata are the addresses at which clouds tell their machines keys: those of AWS (also for
// containers), Google and Azure, Azure's host, Alibaba and Oracle.
var metadata = parseNetworks(
	"169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32", "fd00:ec2::254/128", "fd00:ec2::23/128", "fd20:ce::254/128",
	"168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32",
)

func parseNetworks(texts ...string) []netip.Prefix {
	prefixes := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		prefixes[i] = netip.MustParsePrefix(text)
	}

	return prefixes
}

func isWithin(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// unwrapIPv4 returns the IPv4 address that an IPv6 address wraps, else the address, without a zone.
func unwrapIPv4(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if translated.Contains(addr) {
		bytes := addr.As16()

		return netip.AddrFrom4([4]byte(bytes[12:]))
	}

	return addr
}

// isPublic reports whether a plain address is reachable from everywhere, and not close to this
// machine.
func isPublic(addr netip.Addr) bool {
	switch {
	case isWithin(reserved, addr), isWithin(metadata, addr):
		return false
	case addr.Is6():
		return given.Contains(addr)
	}

	return addr.Is4()
}

// describeAddress describes an address that is not public.
func describeAddress(addr netip.Addr) string {
	switch {
	case isWithin(metadata, addr):
		return "where clouds tell their machines keys"
	case addr.IsLoopback(), addr.IsUnspecified():
		return "this machine"
	case addr.IsLinkLocalUnicast():
		return "link-local"
	case addr.IsPrivate():
		return "private"
	}

	return "not public"
}
