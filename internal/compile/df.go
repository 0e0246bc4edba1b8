package compile

// dfSource declares package df for the compiler. A test compares it with the package.
const dfSource = `package df

type Number interface {
	~int32 | ~uint32 | ~float32
}

func Sum[T Number](lo, hi int32, f func(i int32) T) T { panic(0) }

func PEs() int32 { panic(0) }
`
