package diagram

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPictures draws all pictures that the compiler's tests have.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob("../../../../gen/internal/graph/testdata/*.mmd")
	if err != nil || len(files) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, string(text))
			if d := Read(string(text)); strings.Count(string(text), "[") > 0 && len(d.Nodes) == 0 {
				t.Error("nothing is read of it")
			}
		})
	}
}

// holds draws a picture and reports parts that overlap, or are outside of their frame.
func holds(t *testing.T, text string) {
	t.Helper()
	whole := Read(text)
	for levels := range whole.Levels() {
		drawn(t, whole.Fold(levels))
	}
	drawn(t, whole)
}

func drawn(t *testing.T, d *Diagram) {
	t.Helper()
	width, height := d.Layout()
	for i, n := range d.Nodes {
		if n.W <= 0 || n.H <= 0 || n.X < 0 || n.Y < 0 || n.X+n.W > width || n.Y+n.H > height {
			t.Errorf("%s %q is outside of the picture, which is %.0f by %.0f: %+v", n.ID, n.Label, width, height, n)
		}
		if f := n.Frame; f != nil && (n.X < f.X || n.Y < f.Y || n.X+n.W > f.X+f.W+.5 || n.Y+n.H > f.Y+f.H+.5) {
			t.Errorf("%s %q is outside of its frame %q", n.ID, n.Label, f.Label)
		}
		for _, other := range d.Nodes[:i] {
			if other.Frame == n.Frame && n.X < other.X+other.W && other.X < n.X+n.W && n.Y < other.Y+other.H && other.Y < n.Y+n.H {
				t.Errorf("%q and %q overlap", n.Label, other.Label)
			}
		}
	}
	for _, e := range d.Edges {
		if e.From != e.To && len(e.points) < 2 {
			t.Errorf("the edge %q from %s to %s is not drawn", e.Label, e.From.ID, e.To.ID)
		}
	}
	wellFormed(t, d.SVG(width, height, "p", Style))
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok && slices.Contains([]string{"script", "a", "foreignObject", "image"}, start.Name.Local) {
			t.Errorf("it has a %s: %s", start.Name.Local, svg)
		}
	}
}

// TestRandom draws pictures of any edges between nested frames.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var b strings.Builder
		b.WriteString("flowchart TD\n")
		count, depth := 1+random.IntN(30), 0
		for i := range count {
			switch at := random.IntN(6); {
			case at == 0:
				fmt.Fprintf(&b, "subgraph n%d[\"frame %d\"]\n", i, i)
				depth++
			case at == 1 && depth > 0:
				fmt.Fprintf(&b, "end\nn%d[\"x\"]\n", i)
				depth--
			default:
				fmt.Fprintf(&b, "n%d[\"node %d%s\"]\n", i, i, strings.Repeat(" word", random.IntN(9)))
			}
		}
		b.WriteString(strings.Repeat("end\n", depth))
		for range random.IntN(60) {
			fmt.Fprintf(&b, "n%d -->|\"key%d\"| n%d\n", random.IntN(count), random.IntN(9), random.IntN(count))
		}
		holds(t, b.String())
		if t.Failed() {
			t.Fatalf("%.2000s", b.String())
		}
	}
}

// TestLabelsAreText: nothing that a label says is markup.
func TestLabelsAreText(t *testing.T) {
	d := Read("flowchart TD\n  n1[\"#60;script#62;alert#40;1#41;#60;#47;script#62; #34; #38;amp;\"]\n  n2[\"b\"]\n" +
		"  n1 -->|\"#60;a href=#39;x#39;#62;\"| n2\n  class n1,n9 agentNode\n  class n2 errorNode\n  linkStyle 0,7,x stroke:red\n  n7 --> n1\n")
	width, height := d.Layout()
	text := d.SVG(width, height, "", "")
	wellFormed(t, text)
	for _, want := range []string{"&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;a href", `class="node agent"`, `class="node faulty"`, `class="edge faulty"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// FuzzRead: any text is read, and drawn.
func FuzzRead(f *testing.F) {
	f.Add("flowchart TD\nsubgraph n1[\"a\"]\nn2((\" \"))\nend\nn1 --> n2\nn2 -.->|\"x\"| n2\nclass n1 groupNode\nlinkStyle 0 x")
	f.Add("n1\"\"\nclass n1 \"")
	f.Add("linkStyle ")
	f.Add("class \nend\nn1 -n1")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		d := Read(text)
		width, height := d.Layout()
		wellFormed(t, d.SVG(width, height, "", ""))
	})
}

// What is new in a picture of a difference is green, and what is gone is red.
func TestDifference(t *testing.T) {
	d := Read("flowchart TD\n  n1(\"a\")\n  n2(\"b\")\n  n1 --> n2\n  n2 --> n1\n  class n1 addedNode\n  class n2 removedNode\n" +
		"  linkStyle 0 stroke:#15803d,stroke-width:4px\n  linkStyle 1 stroke:#dc2626,stroke-width:3px\n")
	if n := d.Nodes; !n[0].Added || n[0].Faulty || n[1].Added || !n[1].Faulty {
		t.Errorf("nodes %+v, %+v", n[0], n[1])
	}
	if e := d.Edges; !e[0].Added || e[0].Faulty || e[1].Added || !e[1].Faulty {
		t.Errorf("edges %+v, %+v", e[0], e[1])
	}
	w, h := d.Layout()
	if text := d.SVG(w, h, "", ""); !strings.Contains(text, `class="node added"`) || !strings.Contains(text, `class="edge added"`) {
		t.Error(text)
	}
}

// What is in a folded frame is a box, to which the edges lead that led into the frame.
func TestFold(t *testing.T) {
	d := Read("flowchart TD\n  subgraph n1[\"a\"]\n    n2[\"b\"]\n    subgraph n3[\"c\"]\n      n4[\"d\"]\n      subgraph n5[\"e\"]\n        n6[\"f\"]\n      end\n    end\n  end\n" +
		"  n2 --> n4\n  n2 --> n5\n  n4 --> n6\n  n4 -->|\"x\"| n2\n")
	if d.Levels() != 3 {
		t.Errorf("%d levels", d.Levels())
	}
	for levels, want := range []string{"n1()", "n1(n2 n3()): n2-n3 n3-n2", "n1(n2 n3(n4 n5())): n2-n4 n2-n5 n4-n5 n4-n2", "n1(n2 n3(n4 n5(n6))): n2-n4 n2-n5 n4-n6 n4-n2"} {
		f := d.Fold(levels)
		var edges []string
		for _, e := range f.Edges {
			edges = append(edges, e.From.ID+"-"+e.To.ID)
		}
		if got := strings.TrimSuffix(outline(f.Nodes[0])+": "+strings.Join(edges, " "), ": "); got != want {
			t.Errorf("%d levels: %s, want %s", levels, got, want)
		}
	}
	once := d.Fold(1)
	width, height := once.Layout()
	if text := once.SVG(width, height, "a-", ""); !strings.Contains(text, `id="a-n3" class="node folded" data-holds="n4 n5 n6"`) || !strings.Contains(text, `id="a-e3"`) {
		t.Error(text)
	}
}

func outline(n *Node) string {
	if !n.IsFrame && n.Kind != folded {
		return n.ID
	}
	var inner []string
	for _, child := range n.children {
		inner = append(inner, outline(child))
	}

	return n.ID + "(" + strings.Join(inner, " ") + ")"
}

// TestLabelsAreBesideLines: no label is on the line of its own edge.
func TestLabelsAreBesideLines(t *testing.T) {
	d := Read("flowchart TD\n  n1[\"a\"]\n  n2[\"b\"]\n  n3[\"c\"]\n  n1 -->|\"a long label of an edge that is broken\"| n2\n  n1 -->|\"no\"| n3\n  n2 -->|\"again\"| n1\n  n3 -->|\"on\"| n2\n")
	d.Layout()
	for _, e := range d.Edges {
		left, top, bottom := e.labelX-e.labelW/2, e.labelY-e.labelH/2, e.labelY+e.labelH/2
		beside := 0
		for _, p := range e.points {
			if p.y < top || p.y > bottom {
				continue
			}
			if beside++; p.x >= left {
				t.Errorf("%s: the line is at %.0f, and its label begins at %.0f", e.Label, p.x, left)
			}
		}
		if beside != 2 { // between these the line is straight
			t.Errorf("%s: %d points beside the label", e.Label, beside)
		}
	}
}
