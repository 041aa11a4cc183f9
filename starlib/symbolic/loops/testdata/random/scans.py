"""Random loops, in loops, as users write them, are compared with the graphs that their steps make when they are written one after the other: values, updates,
gradients, and gradients of gradients. try_programs(first, count) is called by TestScansAtRandom."""
import theano
import theano.tensor as T
import numpy as np


class Draw:
    """Numbers of a seed."""
    def __init__(self, seed):
        self.r = np.random.RandomState(seed)

    def below(self, n):
        return int(self.r.randint(n))

    def one_in(self, n):
        return self.below(n) == 0

    def of(self, items):
        return items[self.below(len(items))]


# A program is data, made once; fn builds of it what a step computes, once for scan and once a step for the unrolled graph.

def make_expression(d, depth):
    if depth == 0 or d.one_in(4):
        return ("leaf", d.below(100))
    kind = d.of(["add", "mul", "sub", "tanh", "sin", "scale", "sum", "switch"])
    return (kind, make_expression(d, depth - 1), make_expression(d, depth - 1))


def make_loop(d, level):
    steps = d.below(6) if level == 0 else d.below(4)
    loop = {"steps": steps, "level": level, "backwards": d.one_in(4), "seqs": [], "states": [], "results": [], "inner": [], "update": None, "until": None,
            "order": d.below(3)}
    for _ in range(d.below(3)):
        loop["seqs"].append({"taps": d.of([None, None, None, [0], [-1, 0], [1], [-2, 1], [0, -1, 2], 2]), "longer": d.below(2), "by": d.below(100), "times": d.one_in(2)})
    loop["count"] = d.of(["number", "symbol", "both"]) if loop["seqs"] else d.of(["number", "symbol"])
    for _ in range(d.below(4)):
        loop["states"].append({"taps": d.of([None, None, None, [-1], [-2, -1], [-1, -3], [-2], [-3]]), "by": d.below(100), "given": d.one_in(2)})
    for _ in range(d.below(3) if loop["states"] else 1 + d.below(2)):
        loop["results"].append(None)
    loop["fixed"] = [d.below(100) for _ in range(d.below(3))]
    if level > 0:
        for _ in range(d.below(3)):
            loop["inner"].append(make_loop(d, level - 1))
    loop["values"] = [make_expression(d, 3) for _ in loop["states"] + loop["results"]]
    if d.one_in(3):
        loop["update"] = (d.below(2), make_expression(d, 2))
    if d.one_in(4) and steps > 0:
        loop["until"] = (make_expression(d, 2), d.of([0.2, 0.5, 1.0]))
    return loop


def build(tree, env):
    kind = tree[0]
    if kind == "leaf":
        return env[tree[1] % len(env)]
    a, b = build(tree[1], env), build(tree[2], env)
    if kind == "add":
        return a + b
    if kind == "mul":
        return a * b
    if kind == "sub":
        return T.sin(a - b)
    if kind == "tanh":
        return T.tanh(a)
    if kind == "sin":
        return T.sin(a) * 0.7
    if kind == "scale":
        return 0.5 * a + 0.1
    if kind == "sum":
        return a + 0.3 * b.sum()
    return T.switch(a > 0, a, 0.5 * b)


class World:
    """What a program reads: inputs with their values, and shared variables, which may be replaced by what they are in a step of an unrolled loop."""
    def __init__(self, seed):
        self.r = np.random.RandomState(seed + 1)
        self.width = 1 + int(self.r.randint(3))
        self.inputs, self.args, self.known = [], [], {}
        self.shared = [theano.shared(self.r.uniform(-1, 1, self.width), name="w%d" % i) for i in range(2)]
        self.begin = [w.get_value() for w in self.shared]
        self.now = []  # of each unrolled loop around, what shared variables are
        self.chosen = {}

    def fixed(self, path, loop, env):
        """What stays the same in a loop. It is not made of shared variables that loops in its steps update: the steps hold it, and these loops compute it anew."""
        if path not in self.chosen:
            changed = [self.shared[i] for child in loop["inner"] for i in changed_by(child)]
            self.chosen[path] = [k for k in loop["fixed"] if not any([v is w for v in theano.gof.graph.inputs([env[k % len(env)]]) for w in changed])]
        return self.chosen[path]

    def input(self, key, shape):
        """The input of a place in the program."""
        if key not in self.known:
            if len(shape) == 0:
                x, value = T.lscalar("n%d" % len(self.inputs)), key[-1]
            else:
                x = (T.dvector if len(shape) == 1 else T.dmatrix)("x%d" % len(self.inputs))
                value = self.r.uniform(-1, 1, shape)
            self.known[key] = x
            self.inputs.append(x)
            self.args.append(value)
        return self.known[key]

    def value(self, x):
        for now in self.now[::-1]:
            if now:
                x = theano.clone(x, replace=now, strict=False)
        return theano.function(self.inputs, x, mode=theano.Mode(optimizer=None), on_unused_input="ignore", no_default_updates=True)(*self.args)

    def reset(self):
        for w, value in zip(self.shared, self.begin):
            w.set_value(value)


def run(loop, world, env, path, scan):
    """Builds a loop by scan, or by unrolled. Returns its outputs and updates."""
    width = world.width
    taps_of = [[0] if s["taps"] is None else [s["taps"]] if isinstance(s["taps"], int) else s["taps"] for s in loop["seqs"]]
    seqs = []
    for i, s in enumerate(loop["seqs"]):
        span = max(taps_of[i] + [0]) - min(taps_of[i] + [0])
        longer = s["longer"] if loop["count"] == "both" or i > 0 else 0
        x = world.input((path, "seq", i), (loop["steps"] + span + longer, width))
        if s["times"]:
            x = x * env[s["by"] % len(env)]
        seqs.append(x if s["taps"] is None else dict(input=x, taps=s["taps"]))
    infos = []
    for i, s in enumerate(loop["states"]):
        taps = s["taps"]
        depth = -min(taps) if taps else 1
        by = env[s["by"] % len(env)]
        if taps is None or depth == 1:
            x = by if s["given"] else world.input((path, "state", i), (width,))
            infos.append(x if taps is None else dict(initial=x, taps=taps))
        elif s["given"]:
            infos.append(dict(initial=T.stack([by * (k + 1.0) for k in range(depth)]), taps=taps))
        else:
            infos.append(dict(initial=world.input((path, "state", i), (depth, width)), taps=taps))
    infos += [None] * len(loop["results"])
    fixed = [env[k % len(env)] for k in world.fixed(path, loop, env)]
    steps = None
    if loop["count"] == "symbol" or loop["count"] == "both":
        steps = world.input((path, "n", loop["steps"]), ())
    elif not loop["seqs"] or loop["steps"] % 2:
        steps = loop["steps"]

    def fn(*got):
        inside = list(got) + env + world.shared
        updates = {}
        for k, child in enumerate(loop["inner"]):
            outputs, more = run(child, world, inside, path + (k,), scan)
            for out in outputs:
                inside = [T.tanh(out.sum(axis=0))] + inside
            for w in more:
                if w not in updates:
                    updates[w] = more[w]
        values = [T.tanh(build(tree, inside)) for tree in loop["values"]]
        if loop["update"]:
            w = world.shared[loop["update"][0]]
            if w not in updates:
                updates[w] = T.tanh(build(loop["update"][1], inside))
        returned = [values]
        if updates:
            returned.append(updates)
        if loop["until"]:
            ends = build(loop["until"][0], inside).sum() > loop["until"][1]
            returned.append(theano.scan_module.until(ends) if scan is looped else ends)
        if len(returned) == 1:
            return values
        if loop["order"] == 1 and not loop["until"]:
            returned = returned[::-1]
        return tuple(returned)

    return scan(fn, seqs, infos, fixed, steps, loop, world)


def looped(fn, seqs, infos, fixed, steps, loop, world):
    return theano.scan(fn, sequences=seqs, outputs_info=infos, non_sequences=fixed, n_steps=steps, go_backwards=loop["backwards"], return_list=True)


def unrolled(fn, seqs, infos, fixed, steps, loop, world):
    """What scan does, one step after the other."""
    values = []
    for info in infos:
        if info is None:
            values.append([])
        elif isinstance(info, dict) and info["taps"] != [-1]:
            values.append([info["initial"][k] for k in range(-min(info["taps"]))])
        else:
            values.append([info["initial"] if isinstance(info, dict) else info])
    begins = [len(v) for v in values]
    now = {}
    world.now.append(None)
    for t in range(loop["steps"]):
        got = []
        for seq in seqs:
            x, taps = (seq["input"], seq["taps"]) if isinstance(seq, dict) else (seq, [0])
            taps = [taps] if isinstance(taps, int) else taps
            first, last = min(taps + [0]), max(taps + [0])
            for tap in taps:
                rows = x[tap - first:] if tap == last else x[tap - first:tap - last]
                got.append((rows[::-1] if loop["backwards"] else rows)[t])
        for info, v in zip(infos, values):
            if info is not None:
                got += [v[len(v) + tap] for tap in (info["taps"] if isinstance(info, dict) else [-1])]
        # What a step gets does not change with the shared variables that it is computed of, and among what stays the same that is so for the variable itself,
        # wherever a step reads it. A shared variable among that does change.
        held, step = dict(now), []
        for x in got:
            step.append(x.type())
            held[step[-1]] = x
        for x in fixed:
            step.append(x)
            if x.owner:
                held[x] = x
        world.now[-1] = held
        returned = fn(*step)
        parts = list(returned) if isinstance(returned, tuple) else [returned]
        outputs, updates, ends = [], {}, None
        for p in parts:
            if isinstance(p, list):
                outputs = p
            elif isinstance(p, dict):
                updates = p
            else:
                ends = p
        names = list(updates.keys())
        changed = theano.clone(outputs + [updates[w] for w in names], replace=held, strict=False)
        outputs, updates = changed[:len(outputs)], dict(zip(names, changed[len(outputs):]))
        for v, out in zip(values, outputs):
            v.append(out)
        stop = ends is not None and bool(world.value(ends))
        if updates:
            now.update(updates)
        if stop:
            break
    world.now.pop()
    for i in changed_by(loop):
        now.setdefault(world.shared[i], world.shared[i])
    width = world.width
    return [T.stack(v[n:]) if len(v) > n else T.zeros((0, width)) for v, n in zip(values, begins)], now


def changed_by(loop):
    """Which shared variables a loop updates, by their numbers, be it in no step."""
    all = [loop["update"][0]] if loop["update"] else []
    for child in loop["inner"]:
        all += changed_by(child)
    return all


def drop_until(loop):
    """Inner loops end by no condition: what steps after them read of them is computed anew for shared variables that have changed, and the number of steps of
    an unrolled loop would not be."""
    for child in loop["inner"]:
        child["until"] = None
        drop_until(child)


def cost_of(outputs, updates, world, seed):
    d = Draw(seed + 2)
    total = T.constant(0.0)
    for out in outputs:
        how = d.below(4)
        if how < 2:
            total = total + T.sin(out).sum()
        elif how == 2:
            total = total + (out.sum(axis=0) ** 2).sum()
        else:
            total = total + T.sin(out[-1:]).sum()
    for w in world.shared:
        if d.one_in(2) and w in updates:
            total = total + T.sin(updates[w]).sum()
    return total


def wanted(outputs, updates, world, seed):
    """What is compared: outputs, new values, gradients, and of one program in four gradients of gradients; of one in five the first rows alone, after which a
    loop may end."""
    if seed % 5 == 1:
        return [out[:1 + seed % 3] for out in outputs]
    cost = cost_of(outputs, updates, world, seed)
    wrt = [x for x in world.inputs if x.ndim > 0] + world.shared
    grads = T.grad(cost, wrt, disconnected_inputs="ignore")
    compared = outputs + [updates[w] for w in world.shared if w in updates] + [cost] + grads
    if seed % 4:
        return compared
    second = T.constant(0.0)
    for g, x in zip(grads, wrt):
        second = second + (T.sin(g) * x).sum()
    return compared + T.grad(second, wrt, disconnected_inputs="ignore")


def try_program(seed, modes):
    """Says what is wrong with a program, '' if nothing."""
    d = Draw(seed)
    loop = make_loop(d, d.of([0, 0, 0, 1, 1, 2]))
    if changed_by(loop):
        drop_until(loop)
    world = World(seed)
    env = [world.input(((), "env", i), (world.width,)) for i in range(1 + d.below(2))]
    outputs, updates = run(loop, world, env, (), looped)
    loops = wanted(outputs, updates, world, seed)
    plain, changes = run(loop, world, env, (), unrolled)
    changes = dict([(w, changes[w] if w in changes else w) for w in updates])
    reference = theano.function(world.inputs, wanted(plain, changes, world, seed), mode=theano.Mode(optimizer=None), updates=changes, on_unused_input="ignore")
    world.reset()
    want = reference(*world.args)
    after = [w.get_value() for w in world.shared]
    for mode in modes:
        world.reset()
        f = theano.function(world.inputs, loops, mode=mode, updates=updates, on_unused_input="ignore")
        got = f(*world.args)
        for i, (g, w) in enumerate(zip(got + [w.get_value() for w in world.shared], want + after)):
            if np.shape(g) != np.shape(w) or not np.allclose(g, w, rtol=1e-8, atol=1e-9):
                return "mode %s: value %d of %d (%d outputs, %d updates) is %s, want %s" % (mode, i, len(want), len(outputs), len(updates), g, w)
    return ""


def try_programs(first, count, debug_every=0):
    wrong = []
    for seed in range(first, first + count):
        modes = [None] + [[theano.Mode(optimizer=None)], ["FAST_COMPILE"], []][seed % 3]
        if debug_every and seed % debug_every == 0:
            modes.append("DebugMode")
        try:
            message = try_program(seed, modes)
        except Exception as e:
            message = "%s: %s" % (type(e).__name__, e)
        if message:
            wrong.append("seed %d: %s" % (seed, message))
    return wrong
