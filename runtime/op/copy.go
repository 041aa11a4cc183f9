package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A copier writes the elements of src to dst, which has the same type and shape, is laid out anyhow
// and shares no memory with src.
type copier func(c *Call, dst, src *tensor.Dense) error

// linkCopy makes the copier of a type, and says which implementation it is.
func linkCopy(d kernels.DType, sets kernels.Sets) (copier, string, error) {
	run, impl, ok := sets.Copy(d.Size())
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel copies %v", d)
	}
	return func(c *Call, dst, src *tensor.Dense) error {
		if dst.Size() > 0 && !run(dst.Shape(), dst.Operand(), src.Operand(), c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// contiguous is x itself, or a C-contiguous copy.
func (copy copier) contiguous(c *Call, x *tensor.Dense) (*tensor.Dense, error) {
	if x.IsContiguous() {
		return x, nil
	}
	z := c.temporary(tensor.Empty(x.DType(), x.Shape()...))
	return z, copy(c, z, x)
}
