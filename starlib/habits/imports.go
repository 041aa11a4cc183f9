package habits

// imports are modules that Python users import.
var imports = []Row{
	{Pattern: "jax", As: "jnp", Hint: "T has symbolic tensors and grad", Example: "import jax"},
	{Pattern: "keras", Hint: "T.nnet has the functions of layers", Example: "import keras"},
	{Pattern: "matplotlib", As: "plt pyplot", Hint: "plot is not in Arignote yet", Example: "import matplotlib"},
	{Pattern: "pandas", As: "pd", Hint: "np.loadtxt and np.genfromtxt read tables", Example: "import pandas"},
	{Pattern: "pylab", Hint: "np has the functions of arrays", Example: "import pylab"},
	{Pattern: "multiprocessing threading subprocess", Hint: "programs run in one thread, and kernels in config.threads of them", Example: "import threading"},
	{Pattern: "glob shutil tempfile pathlib", Hint: "os and os.path have files", Example: "import glob"},
	{Pattern: "datetime", Hint: "time has the clock, and time.strftime writes it", Example: "import datetime"},
	{Pattern: "re", Hint: "text has .split, .replace and .find", Example: "import re"},
	{Pattern: "sklearn", Hint: "np and T are there", Example: "import sklearn"},
	{Pattern: "tensorflow", As: "tf", Hint: "T has symbolic tensors and grad", Example: "import tensorflow"},
	{Pattern: "torch", Hint: "T has symbolic tensors and grad", Example: "import torch"},
	{Pattern: "future", Hint: "this is Python 3's language: range, zip and dicts are what they are there", Example: "import future"},
	{Pattern: "operator", Hint: "lambda x, y: x + y is operator.add, and lambda p: p[1] operator.itemgetter(1)", Example: "import operator"},
	{Pattern: "urllib urllib2 requests", Hint: "programs read files, and reach no network", Example: "import urllib"},
	{Pattern: "typing", Hint: "annotations are read and ignored; leave the import out", Example: "import typing"},
}
