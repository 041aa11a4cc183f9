// Package profiler profiles *tensor programs* (nodes, kernels, bytes, flops).
// For the Go process use runtime/pprof.
//
//	Stats         the profile of one or more functions; the user knows it as ProfileStats
//	Recorder      an exec.Tracer that adds the calls of one function to a Stats
//	FunctionInfo  what Add has to know of a function
//	Function      the model: one function, its calls and compile times
//	Node          the model: one Apply node, its times, flops, bytes, operands and origin
//	Part          the share of a fused node's work that one of the nodes had which it replaced
//	Shapes        the calls of a function whose inputs had the same shapes; ShapeRow is their row
//	Sample        the finest: what one line of the user's cost as a part of one node; see Stats.Samples
//	Stack         a part of the wall time and all that led there: a spot or a sample; see Stacks
//	Cell          where the wall time went; Spot a line's part of it, CellTrace what ran when
//	Process       what traces ask of the process: memory, processors, collections, worker threads
//	Calls         counts the calls of a function that has no profile
//	Row           a line of a table by class, op, Apply node or source line; see Stats.Rows
//	LineRow       the price of a line of source, forward, gradient and update; see Stats.Lines
//	Path          a part of a LineRow: by which calls the line was reached
//	ScopeRow      the price of what was made in a named_scope; see Stats.Scopes
//	Spread        the median and p90 of calls; LeftOut what the times of a row of a steady profile do not have; see Stats.Steady
//	Usage         wall and CPU time, and what other programs took
//	Difference    what one profile took more than another; see Stats.Minus
//	MemoryUse     the peak of a call: real, and by replay with and without inplace and garbage collection; what is there anyway
//	Timeline      what lives during each node, and at the peak
//	MemoryRow     the bytes that a node makes; MemoryLine those of a line
//	Order         the order of the nodes with the lowest peak; see Stats.LowestPeak
//	Machine       what the profile was measured on; its Roof is the most that it can do, and Bound where a node stands under it
//	View          what is shown: tables, rows, layout; ViewFlags is how users say it
//	Clock         ticks, how long they are, and what reading them costs
//
// There is one model and there are many views: recorders fill a Stats; Clone takes a snapshot of
// it; Samples, Rows and Lines compute every table once; columns says what stands in them; and the
// other rooms only format: text (the classic layouts and our own), panel (for notebooks).
// MarshalJSON keeps it. All times in the model are float64 nanoseconds; package units turns them
// into what is read.
//
// Clone and what is saved have what was measured; our own views show Steady, in which calls that
// were interrupted count as the others of the same shapes: see steady.go, and group.go for the
// shapes.
//
// What is measured: the clock is read once before the first node of a run and once after each. A
// node's time is that from the end of the one before to its own end, fetching operands included,
// less the cost of one reading, and never less than MinNodeTime, so that a node that ran shows more
// than 0. A run's time is measured around all of its nodes, a call's around that; both are net of
// all readings inside them. The cost is measured when the clock is first used, and every report
// states it.
//
// Memory is known in two ways. The executor counts what is really allocated, in homes that are kept
// from call to call, results and kernels' workspaces, wherever that changes, profile or not. And
// the shapes of the last call can be replayed: storage.go has each value with memory of its own as
// a block that lives from the node that makes it to the last that uses it, which says what would be
// in another order, without inplace, or without garbage collection. RealMemory says where the two
// differ.
//
// What it costs: about 10 ns a node, of which reading the clock is most, and with memory about 15
// (go test -run - -bench ProfileCost; of nodes of a microsecond 1.2 % and 1.8 %, see -bench
// ProfileRatio). So a Recorder does nothing in a run that can be done when somebody looks: it adds
// to tallies, and compares shapes with those of the run before. Clone makes Nodes of that. Where
// that would still be a notable part of a call, few runs are traced and some calls measured: see
// sampled.go.
//
// Start reading at stats.go, then recorder.go and rows.go. It may import profiler/plain,
// profiler/units, profiler/clock, runtime/exec, runtime/graph, runtime/history, runtime/tensor and
// kernels; its tests also import its views.
package profiler
