package vm

import "github.com/arignote/arignote/starlib/code"

// line is what happens where a line that is watched begins: it counts it, and found says that the
// instruction there runs now. After that one the program goes on.
func (m *Machine) line(in code.Word) (what int) {
	fr := m.fr
	if in.Op() == code.Back {
		fr.ip += int(in.D()) - 1
		return ended
	}
	fr.fn.code.Ran(fr.ip)
	return found
}
