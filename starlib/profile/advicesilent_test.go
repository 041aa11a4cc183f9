package profile_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
)

// TestAdviceIsSilent: rules say nothing where the change that they ask for is impossible, changes
// the result, or saves nothing.
func TestAdviceIsSilent(t *testing.T) {
	const product = "W = shared(np.ones((200, 200)) * 0.001, name='W')\nx = T.dmatrix('x')\nf = function([x], T.dot(x, T.dot(W, W)).sum(), name='f')\nX = np.ones((20, 200))\n"
	const get = "W = shared(np.ones((500, 500)), name='W')\nf = function([], W.sum(), updates=[(W, W + 1)])\nh = []\n"
	for i, c := range []struct{ name, rule, program string }{
		{"texts", "element-loop", "words = []\nfor i in range(300000):\n    words.append('w' + str(i % 17))\ns = ' '.join(words)"},
		{"counts", "element-loop", "d, keys = {}, list(range(100))\nfor i in range(500000):\n    k = keys[i % 100]\n    d[k] = d.get(k, 0) + 1"},
		{"numbers without arrays", "element-loop", "s = 1\nfor i in range(500000):\n    s = (s * 1103515245 + 12345) % 2147483648"},
		{"a search", "element-loop", "v = list(range(400000))\nfor i in range(400000):\n    if v[i] * 3 > 1150000:\n        break"},
		{"recursion", "element-loop", "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nr = fib(25)"},
		{"one column more", "growing-array", "X = np.ones((3000, 1500))\nX = np.hstack([X, np.ones((3000, 1))])"},
		{"one column more of each batch", "growing-array", "for i in range(20):\n    X = np.ones((1000, 500)) * i\n    X = np.hstack([X, np.ones((1000, 1))])"},
		{"one column more in a function", "growing-array", "def wider(X):\n    X = np.hstack([X, np.ones((len(X), 1))])\n    return X\nfor i in range(20):\n    a = wider(np.ones((1000, 500)))"},
		{"one column more in a constructor", "growing-array", "class Net:\n    def __init__(self, X):\n        self.X = X\n        self.X = np.hstack([self.X, np.ones((len(X), 1))])\nfor i in range(20):\n    net = Net(np.ones((1000, 500)))"},
		{"a window", "growing-array", "buf = np.zeros(100000)\nfor i in range(400):\n    buf = np.append(buf, i * 1.0)[-100000:]"},
		{"a value that is changed", "get-value-copy", get + "for i in range(60):\n    w = W.get_value()\n    w += 1\n    W.set_value(w)"},
		{"values that are kept", "get-value-copy", get + "for i in range(60):\n    f()\n    h.append(W.get_value())"},
		{"a row that is kept", "get-value-copy", get + "for i in range(60):\n    f()\n    h.append(W.get_value()[0])"},
		{"the value before", "get-value-copy", get + "for i in range(60):\n    before = W.get_value()\n    f()"},
		{"updated by another function", "same-each-call", product + "g = function([], [], updates=[(W, W * 1.001)])\nfor i in range(40):\n    g()\n    f(X)"},
		{"set between calls", "same-each-call", product + "for i in range(40):\n    W.set_value(np.ones((200, 200)) * i)\n    f(X)"},
		{"random numbers", "same-each-call", "from theano.sandbox.rng_mrg import MRG_RandomStreams\nn = MRG_RandomStreams(3).normal((400, 400))\nf = function([], T.exp(n).sum())\nfor i in range(20):\n    f()"},
		{"three models", "function-in-loop", "def build(n):\n    x = T.dmatrix('x')\n    W = shared(np.ones((n, n)), name='W')\n    return function([x], T.tanh(T.dot(T.exp(x), W)).sum())\na = build(10)\nb = build(20)\nc = build(30)\nfor i in range(30):\n    a(np.ones((3, 10))); b(np.ones((3, 20))); c(np.ones((3, 30)))"},
		{"a list of models", "function-in-loop", "x = T.dmatrix('x')\nfs = []\nfor k in range(8):\n    W = shared(np.ones((20, 20)) * k, name='W')\n    fs.append(function([x], T.tanh(T.dot(T.exp(x), W)).sum()))\nfor f in fs:\n    f(np.ones((20, 20)))"},
		{"a list of named models", "function-in-loop", "x = T.dmatrix('x')\nfs = []\nfor k in range(8):\n    W = shared(np.ones((20, 20)) * k, name='W')\n    f = function([x], T.tanh(T.dot(T.exp(x), W)).sum())\n    fs.append(f)\nfor f in fs:\n    f(np.ones((20, 20)))"},
		{"a call of much in np", "small-calls", "y = T.dvector('y')\nf = function([y], y * 2 + 1, name='tiny')\nv = np.ones(3000)\nfor i in range(3000):\n    f(np.sort(np.sin(v) + np.cos(v * i)))"},
		{"an inverse that is kept", "inverse", "A = np.eye(200) * 3\nfor i in range(10):\n    P = np.linalg.inv(A.T.dot(A))"},
		{"an inverse with a name", "inverse", "A, B = np.eye(200) * 3, np.ones((200, 200))\nfor i in range(10):\n    P = np.linalg.inv(A); q = P.dot(B); r = P * 2"},
		{"a cast that was asked for", "float64-in-float32", "x, y = T.fmatrix('x'), T.dmatrix('y')\nz = T.cast(x, 'float64')\nf = function([x, y], T.tanh(T.exp(T.sin(z * y))).sum())\nX, Y = np.ones((400, 400), dtype='float32'), np.ones((400, 400))\nfor i in range(30):\n    f(X, Y)"},
		{"transposed by the graph", "strided-operand", "x, W = T.dmatrix('x'), shared(np.ones((1200, 1200)), name='W')\nf = function([x], T.exp(x) + W.T)\nX = np.ones((1200, 1200))\nfor i in range(15):\n    f(X)"},
		{"each call needs the last", "row-by-row", "W = shared(np.ones((1000, 1000)) / 1000, name='W')\nx = T.dvector('x')\nf = function([x], T.dot(W, x), name='f')\nv = np.ones(1000)\nfor i in range(150):\n    u = f(v)\n    v = u / np.sqrt((u * u).sum())"},
		{"an inverse on one thread", "one-thread", "config.threads = 1\nx = T.dmatrix('x')\nf = function([x], T.nlinalg.matrix_inverse(x), name='f')\nfor i in range(8):\n    f(np.eye(300) * 2)"},
		{"a loop on one thread", "one-thread", "config.threads = 1\nh = T.dvector('h')\nres, up = theano.scan(lambda h: T.tanh(h) * 0.5, outputs_info=h, n_steps=3000)\nf = function([h], res[-1])\nfor i in range(15):\n    f(np.ones(300))"},
		{"branches that memory waits for", "both-branches", "x = T.dmatrix('x')\nn = T.sqrt((x ** 2).sum())\nf = function([x], T.switch(n > 5, x * 5 / n, x))\nX = np.ones((500, 400))\nfor i in range(60):\n    f(X)"},
		{"a table of lists", "element-loop", "a, b = [0, 1, 2, 3] * 100, [2, 3, 1, 0] * 100\nD = [[0] * (len(b) + 1) for i in range(len(a) + 1)]\nfor i in range(1, len(a) + 1):\n    for j in range(1, len(b) + 1):\n        D[i][j] = D[i - 1][j - 1] + 1 if a[i - 1] == b[j - 1] else max(D[i - 1][j], D[i][j - 1])"},
		{"a graph", "element-loop", "adj = [[(i * 7 + k) % 2000 for k in range(10)] for i in range(2000)]\nfor rep in range(15):\n    seen, todo = [False] * 2000, [0]\n    while todo:\n        u = todo.pop()\n        if seen[u]: continue\n        seen[u] = True\n        for w in adj[u]:\n            if not seen[w]: todo.append(w)"},
		{"attributes", "element-loop", "class P:\n    def __init__(self, x): self.x = x\nps = [P(i) for i in range(100000)]\nt = 0\nfor p in ps:\n    t += p.x\n    p.x = t"},
		{"conjugate gradients", "row-by-row", "A = shared(np.eye(700) * 2, name='A')\nv = T.dvector('v')\nmul = function([v], T.dot(A, v), name='mul')\nb = np.ones(700)\nr = b\np = r\nfor k in range(150):\n    q = mul(p)\n    alpha = r.dot(r) / p.dot(q)\n    rn = r - alpha * q\n    p = rn + (rn.dot(rn) / r.dot(r)) * p\n    r = rn + 1.0"},
		{"a step of much", "small-steps", "x, U = T.dtensor3('x'), shared(np.eye(100))\nh, _ = theano.scan(lambda r, h: T.tanh(r + T.dot(h, U)), sequences=x, outputs_info=T.zeros((200, 100)))\nf = function([x], h[-1])\nf(np.ones((1100, 200, 100)))"},
		{"all rows are new", "copied-update", "x = T.dmatrix('x')\nf = function([x], T.set_subtensor(x[:, 0:199], 0.0))\nX = np.ones((3000, 200))\nfor i in range(20):\n    f(X)"},
		{"training and testing", "changing-shapes", "x = T.dmatrix('x')\nf = function([x], T.tanh(T.exp(x)).sum())\nX, Y = np.ones((3000, 100)), np.ones((1000, 100))\nfor i in range(30):\n    f(X)\nfor i in range(30):\n    f(Y)"},
		{"sorted integers", "go-for-type", "x = T.ivector('x')\nf = function([x], T.sort(x))\nX = np.random.RandomState(1).randint(-9999, 9999, 100000).astype('int32')\nfor i in range(10):\n    f(X)"},
		{"one call", "not-optimized", "x = T.dmatrix('x')\nf = function([x], T.sqrt(x * x + 2.0 * x + 1.0) - x, mode='FAST_COMPILE')\nf(np.ones((100, 100)))"},
	} {
		if testing.Short() && i%7 > 0 {
			continue
		}
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if a, ok := advised(t, c.program)[c.rule]; ok {
				t.Errorf("it says %v of\n%s", a, c.program)
			}
		})
	}
}

// TestAdviceInOtherWords: rules speak of the same mistake, however it is written.
func TestAdviceInOtherWords(t *testing.T) {
	for i, c := range []struct{ rule, program, line, want string }{
		{"growing-array", "x, a = np.zeros((0, 100)), np.ones((1, 100))\nfor i in range(1500):\n    x = np.concatenate([a, x])", "    x = np.concatenate([a, x])", "np.concatenate of it backwards once"},
		{"growing-array", "def add(h, v):\n    h = np.append(h, v)\n    return h\nh = np.zeros(0)\nfor i in range(20000):\n    h = add(h, i)", "    h = np.append(h, v)", "make one array of it after the loop"},
		{"growing-array", "rows = np.zeros((0, 100))\nfor i in range(1500):\n    rows = np.concatenate(\n        [rows,  # so far\n         np.ones((1, 100))], axis=0)", "    rows = np.concatenate(", "copies all of rows"},
		{"growing-array", "hist = {'loss': np.zeros(0)}\nfor i in range(15000):\n    hist['loss'] = np.append(hist['loss'], i)", "    hist['loss'] = np.append(hist['loss'], i)", "make one array of it after the loop"},
		{"inverse", "A, b = np.eye(250) * 3, np.ones(250)\nfor i in range(40):\n    x = b @ np.linalg.inv(A)", "    x = b @ np.linalg.inv(A)", "np.linalg.solve(A.T, b.T).T"},
		{"inverse", "A, b = np.eye(250) * 3, np.ones(250)\nfor i in range(40):\n    x = np.dot(b, np.linalg.inv(A))", "    x = np.dot(b, np.linalg.inv(A))", "np.linalg.solve(A.T, b.T).T"},
		{"get-value-copy", "class Model:\n    def __init__(self):\n        self.W = shared(np.ones((800, 800)), name='W')\n    def norm(self):\n        return (self.W.get_value() ** 2).sum()\nm = Model()\nfor i in range(30):\n    m.norm()", "        return (self.W.get_value() ** 2).sum()", "get_value() copies"},
		{"small-calls", "y = T.dvector('y')\nstep = function([y], y + 1, name='step')\nv = np.ones(3)\nfor i in range(150000):\n    v = step(v)", "    v = step(v)", "loop inside of the function with theano.scan"},
		{"function-in-loop", "x = T.dmatrix('x')\nX = np.ones((20, 40))\ndef cost(k):\n    f = function([x], T.tanh(T.dot(x, x.T) * k).sum())\n    return f(X)\nbest = min([cost(0.5 + k) for k in range(60)])", "    f = function([x], T.tanh(T.dot(x, x.T) * k).sum())", "function() is called here 60 times"},
	} {
		if !long.Turn(i, 1) {
			continue
		}
		a, ok := advised(t, c.program)[c.rule]
		if !ok {
			t.Errorf("nothing is said of\n%s", c.program)
			continue
		}
		if line := strings.Split("\n"+c.program, "\n")[a.Line-1]; line != c.line || !strings.Contains(a.String(), c.want) {
			t.Errorf("got %v at %q, want %q at %q", a, line, c.want, c.line)
		}
	}
}
