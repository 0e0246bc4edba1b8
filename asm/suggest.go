package asm

import "emsim/internal/suggest"

// didYouMean returns a half sentence with the nearest candidate, or "".
func didYouMean(name string, candidates []string) string {
	return suggest.DidYouMean(name, candidates)
}
