package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// A look is how something is drawn.
type look struct {
	name         string // in the legend
	fill, stroke string
	shape        string // Graphviz's name
	classes      string // of operations: beginnings of the classes that look so, separated by spaces
}

// looks of operations come first, and of these the first that fits counts.
var looks = []look{
	{"elementwise", "#fde2ea", "#c2567a", "box", "tensor.elemwise.Elemwise"},
	{"product", "#dbe4ff", "#4263eb", "box", "tensor.blas. tensor.basic.Dot"},
	{"subtensor", "#e5dbff", "#7048e8", "box", "tensor.subtensor."},
	{"allocation", "#ffe8cc", "#d9480f", "box", "tensor.basic.Alloc compile.ops.DeepCopyOp"},
	{"shape", "#eee0d3", "#8b6b4a", "box", "compile.ops.Shape tensor.opt.MakeVector compile.ops.SpecifyShape"},
	{"view", "#f8f9fa", "#868e96", "box", "tensor.elemwise.DimShuffle tensor.basic.Reshape"},
	{"softmax", "#c5f6fa", "#0c8599", "box", "tensor.nnet."},
	{"reduction", "#fff3bf", "#e67700", "box", "tensor.elemwise. tensor.basic.Argm"},
	{"scan", "#ffec99", "#f08c00", "box", "scan"},
	{"ifelse", "#fcc2ff", "#ae3ec9", "box", "ifelse"},
	{"other", "#f1f3f5", "#495057", "box", ""},
	{"input", "#d3f9d8", "#2b8a3e", "ellipse", ""},
	{"shared variable", "#c3fae8", "#087f5b", "cylinder", ""},
	{"constant", "#e9ecef", "#868e96", "plaintext", ""},
	{"output", "#d0ebff", "#1864ab", "ellipse", ""},
	{"update", "#a5d8ff", "#1864ab", "cylinder", ""},
	{"result of a node elsewhere", "#ffffff", "#adb5bd", "plaintext", ""},
	{"variable", "#f1f3f5", "#adb5bd", "ellipse", ""},
}

// The looks of what is no operation.
const (
	lookOther = iota + 10
	lookInput
	lookShared
	lookConstant
	lookOutput
	lookUpdate
	lookStub
	lookVariable
)

// lookOf an operation.
func lookOf(op graph.Op) int {
	class := ""
	if l, ok := op.(graph.Labeler); ok {
		class = l.Class()
	}
	for i, l := range looks[:lookOther] {
		for prefix := range strings.FieldsSeq(l.classes) {
			if strings.HasPrefix(class, prefix) {
				return i
			}
		}
	}
	return lookOther
}

// isView reports whether op computes nothing: its result is another view of an input. An ifelse,
// which has two, is none.
func isView(op graph.Op) bool {
	_, chooses := op.(graph.Chooser)
	return !chooses && len(graph.Views(op)) > 0 && len(graph.Destroys(op)) == 0
}

// branchSides are what needs a node whose branches are told apart.
var branchSides = []struct{ name, stroke string }{
	{},
	{"then branch", "#2b8a3e"},
	{"else branch", "#c92a2a"},
	{"both branches", "#e67700"},
}

// sidesOf finds what the branches of a node need.
func sidesOf(node *graph.Apply) map[*graph.Apply]int {
	sides := make(map[*graph.Apply]int)
	if node == nil {
		return sides
	}
	for side, index := range map[graph.Side]int{graph.Then: 1, graph.Else: 2} {
		var vars []*graph.Variable
		for i, v := range node.Inputs {
			if graph.SideOf(node.Op, i) == side {
				vars = append(vars, v)
			}
		}
		for _, n := range graph.Toposort(vars) {
			sides[n] |= index
		}
	}
	return sides
}

// heat is the colour of a share of the time, where most is the greatest: from white to a red on
// which black can be read.
func heat(share, most float64) string {
	red := [3]float64{0xf0, 0x50, 0x3c}
	x := 0.0
	if most > 0 {
		x = max(0, min(share/most, 1))
	}
	var c [3]int
	for i := range c {
		c[i] = int(math.Round(255 + float64((red[i]-255)*x)))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
