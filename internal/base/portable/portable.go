// Package portable does floating-point calculations that give the same bits on every processor.
//
// Sums, products, quotients, square roots and roundings are the same on all IEEE 754 processors if every product is
// rounded. Go may fuse x*y + z into one operation, and does on arm64, unless the product is converted: float64(x*y) +
// z. internal/dev/tidy demands this conversion everywhere. Most other functions of package math are written in assembly
// for some processors, with different methods, and with or without fused operations. The sums of gonum depend on the
// length of vectors. So this package has those functions of both that the models need, accurate to the last bit or two.
package portable

import "math"

// The natural logarithm of 2 in two parts. Products of the upper part and an exponent are exact, because its last 20
// bits are 0.
const (
	ln2High = 0x1.62e42fee00000p-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e to the power of x: infinity above 709.78 and 0 below -745.13.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 800:
		return math.Inf(1)
	case x < -800:
		return 0
	}
	k := math.Round(x / math.Ln2)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum := 1.0
	for n := 16.0; n > 0; n-- { // |r| < 0.35
		sum = 1 + float64(r*sum)/n
	}
	return math.Ldexp(sum, int(k))
}

// Log returns the natural logarithm of a positive finite number.
func Log(x float64) float64 {
	f, exponent := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, exponent = 2*f, exponent-1
	}
	s := (f - 1) / (f + 1)
	square, sum := float64(s*s), 0.0
	for n := 25.0; n > 0; n -= 2 { // |s| < 0.18
		sum = 1/n + float64(square*sum)
	}
	k := float64(exponent)
	return float64(k*ln2High) + (float64(2*s*sum) + float64(k*ln2Low))
}

// Root returns the nth root of a positive number, n >= 1.
func Root(x float64, n int) float64 {
	switch n {
	case 1:
		return x
	case 2:
		return math.Sqrt(x)
	}
	return Exp(float64(Log(x) * (1 / float64(n))))
}

// Power returns x to the power of n, n >= 0.
func Power(x float64, n int) float64 {
	product := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			product = float64(product * x)
		}
		x = float64(x * x)
	}
	return product
}

// Cos returns the cosine of an angle from -π to π.
func Cos(x float64) float64 {
	square, sum := float64(x*x), 1.0
	for n := 30.0; n > 0; n -= 2 {
		sum = 1 - float64(square*sum)/float64(n*(n-1))
	}
	return sum
}

// Mean returns the arithmetic mean.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// MeanSD returns the mean and the standard deviation of a sample of at least two numbers. The rounding error of the
// mean is corrected in the deviation.
func MeanSD(x []float64) (mean, sd float64) {
	mean = Mean(x)
	squares, rest := 0.0, 0.0
	for _, v := range x {
		d := v - mean
		squares, rest = squares+float64(d*d), rest+d
	}
	n := float64(len(x))
	return mean, math.Sqrt((squares - float64(rest*rest)/n) / (n - 1))
}
