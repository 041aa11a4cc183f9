package graphs

import "github.com/arignote/arignote/starlib/symbolic"

// What functions and variables show of themselves.
var (
	_ = symbolic.FunctionMethods.Adding(functionDebugprint, functionDprint, functionGraph)
	_ = symbolic.AddMethods(symbolDprint)
	_ = symbolic.ShowBy(asLaTeX)
)
