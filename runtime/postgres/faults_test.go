package postgres_test

import (
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// proxy stands between a store and the server, until it is cut.
type proxy struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	conns []net.Conn
	isCut bool
}

// newProxy returns a proxy to the server of an address, and the address through it.
func newProxy(t *testing.T, address string) (p *proxy, through string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p = &proxy{listener: l, server: u.Host}
	t.Cleanup(p.cut)
	go p.serve()
	u.Host = l.Addr().String()

	return p, u.String()
}

func (p *proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.server)
		p.mu.Lock()
		if err != nil || p.isCut {
			_ = from.Close()
			p.mu.Unlock()
			continue
		}
		p.conns = append(p.conns, from, to)
		p.mu.Unlock()
		for a, b := range map[net.Conn]net.Conn{from: to, to: from} {
			go func() { _, _ = io.Copy(a, b) }()
		}
	}
}

// cut ends all connections, and lets no new ones through.
func (p *proxy) cut() {
	p.mu.Lock()
	p.isCut = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.drop()
}

// drop ends all connections.
func (p *proxy) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.conns = nil
}

// storeError wants an error of the store with a text.
func storeError(t *testing.T, what string, err error, text string) {
	t.Helper()
	if stored := (*journal.StoreError)(nil); !errors.As(err, &stored) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %v", what, err)
	}
}

func event(name string) journal.Record {
	return journal.Record{Type: journal.Event, Time: time.Now(), Name: name}
}

// When the connection of a server is lost in the midst of its runs, another one takes them over with all that was acknowledged.
func TestTheConnectionIsLost(t *testing.T) {
	address := empty(t) + "&lease=1s"
	p, through := newProxy(t, address)
	away, here := open(t, through), open(t, address)
	const runs = 4
	acknowledged := make([]int, runs)
	var all sync.WaitGroup
	for i := range runs {
		run := string(rune('a' + i))
		w, err := journal.Create(t.Context(), away, run, journal.Record{Time: time.Now(), Name: run})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for {
				w.Append(event("effect"))
				if err := w.Sync(); err != nil {
					storeError(t, "Sync", err, "postgres://")
					break
				}
				acknowledged[i]++
			}
			if err := w.Close(); err == nil {
				t.Error("Close of a journal that has failed")
			}
		})
	}
	time.Sleep(200 * time.Millisecond)
	p.cut()
	all.Wait()
	for i := range runs {
		run := string(rune('a' + i))
		var j *journal.Journal
		var w *journal.Writer
		for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			var err error
			if j, w, err = journal.Open(t.Context(), here, run); err == nil {
				break
			}
			if !errors.Is(err, journal.ErrRunLocked) || time.Since(begun) > time.Minute {
				t.Fatal(err)
			}
		}
		if got := len(j.Records) - 1; got < acknowledged[i] || got > acknowledged[i]+1 || j.Cut != nil {
			t.Errorf("run %s has %d effects of %d that were acknowledged, cut: %v", run, got, acknowledged[i], j.Cut)
		}
		w.Append(event("after"))
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// terminate is a statement with which the server ends the connections of stores.
const terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%agentc_%'"

// A connection that is lost is replaced by another one: the runs that work meanwhile notice nothing.
func TestConnectionsAreLostAgainAndAgain(t *testing.T) {
	times := 40
	if testing.Short() {
		times = 8
	}
	address := empty(t)
	p, through := newProxy(t, address)
	t.Run("by the network", func(t *testing.T) { kind.Disturb(t, through, times, p.drop) })
	address = empty(t)
	raw := kind.Raw(t, address)
	t.Run("by the server", func(t *testing.T) {
		kind.Disturb(t, address, times, func() {
			if _, err := raw.Exec(terminate); err != nil {
				t.Error(err)
			}
		})
	})
}

// A restart of the server that takes less than a lease ends no run.
func TestTheServerRestarts(t *testing.T) {
	address := empty(t)
	times := 4
	if testing.Short() {
		times = 1
	}
	kind.Disturb(t, address+"&lease=1m", times, func() {
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
	})
}

// A connection that ends while nothing is under way is replaced by another one.
func TestTheServerEndsConnections(t *testing.T) {
	address := empty(t)
	store, raw := open(t, address), kind.Raw(t, address)
	w, err := journal.Create(t.Context(), store, "r", journal.Record{Time: time.Now(), Name: "r"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec(terminate); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	w.Append(event("after"))
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A database that cannot be written to, a replica say, can be read.
func TestADatabaseThatIsReadOnly(t *testing.T) {
	address := empty(t)
	w, err := journal.Create(t.Context(), open(t, address), "r", journal.Record{Time: time.Now(), Name: "r"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	store := open(t, address+"&default_transaction_read_only=on")
	if j, err := journal.Read(t.Context(), store, "r"); err != nil || len(j.Records) != 1 {
		t.Errorf("the journal is %+v, %v", j, err)
	}
	if runs, err := store.List(t.Context(), journal.Query{}); err != nil || len(runs) != 1 {
		t.Errorf("the runs are %q, %v", runs, err)
	}
	_, create := store.Create(t.Context(), "s")
	_, own := store.Open(t.Context(), "r")
	for what, err := range map[string]error{
		"Create": create, "Open": own, "Post": store.Post(t.Context(), "r", nil), "Remove": store.Remove(t.Context(), "r"),
		"Writable": store.Writable(t.Context()),
	} {
		storeError(t, what, err, "read-only")
	}
}

// Commits wait for the disk, where the database is set up not to; what waits for more stays.
func TestCommitsWaitForTheDisk(t *testing.T) {
	for set, want := range map[string]string{"off": "on", "on": "on", "remote_apply": "remote_apply"} {
		conn, err := pgx.Connect(t.Context(), empty(t)+"&synchronous_commit="+set)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := postgres.Durable(t.Context(), conn); err != nil {
			t.Error(err)
		}
		if err := conn.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&got); got != want || err != nil {
			t.Errorf("%s becomes %s, %v", set, got, err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
