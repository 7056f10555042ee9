package serve

// What the tests of this package's behaviour read of it.

const DefaultMaxRecoveries = maxRecoveries

// Statuses are those that a list of runs can be asked for.
var Statuses = statuses

// Operation is what is routed.
type Operation struct {
	Method, Path string
	// Needs is a right, or what is needed instead.
	Needs string
	Query []string
}

// What operations need that need no right.
const (
	NoToken, AnyToken, Sight = string(noToken), string(anyToken), string(sight)
)

// Operations are those of the server.
func Operations() (all []Operation) {
	for _, o := range operations {
		all = append(all, Operation{o.method, o.path, string(o.needs), o.query})
	}

	return all
}

// FillRoom has someone be sent a journal that takes all the memory there is for that.
func (s *Server) FillRoom() error { return s.room.reserve(&history{bytes: mostHeld}) }
