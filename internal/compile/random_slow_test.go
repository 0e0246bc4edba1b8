//go:build slow

package compile_test

// randomPrograms is how many random programs are tried.
const randomPrograms = 3000

// largeSeeds are those of random programs with large functions.
func largeSeeds() (list []uint64) {
	for seed := range uint64(200) {
		list = append(list, seed)
	}
	return list
}

// largeInEveryWay is whether large functions are compiled in every way.
const largeInEveryWay = true
