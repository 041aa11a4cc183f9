package export

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// A level is one of the levels of a stack, of which the first is the outermost.
type level struct {
	kind levelKind
	name string
	at   graph.Frame // the user's line; its Line is 0 if there is none
}

type levelKind string

const (
	callLevel     levelKind = "call"     // a line of the user's that runs
	functionLevel levelKind = "function" // a compiled function
	loopLevel     levelKind = "loop"     // a node that runs functions
	scopeLevel    levelKind = "scope"    // a named_scope of the user's
	lineLevel     levelKind = "line"     // a line of the user's that made the node
	classLevel    levelKind = "class"
	opLevel       levelKind = "op"
	nodeLevel     levelKind = "node"
	partLevel     levelKind = "part"    // of a fused node
	builtinLevel  levelKind = "builtin" // a function that is not compiled
	restLevel     levelKind = "rest"    // time of no line, or of a function beside its nodes
)

// levelsOf are the levels of a stack: the lines that ran, and what ran there: a function with the
// scopes and the line that made the node, its class and op, the node, and the operation of a fused
// one; or a function of np or the language; or nothing, of the line's own time.
func levelsOf(x *profiler.Stack) []level {
	var list []level
	for _, f := range x.Callers {
		list = append(list, level{callLevel, frameName(f), f})
	}
	here := x.Line()
	switch {
	case x.Kind == profiler.CompiledFunctions:
		list = append(list, level{functionLevel, x.Name, graph.Frame{}})
	case x.Name != "":
		list = append(list, level{builtinLevel, x.Name, here})
	case len(list) == 0:
		list = append(list, level{restLevel, string(x.Kind), graph.Frame{}})
	}
	if x.Beside != "" {
		list = append(list, level{restLevel, x.Beside, graph.Frame{}})
	}
	s := x.Sample
	if s == nil {
		return list
	}
	for _, name := range profiler.ScopeNames(s.Scope) { // outside of loops: all of a scope is one
		list = append(list, level{scopeLevel, name, graph.Frame{}})
	}
	for _, n := range s.Outer {
		list = append(list, level{loopLevel, n.Text, graph.Frame{}})
	}
	for _, f := range s.Origin.Frames {
		list = append(list, level{lineLevel, frameName(f), f})
	}
	list = append(list, level{classLevel, s.Node.Class, here}, level{opLevel, s.Node.Op, here},
		level{nodeLevel, "#" + strconv.Itoa(s.Node.ID) + " " + s.Node.Text, here})
	if len(s.Node.Parts) > 0 && s.Part.Op != "" {
		list = append(list, level{partLevel, s.Part.Op, here})
	}
	return list
}

// frameName is the name of the user's function or, outside of any, of the file.
func frameName(f graph.Frame) string {
	if f.Func == "" || strings.HasPrefix(f.Func, "<") {
		return f.File
	}
	return f.Func
}

// A frame is a level as viewers of stacks show it that know no lines of their own: a line by its
// place and text.
type frame struct {
	kind levelKind
	name string
	file string
	line int
}

// framesOf are the frames of a stack: those of its levels, but for class and op, which the node's
// name says.
func framesOf(x *profiler.Stack) []frame {
	var list []frame
	for _, l := range levelsOf(x) {
		switch l.kind {
		case classLevel, opLevel:
			continue
		case callLevel, lineLevel:
			l.name = strings.TrimSpace(path.Base(l.at.File) + ":" + strconv.Itoa(l.at.Line) + " " + short(strings.TrimSpace(x.Source(l.at))))
		}
		name := printable(l.name)
		if name == "" {
			name = "?"
		}
		list = append(list, frame{l.kind, name, printable(l.at.File), l.at.Line})
	}
	return list
}

// short is the beginning of a long line.
func short(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// A measure is what the widths of stacks stand for.
type measure struct {
	name, unit string // as speedscope calls it
	of         func(x *profiler.Stack) float64
}

var allMeasures = []measure{
	{"time", "nanoseconds", func(x *profiler.Stack) float64 { return x.Time }},
	{"cpu", "nanoseconds", func(x *profiler.Stack) float64 { return x.CPU }},
	{"bytes", "bytes", (*profiler.Stack).Bytes},
	{"arrays", "bytes", func(x *profiler.Stack) float64 { return float64(x.Arrays()) }},
}

// stacksOf are the stacks of profiles: what took time, and what took memory.
func stacksOf(all []*profiler.Stats) []profiler.Stack {
	return append(profiler.Stacks(all...), profiler.MemoryStacks(all...)...)
}

func measureOf(name string) measure {
	return allMeasures[slices.IndexFunc(allMeasures, func(m measure) bool { return m.name == name })]
}

// measures are those that some stack has.
func measures(stacks []profiler.Stack) (list []measure) {
	for _, m := range allMeasures {
		if slices.ContainsFunc(stacks, func(x profiler.Stack) bool { return m.of(&x) > 0 }) {
			list = append(list, m)
		}
	}
	return list
}
