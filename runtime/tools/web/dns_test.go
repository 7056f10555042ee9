package web

import (
	"context"
	"encoding/binary"
	"net"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// names is a server of names on the loopback: it answers each question for addresses of IPv4 with the next of its answers.
type names struct {
	conn net.PacketConn

	mu      sync.Mutex
	answers [][]netip.Addr
	asked   int
}

func serveNames(t *testing.T, answers ...[]netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &names{conn: conn, answers: answers}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.serve()
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
	})

	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer

		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func (s *names) serve() {
	packet := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(packet)
		if err != nil {
			return
		}
		_, _ = s.conn.WriteTo(s.reply(packet[:n]), from)
	}
}

// reply repeats the question (RFC 1035, section 4) and puts the addresses behind it.
func (s *names) reply(question []byte) []byte {
	const head = 12
	end := head
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5 // the last length, the type and the class
	reply := append([]byte{}, question[:end]...)
	binary.BigEndian.PutUint16(reply[2:], 0x8180)
	for at := 6; at < head; at += 2 {
		binary.BigEndian.PutUint16(reply[at:], 0)
	}
	const typeA = 1
	if binary.BigEndian.Uint16(question[end-4:]) != typeA {
		return reply
	}

	s.mu.Lock()
	addrs := s.answers[s.asked%len(s.answers)]
	s.asked++
	s.mu.Unlock()
	binary.BigEndian.PutUint16(reply[6:], uint16(len(addrs)))
	for _, addr := range addrs {
		reply = append(reply, 0xc0, head, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4)
		reply = append(reply, addr.AsSlice()...)
	}

	return reply
}

func addrs(texts ...string) []netip.Addr {
	list := make([]netip.Addr, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParseAddr(text)
	}

	return list
}

// TestNameThatLeadsInside: a name that is allowed does not make the address that it leads to allowed.
func TestNameThatLeadsInside(t *testing.T) {
	s := serve(t, answers("secret"))
	for addr, nature := range map[string]string{
		"127.0.0.1": "this machine", "0.0.0.0": "this machine", "10.1.2.3": "private", "169.254.1.1": "link-local",
		"169.254.169.254": "where clouds tell their machines keys", "100.64.0.1": "not public",
	} {
		want := "rebind.test leads to " + addr + ", which is " + nature + ": it is reached only if http.allow has that address"
		for _, allow := range []string{"rebind.test:*", "*.test:*", "*:*"} {
			set := open(t, Tools{Allow: []string{allow}, Resolver: serveNames(t, addrs(addr))})
			if got := get(t, set, s.named("rebind.test")); got.Problem != want || got.Text != "" {
				t.Errorf("%s at %s: %+v", allow, addr, got)
			}
		}
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("%d requests came", n)
	}

	// It is reached once the list has the address, or its network; an address at another port does not help.
	for allow, reached := range map[string]bool{
		s.host(): true, "127.0.0.1:*": true, "127.0.0.0/8": true,
		"127.0.0.1": false, "127.0.0.1:1": false, "10.0.0.0/8": false, "localhost:*": false,
	} {
		set := open(t, Tools{Allow: []string{"rebind.test:*", allow}, Resolver: serveNames(t, addrs("127.0.0.1"))})
		if got := get(t, set, s.named("rebind.test")); (got.Text == "secret") != reached {
			t.Errorf("with %s: %+v", allow, got)
		}
	}
}

// TestNameThatChanges: what counts is where each connection goes, not where the name led before.
func TestNameThatChanges(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this system has one address for itself: ", err)
	}
	harmless := httptest.NewUnstartedServer(answers("harmless"))
	_ = harmless.Listener.Close()
	harmless.Listener = listener
	harmless.Start()
	defer harmless.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	inside, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		t.Skip("the port is taken: ", err)
	}
	connected := make(chan struct{}, 100)
	go func() {
		for {
			conn, err := inside.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
			connected <- struct{}{}
		}
	}()
	defer inside.Close()

	resolver := serveNames(t, addrs("127.0.0.2"), addrs("127.0.0.1"), addrs("127.0.0.1", "127.0.0.2"))
	set := open(t, Tools{Allow: []string{"flip.test:*", "127.0.0.2:*"}, Resolver: resolver})
	well := 0
	for range 12 {
		got := run(t, set, "http_post", `{"url":"http://flip.test:`+port+`/","body":""}`)
		switch {
		case got.Text == "harmless":
			well++
		case !strings.Contains(got.Problem, "127.0.0.1, which is this machine"):
			t.Errorf("%+v", got)
		}
	}
	if well < 4 || len(connected) != 0 {
		t.Errorf("%d of 12 went well, %d led inside", well, len(connected))
	}
}

func TestLocalhost(t *testing.T) {
	s := serve(t, answers("here"))
	for allow, reached := range map[string]bool{
		"localhost:*": true, "localhost:" + s.port(): true, "*:*": false, "localhost": false,
	} {
		if got := get(t, open(t, Tools{Allow: []string{allow}}), s.named("localhost")); (got.Text == "here") != reached {
			t.Errorf("%s: %+v", allow, got)
		}
	}

	rules, _ := parseRules([]string{"localhost:*"})
	if err := (hosts{rules: rules}).checkAddress(localhost, netip.MustParseAddrPort("10.1.2.3:80")); err == nil {
		t.Error("localhost is another machine")
	}
}

func TestUnknownName(t *testing.T) {
	set := open(t, Tools{Allow: []string{"nowhere.test"}, Resolver: serveNames(t, nil)})
	if got := get(t, set, "https://nowhere.test/?k=${API_KEY}"); got.Problem != "the host nowhere.test cannot be found" {
		t.Errorf("%+v", got)
	}
}
