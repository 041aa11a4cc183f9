package habits

// magics are IPython's; ! is what a line of the shell begins with.
var magics = []Row{
	{Pattern: "bash sh script system sx cmd !", Hint: "cells do not run commands of the system: use a terminal", Example: "%%bash\nls"},
	{Pattern: "python python2 python3 pypy perl ruby cython julia R sql", Hint: "cells are Starlark", Example: "%%python3\nx = 1"},
	{Pattern: "js", Hint: "%%javascript has the page run the cell", Example: "%%js\nx"},
	{Pattern: "file", Hint: "%%writefile FILE writes the cell to a file", Example: "%%file x.txt\nx"},
	{Pattern: "unload_ext reload_ext", Hint: "there are no extensions; %lsmagic lists what there is", Example: "%unload_ext autoreload"},
	{Pattern: "aimport", Hint: "%autoreload 2 reads imported files again when they have changed", Example: "%aimport layers"},
	{Pattern: "pip conda mamba", Hint: "there are no packages; load(\"file.star\", \"name\") loads files", Example: "%pip install numpy"},
	{Pattern: "set_env", Hint: "flags are set by %config name=value, and for one cell by %%flags name=value", Example: "%set_env X=1"},
	{Pattern: "cat more less", Hint: "print(open(\"FILE\").read()) shows a file, and %load FILE puts it in the cell", Example: "%cat x.txt"},
	{Pattern: "pdb tb", Hint: "%debug looks at the calls of the last error and their variables", Example: "%pdb on"},
	{Pattern: "psource pfile", Hint: "%pinfo2 name shows the source, as name?? does", Example: "%psource f"},
	{Pattern: "pdoc pdef", Hint: "%pinfo name shows documentation, as name? does", Example: "%pdoc f"},
	{Pattern: "recall rep rerun macro", Hint: "%history 2-5 prints cells, and In[2] is the text of one", Example: "%recall 3"},
	{Pattern: "save notebook logstart edit", Hint: "%%writefile FILE writes the cell to a file, and %history prints cells", Example: "%save a.py 1-3"},
	{Pattern: "colors", Hint: "%xmode chooses how much tracebacks show", Example: "%colors NoColor"},
	{Pattern: "pylab", Hint: "np is predeclared", Example: "%pylab inline"},
}
