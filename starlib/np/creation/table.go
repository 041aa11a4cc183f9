package creation

import (
	"slices"

	"github.com/arignote/arignote/starlib/np"
)

// What np has of functions that make arrays.
var _ = np.Add(np.Addition{Functions: slices.Concat(createTable, gridTable, layoutTable), Members: gridMembers})
