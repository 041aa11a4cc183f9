package profiler

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/history"
)

// Sum returns a profile of all functions of stats, which are not changed, and of all their cells.
// Its rows keep nodes of different functions apart: ids continue from function to function. A call
// that several of stats have counts once, and so does the time in which a function was compiled.
func Sum(stats ...*Stats) *Stats {
	sum := &Stats{clock: &processClock, NoNodes: true, Counted: true}
	n := 0
	compiled := make(map[string]bool)
	var cells []*Cell
	for _, c := range Once(stats...) {
		n++
		for _, f := range c.Functions {
			if f.ID != "" && compiled[f.ID] {
				f.forgetCompiling()
			}
			compiled[f.ID] = true
		}
		sum.Functions = append(sum.Functions, c.Functions...)
		sum.Memory = sum.Memory || c.Memory
		sum.NoNodes = sum.NoNodes && c.NoNodes
		sum.Counted = sum.Counted && c.Counted
		sum.Warmup = max(sum.Warmup, c.Warmup)
		sum.ClockCost = max(sum.ClockCost, c.ClockCost)
		if sum.Globals == nil {
			sum.Globals = c.Globals
		}
		if sum.Machine == nil {
			sum.Machine = c.Machine
		}
		if u := c.Usage; u != nil && (sum.Usage == nil || u.Wall > sum.Usage.Wall) { // their times may overlap
			sum.Usage = u
		}
		if c.Cell != nil {
			cells = append(cells, c.Cell)
		}
		for file, text := range c.Sources {
			sum.AddSource(file, text)
		}
		for _, flag := range c.Flags {
			if !slices.Contains(sum.Flags, flag) {
				sum.Flags = append(sum.Flags, flag)
			}
		}
	}
	if sum.Cell = joinCells(cells); len(cells) > 1 {
		for _, f := range sum.Functions {
			if slices.ContainsFunc(cells, func(c *Cell) bool { return c.ID != "" && c.ID == f.Cell }) {
				f.Cell = sum.Cell.ID
			}
		}
	}
	sum.NoNodes, sum.Counted = sum.NoNodes && n > 0, sum.Counted && n > 0
	sum.Name = fmt.Sprintf("Sum of all(%d) printed profiles at exit", n)
	return sum
}

// forgetCompiling leaves the calls.
func (f *Function) forgetCompiling() {
	f.Compile, f.Rewrites = history.Times{}, nil
	for _, n := range f.Nodes {
		n.Thunk = 0
	}
}
