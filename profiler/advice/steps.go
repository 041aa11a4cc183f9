package advice

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// A step is a line of a fused node's program: t1 = tanh(t0).
type step struct {
	name, op string
	args     []string
}

// stepsOf takes the program of a fused node apart; there are none of one that is not fused.
func stepsOf(n *profiler.Node) []step {
	_, code, ok := strings.Cut(n.Key, "code=")
	if !ok {
		return nil
	}
	written, _, err := graph.SplitBody(strings.TrimSuffix(code, "}"))
	if err != nil { // another program's
		return nil
	}
	list := make([]step, len(written))
	for i, s := range written {
		list[i] = step{"t" + strconv.Itoa(i), s.Op, s.Args}
	}
	return list
}

// needs are the steps and inputs from which a step follows, with itself.
func needs(of map[string]step, from string) map[string]bool {
	need, stack := make(map[string]bool), []string{from}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !need[x] {
			need[x] = true
			stack = append(stack, of[x].args...)
		}
	}
	return need
}

// single reports whether a step or input of n is a single number.
func single(n *profiler.Node, of map[string]step, x string) bool {
	for y := range needs(of, x) {
		var k int
		if c, err := fmt.Sscanf(y, "i%d", &k); c == 1 && err == nil && (k >= len(n.Inputs) || size(n.Inputs[k]) != 1) {
			return false
		}
	}
	return len(n.Inputs) > 0
}
