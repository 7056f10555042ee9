package app

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// way is a row by which a machine can leave a state; to is "" where it ends the machine.
type way struct {
	label, to string
}

var (
	pictureFrame = regexp.MustCompile(`^\s*subgraph (n\d+)\["(.*)"\]$`)
	pictureNode  = regexp.MustCompile(`^\s*(n\d+)[^"]+"(.*)"[^"]+$`)
	pictureEdge  = regexp.MustCompile(`^\s*(n\d+) -\.?->(?:\|"(.*)"\|)? (n\d+)$`)
	pictureCode  = regexp.MustCompile(`#\d+;`)
)

// waysFrom reads the picture of an agent, which is all that a program tells about the rows of its machines: those by which the
// machine leaves the state, in the order of the source. A machine that is not in the picture by name is the picture's outermost.
func waysFrom(picture, machine, state string) []way {
	labels, frameOf := map[string]string{}, map[string]string{}
	var edges [][]string
	var frames []string
	within := ""
	for _, line := range strings.Split(picture, "\n") {
		if m := pictureFrame.FindStringSubmatch(line); m != nil {
			labels[m[1]], frameOf[m[1]] = pictureText(m[2]), last(frames)
			frames = append(frames, m[1])
			if within == "" || labels[within] != machine && labels[m[1]] == machine {
				within = m[1]
			}
		} else if strings.TrimSpace(line) == "end" && len(frames) > 0 {
			frames = frames[:len(frames)-1]
		} else if m := pictureEdge.FindStringSubmatch(line); m != nil {
			edges = append(edges, m)
		} else if m := pictureNode.FindStringSubmatch(line); m != nil {
			labels[m[1]], frameOf[m[1]] = pictureText(m[2]), last(frames)
		}
	}

	var ways []way
	for _, e := range edges {
		from, label, to := e[1], pictureText(e[2]), e[3]
		if labels[from] == state && frameOf[from] == within {
			ways = append(ways, way{label, strings.TrimSpace(labels[to])})
		}
	}

	return ways
}

// pictureText is a label as it was before it was escaped for Mermaid.
func pictureText(label string) string {
	return pictureCode.ReplaceAllStringFunc(label, func(code string) string {
		n, err := strconv.Atoi(code[1 : len(code)-1])
		if err != nil {
			return code
		}

		return string(rune(n))
	})
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}

	return list[len(list)-1]
}

// key is the key of the row, without its guard and its timer.
func (w way) key() string {
	key, _, _ := strings.Cut(w.label, " [")
	key, _, _ = strings.Cut(key, ", after ")

	return key
}

func (w way) String() string {
	e := runtime.Event{Key: w.label, To: w.to}
	if w.label == "" {
		e.Matched = runtime.MatchUnconditional
	}

	return strings.TrimSpace(transition(e))
}
