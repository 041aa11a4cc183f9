package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
)

// verboseHint ends the errors of calls that say little.
const verboseHint = `HINT: config.exception_verbosity = "high" shows the node, the values of its operands and what is in memory`

// maxShown is the number of elements up to which the value of an operand is shown.
const maxShown = 5

// explain is exec.Options.Explain: what config.exception_verbosity asks for, under Theano's titles.
func (s *Session) explain(f *exec.Failure) string {
	if s.Config().String("exception_verbosity") == "low" {
		return verboseHint
	}
	node := f.Program.Nodes[f.Index].Apply
	var types, shapes, strides, values []string
	for i, v := range node.Inputs {
		types = append(types, TypeName(v.Type))
		x := f.In[i]
		if x == nil {
			continue
		}
		shapes, strides = append(shapes, tensor.ShapeString(x.Shape())), append(strides, tensor.ShapeString(x.Strides()))
		if x.Size() <= maxShown {
			values = append(values, value.Repr(np.FromDense(x.Copy())))
		} else {
			values = append(values, `"not shown"`)
		}
	}
	lines := []string{"Apply node that caused the error: " + profiler.ApplyText(node), fmt.Sprintf("Toposort index: %d", f.Index)}
	for _, row := range []struct {
		title string
		list  []string
	}{{"types", types}, {"shapes", shapes}, {"strides", strides}, {"values", values}} {
		lines = append(lines, fmt.Sprintf("Inputs %s: [%s]", row.title, strings.Join(row.list, ", ")))
	}
	lines = append(lines, "Outputs clients: ["+strings.Join(clientsOf(f.Program.Graph, node), ", ")+"]", "Backtrace when the node is created:")
	lines = append(lines, s.backtrace(node.Origin())...)
	lines = append(lines, "Debugprint of the apply node:")
	if tree, err := picture.Tree(&graph.FunctionGraph{Outputs: node.Outputs}, picture.TreeOptions{Depth: -1, IDs: "CHAR", Types: true}); err == nil {
		lines = append(lines, strings.TrimRight(tree, "\n"))
	}
	lines = append(lines, "Storage map footprint:")
	lines = append(lines, footprint(f)...)
	return strings.Join(lines, "\n")
}

// clientsOf says for each result of node who reads it.
func clientsOf(fg *graph.FunctionGraph, node *graph.Apply) []string {
	clients := fg.Clients()
	var list []string
	for _, v := range node.Outputs {
		var readers []string
		for _, c := range clients.Get(v) {
			switch {
			case c.Node != nil:
				readers = append(readers, profiler.ApplyText(c.Node))
			case c.Index < len(fg.Outputs):
				readers = append(readers, `"output"`)
			default:
				readers = append(readers, `"update of `+graph.NameOf(fg.Updates[c.Index-len(fg.Outputs)].Shared)+`"`)
			}
		}
		list = append(list, "["+strings.Join(readers, ", ")+"]")
	}
	return list
}

// backtrace lists the calls that led to the user's line, and of a fused node the lines of all that
// was fused.
func (s *Session) backtrace(o *graph.Origin) []string {
	var lines []string
	frame := func(f graph.Frame) {
		lines = append(lines, fmt.Sprintf("  File %q, line %d, in %s", f.File, f.Line, f.Func))
		if text, ok := s.Source(f.File).Get(f.Line); ok {
			lines = append(lines, "    "+strings.TrimSpace(text))
		}
	}
	if o == nil {
		return nil
	}
	for _, f := range o.Frames {
		frame(f)
	}
	seen := map[graph.Pos]bool{o.Pos(): true}
	for _, part := range o.Parts {
		if pos := part.Origin.Pos(); pos.IsValid() && !seen[pos] {
			seen[pos] = true
			lines = append(lines, "  fused with it:")
			frame(part.Origin.Frames[len(part.Origin.Frames)-1])
		}
	}
	return lines
}

// footprint lists what the run holds, with its bytes, and the sums. Views of one buffer count once.
func footprint(f *exec.Failure) []string {
	var lines []string
	total, inputs := 0, 0
	counted := make(map[*tensor.Buffer]bool)
	for _, x := range f.Storage() {
		kind := ""
		switch {
		case x.V.Shared != nil:
			kind = ", Shared Input"
		case x.V.IsConstant():
			kind = ", Constant"
		case x.V.IsInput():
			kind = ", Input"
		}
		shares := ""
		if bytes := x.Value.NBytes(); counted[x.Value.Buffer()] {
			shares = ", in memory of one above"
		} else if total += bytes; kind != "" {
			inputs += bytes
		}
		counted[x.Value.Buffer()] = true
		lines = append(lines, fmt.Sprintf(" - %s%s, Shape: %s, ElemSize: %d Byte(s), TotalSize: %d Byte(s)%s", storedName(x.V), kind,
			tensor.ShapeString(x.Value.Shape()), x.Value.DType().Size(), x.Value.NBytes(), shares))
	}
	for _, sum := range []struct {
		title string
		bytes int
	}{{"TotalSize", total}, {"TotalSize inputs", inputs}} {
		lines = append(lines, fmt.Sprintf(" %s: %d Byte(s) %.3f GB", sum.title, sum.bytes, float64(sum.bytes)/(1<<30)))
	}
	return lines
}

func storedName(v *graph.Variable) string {
	if v.Owner != nil && v.Name == "" {
		return fmt.Sprintf("%s.%d", graph.Label(v.Owner.Op), v.Index)
	}
	return profiler.OperandText(v)
}
