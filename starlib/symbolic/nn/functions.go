package nn

import (
	"github.com/arignote/arignote/starlib/symbolic/operations"
)

// What T has of networks and of special functions.
var _ = operations.AddFunctions(activationTable, specialTable, lossTable, normalizationTable, convolutionTable, volumeTable, poolTable)
