package web

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPublic(t *testing.T) {
	for want, texts := range map[bool]string{
		true: "1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 192.167.0.1 100.63.0.1 223.255.255.255 2606:4700::1111 " +
			"2a00:1450::1 64:ff9b::1.1.1.1 ::ffff:8.8.8.8",
		false: "0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.255 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.0.1 " +
			"169.254.169.254 100.64.0.1 100.127.255.255 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 " +
			"198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 " +
			":: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 " +
			"fd00:ec2::254 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 64:ff9b::127.0.0.1 64:ff9b::169.254.169.254 " +
			"64:ff9b:1::1 100::1 3fff::1 4000::1",
	} {
		for text := range strings.FieldsSeq(texts) {
			if got := isPublic(unwrapIPv4(netip.MustParseAddr(text))); got != want {
				t.Errorf("%s: public is %v", text, got)
			}
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
		if !ok || !isPublic(unwrapIPv4(addr)) {
			return
		}
		for _, a := range []netip.Addr{addr, addr.Unmap(), unwrapIPv4(addr)} {
			if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() {
				t.Fatalf("%s is public", addr)
			}
		}
		if again := unwrapIPv4(unwrapIPv4(addr)); again != unwrapIPv4(addr) {
			t.Fatalf("%s is %s", addr, again)
		}
	})
}
