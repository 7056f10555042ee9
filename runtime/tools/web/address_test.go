package web

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"1.1.1.1": true, "8.8.8.8": true, "172.15.0.1": true, "172.32.0.1": true, "192.167.0.1": true, "100.63.0.1": true, "223.255.255.255": true,
		"2606:4700::1111": true, "2a00:1450::1": true, "64:ff9b::1.1.1.1": true, "::ffff:8.8.8.8": true,
		"0.0.0.0": false, "0.1.2.3": false, "127.0.0.1": false, "127.255.255.255": false, "10.0.0.1": false, "172.16.0.1": false,
		"172.31.255.255": false, "192.168.0.1": false, "169.254.0.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false,
		"100.100.100.200": false, "168.63.129.16": false, "192.0.0.192": false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.1": false,
		"203.0.113.1": false, "192.88.99.1": false, "224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::127.0.0.1": false, "::ffff:127.0.0.1": false, "::ffff:0:127.0.0.1": false, "fe80::1": false, "fe80::1%eth0": false,
		"fec0::1": false, "fc00::1": false, "fd00:ec2::254": false, "ff02::1": false, "2001::1": false, "2001:db8::1": false, "2002:7f00:1::": false,
		"64:ff9b::127.0.0.1": false, "64:ff9b::169.254.169.254": false, "64:ff9b:1::1": false, "100::1": false, "3fff::1": false, "4000::1": false,
	} {
		if got := public(plain(netip.MustParseAddr(text))); got != want {
			t.Errorf("%s: public is %v", text, got)
		}
	}
}

// FuzzPublic holds the table of networks against what the standard library knows of addresses.
func FuzzPublic(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte{169, 254, 169, 254})
	f.Add(netip.MustParseAddr("::ffff:10.0.0.1").AsSlice())
	f.Add(netip.MustParseAddr("64:ff9b::10.0.0.1").AsSlice())
	f.Add(netip.MustParseAddr("fd00::1").AsSlice())
	f.Fuzz(func(t *testing.T, bytes []byte) {
		addr, ok := netip.AddrFromSlice(bytes)
		if !ok || !public(plain(addr)) {
			return
		}
		for _, a := range []netip.Addr{addr, addr.Unmap(), plain(addr)} {
			if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() || a.IsLinkLocalMulticast() ||
				a.IsInterfaceLocalMulticast() {
				t.Fatalf("%s is public", addr)
			}
		}
		if again := plain(plain(addr)); again != plain(addr) {
			t.Fatalf("%s is %s", addr, again)
		}
	})
}
