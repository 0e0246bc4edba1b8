package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// sampleSize is the default number of mutants of a package: one in 25 points,
// at least 10 and at most 24 (chosen, so that the repository gets more than
// 400).
func sampleSize(points int) int { return min(max(points/25, 10), 24, points) }

// order shuffles points by a hash of their names and the seed, so that an edit
// changes only the edited points of the sample.
func order(pkg string, points []point, seed uint64) []point {
	rank := func(p point) uint64 {
		h := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", seed, pkg, p.key()))
		return binary.BigEndian.Uint64(h[:])
	}
	out := slices.Clone(points)
	slices.SortStableFunc(out, func(a, b point) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// oneLine puts a text on one line of at most 60 bytes.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}

func lineOf(src []byte, at int) int { return 1 + bytes.Count(src[:at], []byte{'\n'}) }
