package df

// Array is an array whose pieces are in the memories of all PEs: piece i is on PE
// number i modulo the number of PEs. An array is a variable of the package:
//
//	var m df.Array[float32]
//
// Every piece has the same number of words. The program's entry fills the array before
// anything else uses it.
type Array[T Number] struct {
	pieces [][]T
}

// Fill makes the array and sets every word to the value that f returns. On the machine
// all PEs make their own pieces at the same time.
func (a *Array[T]) Fill(pieces, words int32, f func(piece, word int32) T) {
	if pieces < 0 || words < 0 {
		panic("an array of package df has a negative number of pieces or words")
	}
	a.pieces = make([][]T, pieces)
	for i := range a.pieces {
		a.pieces[i] = make([]T, words)
		for k := range a.pieces[i] {
			a.pieces[i][k] = f(int32(i), int32(k))
		}
	}
}

// Get returns a word; on the machine it waits for an answer from the PE that has it.
func (a *Array[T]) Get(piece, word int32) T { return a.pieces[piece][word] }

// Set changes a word, and returns when the word has been changed.
func (a *Array[T]) Set(piece, word int32, value T) { a.pieces[piece][word] = value }

// Stream sends the words of a piece, from the first to the last. On the machine
// that is the fastest way to read a piece of another PE.
func (a *Array[T]) Stream(piece int32) <-chan T {
	words := a.pieces[piece]
	c := make(chan T)
	go func() {
		defer close(c)
		for i := range words {
			c <- words[i]
		}
	}()
	return c
}

// Words returns all words, piece by piece, in the order in which the host gets them.
func (a Array[T]) Words() []T {
	var list []T
	for _, p := range a.pieces {
		list = append(list, p...)
	}
	return list
}
