//go:build cgo && !purego

package native

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// compile makes c's instructions of p's, and chains of those that can be links of one: each takes
// the result of the one before it, which nobody else needs. It reports whether the set has all the
// loops.
func (c *program) compile(p *kernels.Program, t *tables) bool {
	regs := len(p.Inputs) + len(p.Instrs)
	c.whole, c.masks = make([]bool, regs), slices.Repeat([]int64{-1}, regs)
	uses := make([]int, regs)
	for _, in := range p.Instrs {
		for _, r := range in.Args {
			uses[r]++
		}
	}
	for _, o := range p.Outputs {
		uses[o.Reg] += 2 // must be stored
		c.whole[o.Reg] = true
	}
	var links []ckernels.Link // of the last instruction
	for i, in := range p.Instrs {
		fn, ok := t.loops[in.LoopKey]
		if !ok {
			return false
		}
		last, dst := len(c.instrs)-1, len(p.Inputs)+i
		if len(links) > 0 && uses[dst-1] == 1 && p.Instrs[i-1].Out == in.Out {
			if link, ok := linkTo(dst-1, in); ok {
				links = append(links, link)
				c.links[len(c.links)-1] = links
				c.instrs[last].Dst = int32(dst)
				continue
			}
		}
		s := ckernels.Instr{Func: fn, Dst: int32(dst)}
		for k, r := range in.Args {
			s.Args[k] = int32(r)
		}
		links = nil
		if chain, ok := t.chains[in.In]; ok {
			if link, ok := linkTo(in.Args[0], in); ok {
				s.Func, links = chain, []ckernels.Link{link}
			}
		}
		if links == nil {
			for _, r := range in.Args {
				c.whole[r] = true
			}
		}
		c.instrs, c.links, c.first = append(c.instrs, s), append(c.links, links), append(c.first, i)
	}
	for i, links := range c.links {
		c.instrs[i].Links, c.instrs[i].NLinks = table(links), int64(len(links))
	}
	return true
}

// linkTo makes a link of an instruction that one of value's register is an operand of, if there is
// one. All its types are alike.
func linkTo(value int, in kernels.Instr) (ckernels.Link, bool) {
	name, arg := in.Op, value // a link of one operand reads another, but does not mind which
	if len(in.Args) == 2 {
		switch value {
		case in.Args[0]:
			arg = in.Args[1]
		case in.Args[1]:
			arg = in.Args[0]
			if reversed, ok := ckernels.Links["r"+name]; ok {
				return ckernels.Link{Op: reversed, Arg: int32(arg)}, true
			}
		}
		if arg == value && name == "mul" {
			name = "sqr"
		} else if arg == value {
			return ckernels.Link{}, false
		}
	}
	op, ok := ckernels.Links[name]
	return ckernels.Link{Op: op, Arg: int32(arg)}, ok && in.In == in.Out && in.Args != nil && slices.Contains(in.Args, value)
}
