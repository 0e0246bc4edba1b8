package df_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/df"
)

// A policy is tested like any function, for one PE at a time.
func ExampleNewPE() {
	choose := func(pe df.PE, n int32) df.Place { // the PE itself while it has nothing to do
		if pe.Load() == 0 {
			return pe.At(pe.Group(), pe.Column())
		}
		return pe.At(pe.Group(), pe.Random(pe.K()+1))
	}
	facts := df.Facts{K: 4, Group: 3, Column: 2, Seed: 1}
	pe := df.NewPE(&facts)
	fmt.Println(choose(pe, 1) == pe.At(3, 2))
	facts.Load = 5
	fmt.Println(choose(pe, 2) == pe.At(3, 0))
	// Output:
	// true
	// true
}

func TestSend(t *testing.T) {
	f := &df.Facts{K: 2}
	pe := df.NewPE(f)
	pe.Send(pe.At(1, 2), 7)
	require.Equal(t, []df.Packet{{To: pe.At(1, 2), Word: 7}}, f.Sent)
	require.Equal(t, df.Place(1<<3|2)<<18, pe.At(1, 2), "as a continuation has it up to k = 7")
	require.Equal(t, df.Place(1<<4|2)<<18, df.NewPE(&df.Facts{K: 8}).At(1, 2))
}
