package code

import "sort"

// Two kinds of instructions take the place of others for a while, in Words: a Trap of one that
// samples, and a Line of each that begins a line while lines are watched.

// A Mark is an instruction with which a run of a line begins. Several may be at one.
type Mark struct {
	At   int
	Line int32
	Adds int8 // how many runs: a loop that begins has begun its line already, and takes one back
}

// Watch counts from now on how often lines run, in Hits, in the function and those inside.
func (f *Func) Watch() {
	f.Hits = make([]int64, len(f.Marks))
	f.Once = make([]Word, len(f.Words)+1)
	for i := range f.Once {
		f.Once[i] = Instr{Op: Back}.Word()
	}
	for i, m := range f.Marks {
		if (i == 0 || f.Marks[i-1].At != m.At) && !f.isTrap(m.At) {
			f.Words[m.At] = lineWord(i)
		}
	}
	for _, inner := range f.Funcs {
		inner.Watch()
	}
}

// Unwatch counts no more, and forgets what was counted.
func (f *Func) Unwatch() {
	for _, m := range f.Marks {
		f.Words[m.At] = f.Code[m.At].Word()
	}
	f.Hits, f.Once, f.once = nil, nil, 0
	for _, inner := range f.Funcs {
		inner.Unwatch()
	}
}

func (f *Func) isTrap(at int) bool { return f.Trapped.Set && f.Trapped.At == at }

// lineWord is the Line of the mark i, and those after it at the same instruction.
func lineWord(i int) Word { return Instr{Op: Line, D: int32(i)}.Word() }

// mark is the index of the first mark from an instruction on.
func (f *Func) mark(at int) int {
	return sort.Search(len(f.Marks), func(i int) bool { return f.Marks[i].At >= at })
}

// Before is the instruction with which the line began that ends where a line begins at ip, -1 if a
// call begins there.
func (f *Func) Before(ip int) int {
	if ip == f.Marks[0].At {
		return -1
	}
	return f.once
}

// Ran counts the lines that begin at an instruction, which alone stands in Once then. It returns
// the line that begins, 0 if none does: a loop that has begun goes on with its first round.
func (f *Func) Ran(ip int) (line int32) {
	for i := f.mark(ip); i < len(f.Marks) && f.Marks[i].At == ip; i++ {
		f.Hits[i]++
		switch m := f.Marks[i]; {
		case m.Adds < 0:
			f.begun = m.Line
		case m.Line == f.begun:
			f.begun = 0
		default:
			f.begun, line = 0, m.Line
		}
	}
	f.Only(ip)
	return line
}

// Only has an instruction stand in Once.
func (f *Func) Only(ip int) {
	f.Once[f.once] = Instr{Op: Back}.Word()
	in, end := f.Code[ip], len(f.Once)-1
	if in.Op == Next && in.D == 0 { // the whole loop is this instruction
		in.D = int32(end - ip)
		f.Once[end] = Instr{Op: Back, D: int32(ip - end)}.Word()
	}
	f.once, f.Once[ip] = ip, in.Word()
}

// A Trapped is an instruction whose place a Trap has taken.
type Trapped struct {
	Set bool
	At  int
	Was Instr
}

// Trap puts a Trap where an instruction is, until it runs or the next one is put.
func (f *Func) Trap(at int) {
	f.Untrap()
	f.Trapped = Trapped{true, at, f.Code[at]}
	f.set(at, Instr{Op: Trap})
}

// Untrap puts the instruction back.
func (f *Func) Untrap() {
	if f.Trapped.Set {
		f.set(f.Trapped.At, f.Trapped.Was)
		f.Trapped.Set = false
	}
}

func (f *Func) set(at int, in Instr) {
	f.Code[at], f.Words[at] = in, in.Word()
	if i := f.mark(at); f.Hits != nil && i < len(f.Marks) && f.Marks[i].At == at && in.Op != Trap {
		f.Words[at] = lineWord(i)
	}
}

// Short is how often in a row an instruction was seen to take little time.
func (f *Func) Short(ip int) *uint8 {
	if f.short == nil {
		f.short = make([]uint8, len(f.Code))
	}
	return &f.short[ip]
}
