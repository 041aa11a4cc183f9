package vm

// line is what happens where a line that is watched begins: it counts it. It reports false where
// the program does not go on.
func (m *Machine) line() bool {
	fr := m.fr
	fr.fn.code.Ran(fr.ip)
	return true
}
