package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// The Go compiler needs more than linear time and memory for one function of very many cases, and a call and a branch that
// the processor cannot foresee cost run time. So Next stays whole as long as it can, is then halved, and is cut small only
// where memory would run out. Measured with go 1.26 on two cores, rows of three keys out of eight, random order:
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
)

// nextPieces divides the states of a machine for Next, evenly.
func nextPieces(states []*ir.State) [][]*ir.State {
	n, count := len(states), 1
	switch {
	case n > halvedNext:
		count = (n + smallNext - 1) / smallNext
	case n > wholeNext:
		count = 2
	}

	return slices.Collect(slices.Chunk(states, (n+count-1)/count))
}

// cut emits Next: whole, or as a method that finds the piece which has cases for a state, and the pieces.
func (m *machine) cut(f *jen.File, doc string, params, args []jen.Code) {
	head := func(name string) *jen.Statement {
		return jen.Func().Params(jen.Id("s").Id(m.stateType)).Id(name).Params(params...).
			Params(jen.Id("next").Id(m.stateType), jen.Id("ok").Bool())
	}
	whole := func(name string, states []*ir.State) *jen.Statement {
		return head(name).Block(
			jen.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
				for _, s := range states {
					m.nextCase(g, s)
				}
			}),
			jen.Line(),
			jen.Return(jen.Lit(0), jen.False()))
	}
	pieces := nextPieces(m.ir.States)
	last := len(pieces) - 1
	if last == 0 {
		declare(f, doc, whole("Next", pieces[0]))
		return
	}
	call := func(piece []*ir.State) jen.Code { return jen.Return(jen.Id("s").Dot(pieceName(piece)).Call(args...)) }
	declare(f, doc, head("Next").Block(
		jen.Switch().BlockFunc(func(g *jen.Group) {
			for _, piece := range pieces[:last] {
				g.Case(jen.Id("s").Op("<=").Add(m.state(piece[len(piece)-1]))).Block(call(piece))
			}
		}),
		jen.Line(),
		call(pieces[last])))
	for _, piece := range pieces {
		f.Add(comment(pieceName(piece) + " is the part of Next from " + piece[0].Name.Value + " to " + piece[len(piece)-1].Name.Value + "."))
		f.Comment("//")
		f.Comment("//go:noinline") // else the Go compiler merges the pieces again
		f.Add(whole(pieceName(piece), piece))
		f.Line()
	}
}

// pieceName names the piece of Next that begins with a state.
func pieceName(piece []*ir.State) string { return names.Range("next", piece[0].Name.Value) }
