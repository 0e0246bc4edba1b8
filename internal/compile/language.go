package compile

import "go/types"

// A refusal is a part of Go that has no translation. The checker refuses with these alone, and a test writes the table
// in docs/DATAFLOW.md from them. What Go refuses too, wrong directives and limits of a machine are not refusals.
type refusal struct {
	part    string // the part of Go, for the table
	says    string // what is refused, and why: the first half of a format
	write   string // what to write instead: the second half
	program string // an example: a statement in a function of n, and declarations; or a program
}

// language has all refusals, in the order of the table.
var language []*refusal

func refuses(part, says, write, program string) *refusal {
	r := &refusal{part, says, write, program}
	language = append(language, r)
	return r
}

var (
	wideWords     = refuses("words of other sizes", "the machine's words have 32 bits", "write %s instead of %s", "n += int32(byte(n))")
	texts         = refuses("strings", "a string has no translation, because words are int32, uint32, float32 and bool", "give what it says a number", `s := "text"; n += int32(len(s))`)
	slicesHere    = refuses("slices", "the type %s has no translation, because a slice grows, and an instance has the words that its function declares", "write an array, [N]T, or df.Array for data on all PEs", "a := []int32{n}; n = a[0]")
	mapsHere      = refuses("maps", "the type %s has no translation, because a map grows, and an instance has the words that its function declares", "write an array, whose index is the key", "var m map[int32]int32; n = m[n]")
	pointers      = refuses("pointers, also as receivers", "the type %s has no translation, because an instance cannot reach into the memory of another PE", "pass values, and return what has changed", "var p point; p.grow()\ntype point struct{ x int32 }\nfunc (p *point) grow() { p.x++ }")
	closures      = refuses("functions as values", "the type %s has no translation, because functions are called by their names, and literals are arguments of df.Sum and Fill alone", "declare a function", "g := func() int32 { return n }; n = g()")
	interfaces    = refuses("interfaces", "the type %s has no translation, because words have no room for a type at run time", "use one type of the program", "var x any = n; if x == 1 { n++ }")
	otherTypes    = refuses("other types", "the type %s has no translation", "a value is an int32, uint32, float32 or bool, or an array or a structure of them, with eight levels at most", "var x struct{}; if x == struct{}{} { n++ }")
	blankFields   = refuses("fields without a name", "a field without a name has no translation", "leave it out, or give it a name", "var x struct{ a, _ int32 }; n += x.a")
	conversions   = refuses("other conversions of floats", "the machine has an instruction from int32 to float32 alone", "write float32(int32(...)), or keep a whole number next to the float", "n = int32(float32(n) / 2)")
	noPrinting    = refuses("printing", "%s has no translation", "return what is to be seen, since the host gets the entry's result", "println(n)")
	otherRange    = refuses("`range` with a variable from outside", "the loop needs a variable of its own", "write :=", "var i int32; for i = range n { n ^= i }")
	jumps         = refuses("`goto` and `fallthrough`", "%s has no translation", "write a loop, or an if statement", "switch n { case 1: fallthrough; default: n++ }")
	noSelect      = refuses("`select`", "select has no translation, because its answer would depend on time", "receive from one channel after the other", "select {}")
	typeSwitch    = refuses("type switches", "a type switch has no translation, because values have one type", "write a function for each type", "switch any(n).(type) { case int32: n++ }")
	otherDefer    = refuses("`defer`, except for a channel", "only close of a channel can be deferred, by a statement of the function itself", "write defer close(NAME) there, or the call before each return", "defer f(n)")
	otherPackages = refuses("other packages", "the package %s cannot be used here, because it has no translation for the EM-4", "only func main and what it alone calls may use it", "import \"os\"\n\nfunc f(n int32) int32 { os.Exit(1); return n }")
	generics      = refuses("type parameters", "a function with type parameters has no translation", "write one for each type", "n = g(n)\nfunc g[T int32 | uint32](x T) T { return x }")
	variadic      = refuses("a variable number of parameters", "a variable number of parameters has no translation", "give the function a fixed number", "n = g(n, 1)\nfunc g(list ...int32) int32 { return list[0] }")
	unnamed       = refuses("parameters without names", "parameter %d has no name", "give it one, or leave it out", "n = g(n)\nfunc g(int32) int32 { return 1 }")
	changed       = refuses("variables of the package that change", "only func init changes a variable of the package, because every PE has a copy, and others would not see the change", "pass values as parameters, write an array in the function, or a df.Array", "x = n\nvar x int32")
	initCalls     = refuses("calls in `func init` that need an instance", "func init cannot make calls that need an instance, nor can what a variable of the package begins with", "call functions without loops and calls", "n = x\nvar x = g(3)\nfunc g(n int32) int32 { for range n { n++ }; return n }")
	entryParam    = refuses("an entry with other parameters", "the entry's parameters are the numbers of the command line, and %s is not one", "make it an int32 or a uint32, and let the entry make other values of it", "func f(n [4]int32) int32 { return n[0] }")
	entryMethod   = refuses("a method as the entry", "the entry is called with the numbers of the command line", "write a function that makes a %s of them and calls the method", "type T int32\n\n//emsim:entry\nfunc (t T) f() int32 { return 1 }")
	entryResult   = refuses("an entry with other results", "the entry returns one word, which is what the host gets", "write another function as the entry, which makes one value of what %s does", "func f(n int32) (a, b int32) { return n, n }")

	channelPlace = refuses("channels in other places", "a channel is a variable of a function, or a parameter", "write NAME := make(chan TYPE), and hand it to functions", "var c [2]chan int32; n += int32(len(c))")
	channelAlone = refuses("a channel that is made with other values", "a channel has a statement of its own", "write %s %s make(chan %s)", "c, x := make(chan int32), n; go g(c); n = x + <-c\nfunc g(c chan<- int32) { c <- 1 }")
	channelUse   = refuses("other uses of channels", "a channel can be sent to, received from, closed, handed to a function of the program, and given to another variable", "do nothing else with it", "c := make(chan int32); go g(c); if c != nil { n += <-c }\nfunc g(c chan<- int32) { c <- 1 }")
	channelEnd   = refuses("parameters that are both ends", "a parameter is one end of a channel", "say which end %s is, chan<- %s to send, <-chan %[2]s to receive", "c := make(chan int32); go g(c); n += <-c\nfunc g(c chan int32) { c <- 1 }")
	buffered     = refuses("buffered channels", "the machine's streams hold nothing back", "write make(chan %s), whose sender waits until an item is wanted", "c := make(chan int32, 4); go g(c); n += <-c\nfunc g(c chan<- int32) { c <- 1 }")
	noSender     = refuses("a receiver before its sender", "no function sends on %s yet", "start its sender before, on every way to here, go NAME(%[1]s)", "c := make(chan int32); go h(c); go g(c)\nfunc g(c chan<- int32) { c <- 1 }\nfunc h(c <-chan int32) { <-c }")
	noReceiver   = refuses("a channel without a receiver", "no function receives from %s", "write a loop, for x := range %[1]s, or hand it to a function", "c := make(chan int32); go g(c)\nfunc g(c chan<- int32) { c <- 1 }")
	senders      = refuses("two senders", "%s has a sender already, or may have one, and a channel has one", "write %[1]s = make(chan %s) before, or give this one a channel of its own", "c := make(chan int32); go g(c); go g(c); n = <-c + <-c\nfunc g(c chan<- int32) { c <- 1 }")
	receivers    = refuses("two receivers at a time", "%s is handed on in %s, and a channel has one receiver at a time", "receive before that, or make another channel", "c := make(chan int32); go g(c); n += h(c) + <-c\nfunc g(c chan<- int32) { c <- 1; c <- 2 }\nfunc h(c <-chan int32) int32 { return <-c }")
	handedOn     = refuses("a sending end that is handed on", "%s came as an argument and cannot be handed on", "let the function that gets a sending end send itself", "c := make(chan int32); go g(c); n += <-c\nfunc g(c chan<- int32) { go h(c) }\nfunc h(c chan<- int32) { c <- 1 }")
	renamed      = refuses("a sending end that changes", "this function sends on %s, which has to be one channel for the whole call", "give the other one a name of its own", "c := make(chan int32); go g(c); n += <-c\nfunc g(c chan<- int32) { c = make(chan int32); c <- 1 }")
	rangeChanges = refuses("a range over a channel that changes", "the loop continues with the channel that %s was at its beginning", "write for { x, ok := <-%[1]s; if !ok { break } ... }", "c, d := make(chan int32), make(chan int32); go g(c); go g(d); for x := range c { n += x; c = d }\nfunc g(c chan<- int32) { c <- 1 }")
	ownReceiver  = refuses("a function that sends to itself", "this function would wait for itself", "let another one send on %s or receive from it", "c := make(chan int32); c <- n; n = <-c")
	sendInLoop   = refuses("a sender's channel in a loop", "a channel on which the function itself sends is made once for every call, outside of if and loops", "move this, or write a function for what is inside", "for range n { c := make(chan int32); go h(c); c <- n }\nfunc h(c <-chan int32) { <-c }")
	plainSender  = refuses("a call of a sender", "%s sends while its caller receives", "write go %[1]s(...)", "c := make(chan int32); g(c); n += <-c\nfunc g(c chan<- int32) { c <- 1 }")
	plainGo      = refuses("`go` without a channel", "go starts functions of the program that have a channel among their arguments", "call others, which run in parallel where they do not need each other's results", "go f(1)")

	arrayPlace = refuses("arrays of package `df` in functions", "the type %s has no translation here, because an array of package df has its words on all PEs", "declare it outside of the functions, var NAME df.Array[TYPE], and return it from the entry alone, to the host", "var a df.Array[int32]; n = a.Get(0, n)")
	arrayValue = refuses("arrays of package `df` with values", "an array of package df begins empty", "declare var %s df.Array[%s], and let the entry fill it with %[1]s.Fill(...)", "n = a.Get(0, n)\nvar a = df.Array[int32]{}")
	fillEntry  = refuses("`Fill` in other functions", "only the entry fills an array, because other functions may be reading it at the same time", "fill it there", "g(n)\nvar a df.Array[int32]\nfunc g(n int32) { a.Fill(n, n, func(i, k int32) int32 { return 1 }) }")
	fillCalls  = refuses("calls in `Fill` that need an instance", "the words of an array are made where they lie", "call short functions without loops and calls only", "a.Fill(n, n, func(i, k int32) int32 { return g(i) })\nvar a df.Array[int32]\nfunc g(n int32) int32 { for range n { n++ }; return n }")
	noLiteral  = refuses("`df.Sum` and `Fill` with a function's name", "the third argument of %s is a function literal", "write func(%s) %s { return ... }", "n = df.Sum(0, n, g)\nfunc g(i int32) int32 { return i }")
	sumChanges = refuses("a parallel loop that changes variables", "iterations run in parallel, so none can change %s, which lies outside of it", "return what is to be added up", "s := n; n = df.Sum(0, n, func(i int32) int32 { s += i; return s })")
	sumChannel = refuses("channels in several iterations", "a channel has one sender and one receiver, and a parallel loop has many iterations", "make the channel inside of the loop's function", "c := make(chan int32); go g(c); n = df.Sum(0, n, func(i int32) int32 { return <-c })\nfunc g(c chan<- int32) { c <- 1 }")
	ofMain     = refuses("`df.Arg` and `Words`", "df.Arg and Words are for func main", "give the entry a parameter, and return the array to the host", "n += df.Arg(1)")
	ofPolicies = refuses("`df.PE`", "a %s is for policies ('emsim docs POLICY')", "let the policy of the run place instances", "var pe df.PE; n += pe.K()")

	largeValue = refuses("large arrays and structures in functions", "this has more than %d words, and lies in an operand segment, which has %d", "make it smaller, a variable of the package that func init fills, or a df.Array", "var a [33]int32; n = a[n]")
	largeTable = refuses("large tables", "%s more than %s words, and every PE has a copy", "use a df.Array, whose words are on all PEs", "n = t[n]\nvar t [65537]int32")
)

// typeRefusal returns the refusal of a type that a word cannot hold.
func typeRefusal(t types.Type) *refusal {
	if _, ok := spreadElem(t); ok {
		return arrayPlace
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		return slicesHere
	case *types.Map:
		return mapsHere
	case *types.Pointer:
		return pointers
	case *types.Signature:
		return closures
	case *types.Interface:
		return interfaces
	case *types.Struct:
		if ofDf(t) {
			return ofPolicies
		}
	}
	return otherTypes
}

// typeName returns a type as the program names it.
func (c *compiler) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.pkg {
			return ""
		}
		return p.Name()
	})
}
