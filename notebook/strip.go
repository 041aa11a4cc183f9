package notebook

// What running or looking at a notebook leaves in metadata.
var (
	traces = []string{"execution", "ExecuteTime", "papermill", "collapsed", "scrolled"}

	notebookTrace = []string{"language_info", "papermill", "widgets", "signature"}
)

// Strip takes out outputs and execution counts, with what else running and looking leaves, and
// reports whether there were any. language_info stays: scripts are named by it.
func (nb *Notebook) Strip() bool {
	found := false
	take := func(o Object, keys []string) {
		for _, key := range keys {
			if _, there := o[key]; there && key != "language_info" {
				delete(o, key)
				found = true
			}
		}
	}
	take(nb.Metadata, notebookTrace)
	for _, c := range nb.Cells {
		found = found || len(c.Outputs) > 0 || c.Count != ""
		c.Outputs, c.Count = nil, ""
		take(c.Metadata, traces)
	}
	return found
}

// KeepOutputs gives the cells of code the outputs that a notebook has of the same cells, and what
// else running leaves.
func (nb *Notebook) KeepOutputs(old *Notebook) {
	keep := func(to, from Object, keys []string) {
		for _, key := range keys {
			if raw, there := from[key]; there && to[key] == nil {
				to[key] = raw
			}
		}
	}
	keep(nb.Metadata, old.Metadata, notebookTrace)
	for _, m := range match(old.Cells, nb.Cells) {
		if m.old >= 0 && m.new >= 0 && alike(old.Cells[m.old], nb.Cells[m.new]) {
			from, to := old.Cells[m.old], nb.Cells[m.new]
			to.Outputs, to.Count = from.Outputs, from.Count
			keep(to.Metadata, from.Metadata, traces)
		}
	}
}
