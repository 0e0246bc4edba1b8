package compile

import "go/types"

// DfImporter is the compiler's own importer, for the oracle.
var DfImporter types.Importer = dfImporter{}
