package interrupt

import "os"

// names are the signals that end a command: a browser sends none.
var names = map[os.Signal]string{}
