package vm

import (
	"github.com/arignote/arignote/starlib/arith"
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An operation on arrays whose result is an operand of another waits, and so does what takes it,
// and all are computed in one pass where the expression ends. Nothing but this file knows of what
// waits: from the operation on its loop runs the instructions, as long as they are such that run no
// code of the program's and change no array. Before any other instruction what waits is computed,
// into the registers where it belongs, and the machine goes on there. So an expression is what it
// is of single operations, and it does not matter how its operands were found.

// waiting are the registers whose values wait. Such a register is empty.
type waiting struct {
	runs bool // the loop does
	n    int
	list [maxWaiting]struct {
		at   int // the register
		node value.Node
		ip   int // of the operation
	}
}

const maxWaiting = 8

func (w *waiting) find(at int) int {
	for i := range w.list[:w.n] {
		if w.list[i].at == at {
			return i
		}
	}
	return -1
}

func (w *waiting) take(at int) {
	if i := w.find(at); i >= 0 {
		w.n--
		w.list[i] = w.list[w.n]
	}
}

// has reports whether one of n registers waits.
func (w *waiting) has(at uint8, n int) bool {
	for i := range w.list[:w.n] {
		if r := w.list[i].at; r >= int(at) && r < int(at)+n {
			return true
		}
	}
	return false
}

// waits reports whether the result of an array's operation may wait for what takes it.
func (m *Machine) waits(ip int) bool {
	fr := m.fr
	c := fr.fn.code
	if !c.Feeds[ip] || m.holds || m.waiting.runs {
		return false
	}
	for ip++; m.deferral != nil; ip++ { // a call of what is not elementwise is no use
		switch next := c.Words[ip]; next.Op() {
		case code.CallMet, code.CallOp:
			return m.deferral.Takes(fr.regs[next.A()].Ref())
		case code.Move, code.Load, code.Var:
		default:
			return true
		}
	}
	return true
}

// What an instruction does while others wait.
const (
	ends  = iota // it has to wait until nothing does
	waits        // too
	ran
	whole // computes the expression
	fails
)

// deferred runs instructions from an operation of an array on, as long as they may be run while
// operations wait. It reports false if the first may not.
func (m *Machine) deferred(a value.Recyclable, ip int) (is, ok bool) {
	fr := m.fr
	m.deferral, m.waiting.runs = a.Defers(m.deferral), true
	depth, first := fr.depth, ip
	defer func() {
		if p := recover(); p != nil {
			m.panicked(p, depth, fr.ip)
			is, ok = true, false
		}
		m.waiting.n, m.waiting.runs = 0, false
		m.deferral.Forget()
	}()
	c := fr.fn.code
	for ; ip == first || c.Words[ip].Op() == c.Code[ip].Op; ip++ { // no line begins there
		fr.ip = ip
		switch m.step(c.Code[ip], ip) {
		case ran:
			ip = fr.ip // where the last one was of several
		case ends:
			return ip > first, ip == first || m.settle(ip)
		case whole:
			return true, m.went(nil, ip)
		case fails:
			return true, false
		}
	}
	return true, m.settle(ip)
}

// deferredCall is deferred from the call of an elementwise function on.
func (m *Machine) deferredCall(in code.Instr, ip int) (is, ok bool) {
	if m.deferral != nil && !m.deferral.Takes(m.fr.regs[in.A].Ref()) {
		return false, false
	}
	for r := int(in.A) + 1; r <= int(in.A)+int(in.B)+1; r++ {
		if a := arrayIn(&m.fr.regs[r]); a != nil {
			return m.deferred(a, ip)
		}
	}
	return false, false
}

// settle computes what waits, before an instruction that has to find it.
func (m *Machine) settle(ip int) bool {
	if !m.computeAll() {
		return false
	}
	m.fr.ip = ip - 1
	return m.went(nil, ip-1)
}

func (m *Machine) computeAll() bool {
	for i := range m.waiting.list[:m.waiting.n] {
		w := &m.waiting.list[i]
		if !m.compute(w.node, w.at, w.ip) {
			return false
		}
	}
	m.waiting.n = 0
	return true
}

// compute stores the value of a node.
func (m *Machine) compute(x value.Node, at, ip int) bool {
	fr := m.fr
	fr.ip = ip
	into := fr.replaced(uint8(at))
	v, err := m.deferral.Compute(x, into)
	if err != nil {
		m.fail(err, ip)
		return false
	}
	switch z := v.(value.Recyclable); {
	case into != nil && z == into:
	case m.deferral.IsView(x):
		fr.store(uint8(at), slot.Ref(z))
	default:
		fr.store(uint8(at), m.owns(z))
	}
	return true
}

// result has a node wait for what takes it, or computes it.
func (m *Machine) result(x value.Node, in code.Instr, ip int) int {
	fr := m.fr
	w := &m.waiting
	if at := int(in.A); fr.fn.code.Feeds[ip] && at >= len(fr.fn.code.Locals) && w.n < maxWaiting {
		// What is left there from a statement before may be an operand of what waits.
		if o := fr.regs[in.A].Own(); o != nil && !m.reads(o) {
			fr.store(in.A, slot.Slot{})
		} else {
			fr.regs[in.A].Clear()
		}
		w.list[w.n].at, w.list[w.n].node, w.list[w.n].ip = at, x, ip
		w.n++
		return waits
	}
	if int(in.A) < len(fr.fn.code.Locals) && !m.computeAll() || !m.compute(x, int(in.A), ip) {
		return fails
	}
	if w.n == 0 {
		return whole
	}
	return ran
}

// reads reports whether what waits has an array as an operand.
func (m *Machine) reads(o *slot.Own) bool {
	a, ok := o.Of.(value.Recyclable)
	return ok && m.deferral.Reads(a)
}

// array is whether a register waits, and among what, -1 if it does not, and the array there, if
// there is one.
func (m *Machine) array(x *slot.Slot, at int) (wait int, of value.Recyclable) {
	if m.waiting.n > 0 {
		if wait = m.waiting.find(at); wait >= 0 {
			return wait, nil
		}
	}
	if x.IsFloat() || x.IsInt() {
		return -1, nil
	}
	return -1, arrayIn(x)
}

// node is the node of what array has told, NoNode if it can have none.
func (m *Machine) node(x *slot.Slot, wait int, of value.Recyclable) value.Node {
	switch {
	case wait >= 0:
		return m.waiting.list[wait].node
	case of != nil:
		return m.deferral.Array(of)
	}
	return m.deferral.Number(x)
}

// nodeIn is the node of a register with an array, NoNode of others.
func (m *Machine) nodeIn(at uint8) value.Node {
	x := &m.fr.regs[at]
	wait, of := m.array(x, int(at))
	if wait < 0 && of == nil {
		return value.NoNode
	}
	return m.node(x, wait, of)
}

// takes says that an instruction has taken the value of a register: what was computed for it is of
// no use any more.
func (m *Machine) takes(at int, x value.Node) {
	fr := m.fr
	switch {
	case at < len(fr.fn.code.Locals):
	case fr.regs[at].IsOwn():
		if fr.dying(at) != nil {
			m.deferral.Spend(x)
			fr.regs[at].Clear()
		}
	case m.waiting.n > 0:
		m.waiting.take(at)
	}
}

// step runs an instruction, if it may be run while others wait. It changes no register but that of
// its result, which is no variable's unless nothing waits then.
func (m *Machine) step(in code.Instr, ip int) int {
	fr := m.fr
	r := fr.regs
	switch {
	case code.Add <= in.Op && in.Op <= code.NeK:
		return m.stepBinary(in, ip)
	case int(in.A) < len(fr.fn.code.Locals) && m.waiting.n > 0 && in.Op != code.Neg && in.Op != code.Invert && in.Op != code.Check:
		return ends
	}
	switch in.Op {
	case code.Neg, code.Invert:
		return m.stepUnary(in, ip)
	case code.CallOp, code.CallMet:
		return m.stepCall(in, ip)
	case code.Move:
		return m.stepMove(in, ip)
	case code.Load:
		r[in.A] = fr.fn.code.Consts[in.D]
		return ran
	case code.Check:
		return ranIf(r[in.A].IsSet())
	case code.Cell:
		return m.stepVariable(in, fr.cell(in.D).v)
	case code.Glob:
		return m.stepVariable(in, fr.fn.module.globals[in.D])
	case code.Var:
		return m.stepVariable(in, fr.fn.module.vars[in.D].v)
	case code.Attr, code.Method:
		return m.stepAttr(in, ip)
	case code.Index, code.IndexPair:
		return m.stepIndex(in, ip)
	case code.Slice, code.SliceBy:
		return m.stepSlice(in, ip)
	case code.Key:
		if x := r[in.B]; x.IsPlainKey() {
			r[in.A] = x
			return ran
		}
	}
	return ends
}

func ranIf(ok bool) int {
	if ok {
		return ran
	}
	return ends
}

func (m *Machine) stepVariable(in code.Instr, v slot.Slot) int {
	if !v.IsSet() {
		return ends
	}
	m.fr.regs[in.A] = v
	return ran
}

func (m *Machine) stepMove(in code.Instr, ip int) int {
	i := m.waiting.find(int(in.B))
	if i < 0 {
		m.fr.regs[in.A] = m.fr.regs[in.B]
		return ran
	}
	x := m.waiting.list[i].node
	m.waiting.take(int(in.B))
	return m.result(x, in, ip)
}

func (m *Machine) stepBinary(in code.Instr, ip int) int {
	op, x, y, flags := m.operands(in)
	first, second := int(in.B), -1
	switch {
	case op == in.Op:
		second = int(in.C)
	case flags&code.Swapped != 0:
		first, second = second, first
	}
	i, a := m.array(x, first)
	j, b := m.array(y, second)
	switch {
	case op == code.In || op == code.NotIn || op == code.Shl || op == code.Shr || changes(op, flags):
		return ends
	case i < 0 && j < 0 && a == nil && b == nil:
		return m.stepNumbers(op, x, y, in, ip)
	}
	left := m.node(x, i, a)
	if left == value.NoNode {
		return ends
	}
	right := m.node(y, j, b)
	if right == value.NoNode {
		return ends
	}
	z := m.deferral.Operator(code.Tokens[op], left, right)
	if z == value.NoNode {
		return ends
	}
	if i >= 0 || a != nil {
		m.takes(first, left)
	}
	if j >= 0 || b != nil {
		m.takes(second, right)
	}
	return m.result(z, in, ip)
}

// stepNumbers is x op y of numbers.
func (m *Machine) stepNumbers(op code.Op, x, y *slot.Slot, in code.Instr, ip int) int {
	z := &m.fr.regs[in.A]
	return ranIf((m.waiting.n == 0 || int(in.A) >= len(m.fr.fn.code.Locals)) &&
		(arith.Numbers(op, x, y, z) || op <= code.Div && (x.IsDouble() || y.IsDouble()) && m.doubles(op, x, y, z, ip)))
}

func (m *Machine) stepUnary(in code.Instr, ip int) int {
	x := m.nodeIn(in.B)
	if x == value.NoNode {
		return m.negated(in, &m.fr.regs[in.B])
	}
	z := m.deferral.Operator(code.Tokens[in.Op], x, value.NoNode)
	if z == value.NoNode {
		return ends
	}
	m.takes(int(in.B), x)
	return m.result(z, in, ip)
}

// negated is -x of a float.
func (m *Machine) negated(in code.Instr, x *slot.Slot) int {
	if in.Op != code.Neg || !x.IsFloat() || m.waiting.n > 0 && int(in.A) < len(m.fr.fn.code.Locals) {
		return ends
	}
	m.fr.regs[in.A].SetFloat(-x.Float())
	return ran
}

// stepCall is a call of an elementwise function.
func (m *Machine) stepCall(in code.Instr, ip int) int {
	r := m.fr.regs
	if in.D != 0 || in.C != code.CallPlain {
		return ends
	}
	first := int(in.A) + 1
	if in.Op == code.CallMet {
		if first++; r[in.A+1].IsSet() {
			return ends
		}
	}
	var few [3]value.Node
	n := int(in.B)
	if n == 0 || n > len(few) || !m.deferral.Takes(r[in.A].Ref()) {
		return m.stepQuick(in, first)
	}
	args := few[:n]
	for i := range args {
		x := &r[first+i]
		wait, of := m.array(x, first+i)
		if args[i] = m.node(x, wait, of); args[i] == value.NoNode {
			return ends
		}
	}
	z := m.deferral.Function(r[in.A].Ref(), args)
	if z == value.NoNode {
		return ends
	}
	for i, x := range args {
		m.takes(first+i, x)
	}
	return m.result(z, in, ip)
}

// stepQuick is a call of what syntax becomes, of numbers.
func (m *Machine) stepQuick(in code.Instr, first int) int {
	r := m.fr.regs
	callee, ok := r[in.A].Ref().(value.QuickCaller)
	if !ok || in.Op != code.CallOp || m.waiting.has(uint8(first), int(in.B)) {
		return ends
	}
	of := callee.QuickCall()
	args := r[first : first+int(in.B)]
	for i := range args {
		if of == nil || !isBound(&args[i]) {
			return ends
		}
	}
	v, ok := of(args)
	if ok {
		r[in.A] = v
	}
	return ranIf(ok)
}

// isBound reports whether a slot holds an int or None.
func isBound(x *slot.Slot) bool {
	return x.IsInt() || x.Ref() == starlark.Value(starlark.None)
}

// stepAttr is an attribute that is found without asking: of a module, an array, or an object that
// has it.
func (m *Machine) stepAttr(in code.Instr, ip int) int {
	fr := m.fr
	x := &fr.regs[in.B]
	if x.IsSet() && m.memberOf(in) {
		return ran
	}
	o, ok := x.Ref().(*value.Object)
	if !ok || o.Record.Shape == nil || in.Op == code.Method {
		return m.stepArrayAttr(in, ip)
	}
	switch s := fr.siteOf(in.D, &o.Record); {
	case s == nil:
		return ends
	case s.kind == value.FindsSlot:
		fr.regs[in.A] = o.Record.Slots[s.index]
	case s.kind == value.FindsConstant:
		fr.regs[in.A] = *s.cell
	default:
		return ends
	}
	return ran
}

func (m *Machine) stepArrayAttr(in code.Instr, ip int) int {
	name := m.fr.fn.module.program.Sites[in.D]
	if in.Op == code.Attr && name == "T" {
		x := m.nodeIn(in.B)
		if x == value.NoNode {
			return ends
		}
		return m.view(m.deferral.Turned(x), in, ip)
	}
	a := arrayIn(&m.fr.regs[in.B])
	switch {
	case a == nil: // of something else, or it waits
		return ends
	case in.Op == code.Method:
		if is, ok := m.reduced(a, in, ip); !is {
			return ends
		} else if !ok {
			return fails
		}
	case !a.Reads(name):
		return ends
	case !m.field(in, ip):
		return fails
	}
	return ran
}

// view has a view wait, which was taken from an array in a register.
func (m *Machine) view(x value.Node, in code.Instr, ip int) int {
	if x == value.NoNode {
		return ends
	}
	m.takes(int(in.B), x)
	return m.result(x, in, ip)
}

// stepIndex is x[i] of what the language has, and of arrays.
func (m *Machine) stepIndex(in code.Instr, ip int) int {
	r := m.fr.regs
	x, i := &r[in.B], &r[in.C]
	if in.Op == code.IndexPair && m.waiting.has(in.C, 2) || m.waiting.has(in.C, 1) {
		return ends
	}
	if m.waiting.has(in.B, 1) || arrayIn(x) != nil {
		if m.element(in.Word(), ip) {
			return ran
		}
		k := *i
		if in.Op == code.IndexPair {
			if !isSubscript(i) || !isSubscript(&r[in.C+1]) {
				return ends
			}
			k = m.fr.pair(in.C, true)
		} else if !isSubscript(i) {
			return ends
		}
		a := m.nodeIn(in.B)
		if a == value.NoNode {
			return ends
		}
		return m.view(m.deferral.View(a, k.Value()), in, ip)
	}
	if in.Op == code.IndexPair {
		return ends
	}
	switch x := x.Ref().(type) {
	case *slot.Dict:
		if v, _ := x.Value(i); v != nil {
			r[in.A] = *v
			return ran
		}
	case *slot.List:
		k := i.Int()
		if k < 0 {
			k += int64(x.Len())
		}
		if i.IsInt() && uint64(k) < uint64(x.Len()) {
			r[in.A] = *x.At(int(k))
			return ran
		}
	case starlark.Tuple:
		return ranIf(i.IsInt() && m.elementOf(in.Word(), ip))
	}
	return ends
}

// isSubscript reports whether a slot holds an int, None, a slice of those, or a tuple of all that.
func isSubscript(k *slot.Slot) bool {
	if isBound(k) {
		return true
	}
	switch k := k.Ref().(type) {
	case *value.Slice:
		return isBoundValue(k.Lo) && isBoundValue(k.Hi) && isBoundValue(k.Step)
	case starlark.Tuple:
		for _, x := range k {
			if s := slot.Of(x); !isSubscript(&s) {
				return false
			}
		}
		return true
	}
	return false
}

func isBoundValue(v starlark.Value) bool {
	x := slot.Of(v)
	return isBound(&x)
}

// stepSlice is x[lo:hi:step] of an array.
func (m *Machine) stepSlice(in code.Instr, ip int) int {
	fr := m.fr
	x := m.nodeIn(in.B)
	if x == value.NoNode {
		return ends
	}
	var by *value.Slice
	if in.Op == code.SliceBy {
		by = fr.fn.code.Consts[in.D].Ref().(*value.Slice)
	} else {
		bounds := fr.regs[in.C : int(in.C)+3]
		if m.waiting.has(in.C, 3) || !isBound(&bounds[0]) || !isBound(&bounds[1]) || !isBound(&bounds[2]) {
			return ends
		}
		by = &value.Slice{Lo: bounds[0].Value(), Hi: bounds[1].Value(), Step: bounds[2].Value()}
	}
	return m.view(m.deferral.View(x, by), in, ip)
}
