package interrupt

import "os"

// names is empty, because a browser sends no signals.
var names = map[os.Signal]string{}
