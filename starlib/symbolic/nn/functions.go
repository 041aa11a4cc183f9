package nn

import "github.com/arignote/arignote/starlib/symbolic"

// What T has of networks and of special functions.
var _ = symbolic.AddFunctions(activationTable, specialTable, lossTable, normalizationTable, convolutionTable, poolTable)
