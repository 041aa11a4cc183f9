package vm

import "github.com/arignote/arignote/starlib/code"

// OnLine has f be called where a line begins that is watched, before it runs. The program fails
// with the error that it returns.
func (m *Machine) OnLine(f func() error) { m.onLine = f }

// turns runs instructions behind which the program goes on elsewhere than in the words that it
// read.
func (m *Machine) turns(in code.Word) (what int) {
	if op := in.Op(); op == code.Line || op == code.Back {
		return m.line(in)
	}
	return m.generates()
}

// line is what happens where a line that is watched begins: it is counted. That unwatched is
// returned says that the instruction there runs now; behind it the program goes on with all that
// are watched.
func (m *Machine) line(in code.Word) (what int) {
	fr := m.fr
	if in.Op() == code.Back {
		fr.ip += int(in.D()) - 1
		return ended
	}
	ip := fr.ip
	if before := fr.fn.code.Before(ip); before >= 0 && m.sampler != nil && m.sampler.Samples() {
		fr.ip = before // what time there was is of the line that ends
		m.sampler.Sample()
		fr.ip = ip
	}
	if line := fr.fn.code.Ran(ip); line > 0 && m.onLine != nil {
		if err := m.onLine(); err != nil {
			m.fail(err, ip)
			return failed
		}
		if fr.fn.code.Once == nil { // nothing is watched any more
			fr.ip--
			return ended
		}
		fr.fn.code.Only(ip)
	}
	return unwatched
}
