package lower

// The names of builtins that trees are rewritten to call, besides those of parse.Names. Users cannot write a $.
const (
	Display = "$display" // of the value of the cell's last expression
	Fuse    = "$fuse"    // of a text makes what computes an expression on variables as one: see fuse.go
	Magic   = "$magic"   // runs the i-th line magic of the cell
)
