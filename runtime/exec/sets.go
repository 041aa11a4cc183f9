package exec

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/runtime/tensor"
)

func init() {
	if native, err := native.Best(); err == nil && native != nil {
		tensor.Movement = native
	}
}

// Sets returns the kernels of a linker, best first: "c|go" takes C where there is a C kernel, "go"
// is the reference alone, and "c" is "c|go" that fails where the C kernels were not built, as does
// "c&go", whose kernels somebody compares with the reference.
func Sets(linker string) (kernels.Sets, error) {
	native, err := native.Best()
	if err != nil {
		return nil, err
	}
	switch linker {
	case "go":
		return kernels.Sets{kernels.GoSet}, nil
	case "c", "c|go", "c&go":
		if native != nil {
			return kernels.Sets{native, kernels.GoSet}, nil
		}
		if linker != "c|go" {
			return nil,
				fmt.Errorf("linker %s: this program was built without the C kernels (CGO_ENABLED=0 or no C compiler); use linker go", linker)
		}
		return kernels.Sets{kernels.GoSet}, nil
	}
	return nil, fmt.Errorf("unknown linker %q (want c|go, c, go or c&go)", linker)
}
