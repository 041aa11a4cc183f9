package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/check"
)

// TestFile: what is found in a program, by its line, and nothing else.
func TestFile(t *testing.T) {
	for _, c := range []struct{ title, code, want string }{
		{"nothing", "import numpy as np\nx = np.zeros(3)\nprint(x.nothing_is_known_of_it)", ""},
		{"names of functions, classes and comprehensions", "class A:\n    y = 1\n    def f(self, *a, k=y, **kw):\n        return [z for z in a if (w := z)], w, kw, k, A, later, __class__\nlater = 1\n", ""},
		{"members of a class are no names of its methods", "class A:\n    y = 1\n    def f(self):\n        return y\n", "4 name y"},
		{"global and nonlocal", "def f():\n    global g\n    g = 1\n    def h():\n        nonlocal k\n        k = 2\n    k = 1\nprint(g, k)", "8 name k"},
		{"all names of ours", "from numpy import *\nfrom theano.tensor import *\nzeros(3) + dvector('x') + nope", "3 name nope"},
		{"all names of a file", "from lib import *\nf(nope, np)", "2 name nope"},
		{"a cycle of files", "from cycle import *\nf(anything)", ""},
		{"a name that is imported twice", "try:\n    import cPickle as p\nexcept ImportError:\n    import pickle as p\np.nope\nimport json as q\nq = 1\nq.nope", "5 attribute pickle.nope"},
		{"a class of variables that is imported twice", "from theano import Variable\nfrom theano.tensor import TensorVariable\nfrom theano import Variable\nfrom theano.tensor import TensorVariable\nnope", "5 name nope"},
		{"a parameter hides a module", "def f(T):\n    return T.nope\ndef g():\n    T = 1\n    return T.nope\nT.nope", "6 attribute T.nope"},
		{"an import in a function", "def f():\n    import numpy as np\n    return np.nope\n", "3 attribute np.nope"},
		{"what handlers catch", "try:\n    import nope\n    np.nope\n    nope.x\nexcept (ImportError, AttributeError):\n    nope = None\n", ""},
		{"a handler for an import that is there", "try:\n    import pickle\n    from numpy import zeros\nexcept ImportError:\n    import nope\nelse:\n    import nope\n", "7 import nope"},
		{"a handler that may run in spite of it", "try:\n    import pickle\nexcept Exception:\n    import nope\ntry:\n    import pickle\n    pickle.load\nexcept ImportError:\n    import nope", "4 import nope,9 import nope"},
		{"a section of flags that warn", "import theano\ntheano.config.warn.subtensor_merge_bug = False\ntheano.config.warn_nope = 1", "3 attribute config.warn_nope"},
		{"members of the user's files", "import lib\nimport pkg.sub\nlib.f(1)\nlib.nope\nfrom lib import f, nope\nfrom pkg import sub, nope\nsub.f",
			"4 attribute lib.nope,5 import lib.nope,6 import pkg.nope,7 attribute sub.f"},
		{"keywords", "import theano\ntheano.function([], 1, updates=None, nope=2)\nf = dict\nf(nope=1)\nprint(1, end='', nope=3)", "2 keyword function(nope=),5 keyword print(nope=)"},
		{"a method that is called as one of Python 2", "class D:\n    def has_key(self, k): return 1\nD().has_key(1)\n{}.iteritems()", "4 attribute iteritems"},
		{"Python 2", "for i in xrange(3):\n    print i\n{}.iteritems()\n", "1 name xrange,2 syntax print is a function: print(x),3 attribute iteritems"},
		{"names of what is refused are known", "def f(a, (b, c)):\n    return a + b\nf(1)\nx = 3f\nx + 1", "1 syntax a tuple is no parameter; take it apart in the body: a, b = p," +
			"4 syntax a float is written without a suffix: 1.0"},
		{"magics of cells", "# %%\n%%time\nx = nope\n# %%\n%%profile\n%%capture\ny = x + nope\n# %%\n%%profile\n%%writefile f.txt\nx = nope (\n# %%\n%%raises NameError\nx = nope\n" +
			"# %%\n%%timeit n = 3\nn + nope\n# %%\nx + y + n", "3 name nope,7 name nope,19 name n"},
		{"cells and magics", "# %% one\nx = 1\n# %% [markdown]\n# text (\n# %%\n%time y = x + nope\n", ""},
	} {
		t.Run(c.title, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"main.py": c.code, "lib.py": "import numpy as np\ndef f(x): return x\n_hidden = 1\n",
				"cycle.py": "from main import *\n", "pkg/__init__.py": "", "pkg/sub.py": "g = 1\n"} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			report, err := check.File(starlib.NewSession(starlib.Options{Dir: dir}).Session, filepath.Join(dir, "main.py"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range report.Files[0].Problems {
				got = append(got, fmt.Sprint(p.Line, " ", p.Kind, " ", p.Subject))
			}
			if got := strings.Join(got, ","); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
