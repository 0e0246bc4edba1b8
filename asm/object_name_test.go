package asm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
)

// An address has the name of the nearest label at or before it.
func TestNameAt(t *testing.T) {
	const text = "\t.start main\nmain:\tnop\n\tnop\n.end:\tnop!\n"
	o, _, err := asm.Assemble("a.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	for addr, want := range []string{"main", "main+1", "main.end", ""} {
		require.Equal(t, want, o.NameAt(uint32(addr)))
	}
}
