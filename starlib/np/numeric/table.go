package numeric

import (
	"slices"

	"github.com/arignote/arignote/starlib/np"
)

// What np has of calculus, statistics, sets, windows and functions of single elements.
var _ = np.Add(np.Addition{Functions: slices.Concat(compareTable, joinTable, splitTable, padTable, nanTable, quantileTable, statisticsTable, setTable, calculusTable,
	functionalTable, sequenceTable, productsTable, polyfitTable, specialTable)})
