package emit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// The Go compiler needs more than linear time and memory for one function of very many cases, and a call and a branch that
// the processor cannot foresee cost run time. So Next stays whole as long as it can, is then halved, and is cut small only
// where memory would run out. Measured with go 1.26 on two cores, rows of three keys out of eight, random walk:
//
//	states   pieces of   a transition   compiling Next alone
//	   512         512   17 ns          0.4 s
//	  1000        1000                  1.0 s   200 MB   (a switch written by hand)
//	  1000         500                  0.6 s   200 MB
//	  4096        4096   21 ns          5.6 s            (a switch written by hand)
//	  4096        2048   24 ns
//	  4096        1024   26 ns
//	  4096         256   29 ns
//	 10000        2048                  9.1 s   1.5 GB
//	 10000         512                  6.7 s   1.1 GB
//	 10000         256                  5.6 s   0.9 GB
//	 10000         128                  3.3 s   0.8 GB
//
// With that, runtime/benchmarks (-only transition,build) finds a transition to take 1.01, 0.98, 0.96 and 1.09 times that of a switch
// written by hand at 8, 64, 512 and 4,096 states, go build of all code of 1,000 states 0.92 times, and 1.55 GB for 10,000.
const (
	// wholeNext is the number of states up to which Next is one switch.
	wholeNext = 512
	// halvedNext is the number up to which it is two.
	halvedNext = 4096
	// smallNext is the size of its pieces beyond.
	smallNext = 256
	// keyGroups is how many states one piece of appendKeys may know. Those with the same list of keys share a case: 1,000 states with
	// 1,000 lists take 2.1 s, and a minute in one piece.
	keyGroups = 384
)

// nextPieces divides the states of a machine for Next.
func nextPieces(states []*ir.State) [][]*ir.State {
	switch n := len(states); {
	case n <= wholeNext:
		return slicesOf(states, wholeNext)
	case n <= halvedNext:
		return slicesOf(states, (n+1)/2)
	}

	return slicesOf(states, smallNext)
}

// function is a method of the state type that is a switch over the states.
type function struct {
	name, doc string
	// params and args are those of the method, and how a piece is called with them.
	params, args []jen.Code
	results      *jen.Statement
	// none is what is returned for a state without a case.
	none []jen.Code
	// pieces are the states that one function has cases for: all, or a part of them.
	pieces [][]*ir.State
	// cases adds the cases of some states.
	cases func(g *jen.Group, states []*ir.State)
}

// cut emits a function: whole, or as a method that finds the piece, and the pieces.
func (m *machine) cut(f *jen.File, fn function) {
	pieces := fn.pieces
	last := len(pieces) - 1
	if last == 0 {
		f.Add(comment(fn.doc))
		m.piece(f, fn, fn.name, pieces[0])

		return
	}

	declare(f, fn.doc,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id(fn.name).Params(fn.params...).Add(fn.results).BlockFunc(func(g *jen.Group) {
			g.Switch().BlockFunc(func(g *jen.Group) {
				for _, piece := range pieces[:last] {
					g.Case(jen.Id("s").Op("<=").Add(m.state(piece[len(piece)-1]))).
						Block(jen.Return(jen.Id("s").Dot(pieceName(fn.name, piece)).Call(fn.args...)))
				}
			})
			g.Line()
			g.Return(jen.Id("s").Dot(pieceName(fn.name, pieces[last])).Call(fn.args...))
		}))

	for _, piece := range pieces {
		f.Add(comment(pieceName(fn.name, piece) + " is the part of " + fn.name + " from " + piece[0].Name.Value + " to " +
			piece[len(piece)-1].Name.Value + "."))
		f.Comment("//")
		f.Add(noInline())
		m.piece(f, fn, pieceName(fn.name, piece), piece)
	}
}

func (m *machine) piece(f *jen.File, fn function, name string, states []*ir.State) {
	f.Func().Params(jen.Id("s").Id(m.stateType)).Id(name).Params(fn.params...).Add(fn.results).BlockFunc(func(g *jen.Group) {
		g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) { fn.cases(g, states) })
		g.Line()
		g.Return(fn.none...)
	})
	f.Line()
}

// pieceName names the piece of a function that begins with a state.
func pieceName(function string, piece []*ir.State) string {
	first, size := utf8.DecodeRuneInString(function)
	lower := string(unicode.ToLower(first)) + function[size:]

	return names.Range(strings.TrimSuffix(lower, "Of"), piece[0].Name.Value)
}

// slicesOf divides states evenly into pieces of at most size.
func slicesOf(states []*ir.State, size int) [][]*ir.State {
	count := (len(states) + size - 1) / size
	each := (len(states) + count - 1) / count

	var pieces [][]*ir.State
	for from := 0; from < len(states); from += each {
		pieces = append(pieces, states[from:min(from+each, len(states))])
	}

	return pieces
}
