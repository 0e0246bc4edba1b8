//go:build slow

package programs_test

import "testing"

// The tables grow on the smallest machine with 64-bit words, too: 26 million table words.
func TestTablesGrowInWideWords(t *testing.T) { tablesGrow(t, "random", 5120) }
