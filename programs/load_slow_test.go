//go:build slow

package programs_test

import "testing"

// The same on the smallest machine with 64-bit words: 26 million table words.
func TestTablesGrowInWideWords(t *testing.T) { tablesGrow(t, "random", 5120) }
