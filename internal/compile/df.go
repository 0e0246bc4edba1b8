package compile

// dfSource declares package df for the compiler. A test compares it with the package.
const dfSource = `package df

type Number interface {
	~int32 | ~uint32 | ~float32
}

func Sum[T Number](lo, hi int32, f func(i int32) T) T { panic(0) }

func PEs() int32 { panic(0) }

func Arg(i int) int32 { panic(0) }

type Array[T Number] struct {
	pieces [][]T
}

func (a *Array[T]) Fill(pieces, words int32, f func(piece, word int32) T) { panic(0) }

func (a *Array[T]) Get(piece, word int32) T { panic(0) }

func (a *Array[T]) Set(piece, word int32, value T) { panic(0) }

func (a *Array[T]) Stream(piece int32) <-chan T { panic(0) }

func (a Array[T]) Words() []T { panic(0) }
`
