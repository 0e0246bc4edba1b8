//go:build slow

package compile_test

// randomPrograms is the number of random programs that are tried.
const randomPrograms = 3000

// largeSeeds returns the seeds of random programs with large functions.
func largeSeeds() (list []uint64) {
	for seed := range uint64(200) {
		list = append(list, seed)
	}
	return list
}

// largeInEveryWay says whether large functions are compiled in every way.
const largeInEveryWay = true
