package programs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
)

// piCells does pi's arithmetic number by number, in words of four decimals with two guard words. It returns quickly
// what the pipeline of cells computes. Cells of several words may have more guard words.
func piCells(digits, each int) []uint64 {
	const base, guard = 10000, 2
	wanted := (digits + 3) / 4
	cells := wanted + guard
	terms := int64(cells) // the numbers of terms follow from it
	cells = (cells/each+1)*each - 1
	sum := make([]int64, cells+1)
	for _, s := range []struct{ first, by, terms, sign int64 }{
		{16 * 5, 25, terms*2862/1000 + 2, 1},
		{4 * 239, 239 * 239, terms*841/1000 + 2, -1},
	} {
		power := make([]int64, cells+1)
		power[0] = s.first
		zeros, sign := 0, s.sign // zeros: leading words that are zero
		for j := range s.terms {
			odd, r, q := 2*j+1, int64(0), int64(0)
			for i := zeros; i <= cells; i++ {
				r = r*base + power[i]
				power[i], r = r/s.by, r%s.by
				q = q*base + power[i]
				sum[i], q = sum[i]+sign*(q/odd), q%odd
			}
			for zeros <= cells && power[zeros] == 0 {
				zeros++
			}
			sign = -sign
		}
	}
	carry := int64(0)
	for i := cells; i >= 0; i-- {
		v := sum[i] + carry + base*base
		sum[i], carry = v%base, v/base-base
	}
	var words []uint64
	for _, v := range sum[:wanted+1] {
		words = append(words, uint64(v))
	}
	for range wanted*4 - digits {
		words[wanted] /= 10
	}
	return words
}

// checkPi compares pi's arithmetic with the decimals for every number of digits in a range. It shows that two guard
// words and the number of terms are enough.
func checkPi(t *testing.T, from, to, words int) {
	t.Helper()
	o, err := programs.Assemble("pi", nil)
	require.NoError(t, err)
	all, err := programs.Answer("pi", o, []uint64{uint64(to + 4 - to%4)}, 80)
	require.NoError(t, err)
	for n := from; n <= to; n++ {
		want := append([]uint64{}, all[:(n+3)/4+1]...)
		for range (n+3)/4*4 - n {
			want[len(want)-1] /= 10
		}
		require.Equal(t, want, piCells(n, words), "%d digits, %d words in a cell", n, words)
	}
}

func TestPiDigits(t *testing.T) { checkPi(t, 1, 1040, 1) }

// With more guard words the decimals are the same.
func TestPiDigitsOfLargeCells(t *testing.T) {
	for words := 2; words <= 16; words++ {
		checkPi(t, 1, 240, words)
	}
	checkPi(t, 1000, 1040, 3)
}

// The machine computes the same words, cell by cell.
func TestPiCellsAreTheProgram(t *testing.T) {
	v := variant{policy: "line"}
	m, o := ready(t, "pi", 80, v)
	for _, n := range []uint64{7, 61, 130} {
		r := check(t, m, o, "pi", 80, v, n)
		require.Equal(t, piCells(int(n), 1), r.Words)
	}
}
