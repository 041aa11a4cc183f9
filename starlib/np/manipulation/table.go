package manipulation

import (
	"slices"

	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
)

// What np has of functions that move, order and choose elements.
var _ = np.Add(np.Addition{
	Functions: slices.Concat(shapeTable, axesTable, chooseTable, orderTable, arrangeTable, bitsTable, iterateTable, sharedMethods),
	Methods:   slices.Concat(shapeMethods, inPlaceMethods),
	Types:     func() []*value.Methods { return []*value.Methods{ndIterMethods} },
})
