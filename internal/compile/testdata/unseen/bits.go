// Command bits does tricks with the bits of the first numbers of a xorshift generator,
// and mixes what comes out.
package main

import "fmt"

func xorshift(x uint32) uint32 {
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	return x
}

func ones(x uint32) (n uint32) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return
}

func reverse(x uint32) uint32 {
	x = x>>1&0x55555555 | x&0x55555555<<1
	x = x>>2&0x33333333 | x&0x33333333<<2
	x = x>>4&0x0f0f0f0f | x&0x0f0f0f0f<<4
	x = x>>8&0x00ff00ff | x&0x00ff00ff<<8
	return x>>16 | x<<16
}

func gray(x uint32) uint32 { return x ^ x>>1 }

// log2 returns the number of the highest bit that is set, or -1.
func log2(x uint32) int32 {
	n := int32(-1)
	for x > 0 {
		x >>= 1
		n++
	}
	return n
}

//emsim:arg n 0 500
func bits(n int32) uint32 {
	x, mixed := uint32(2463534242), uint32(0)
	for range n {
		x = xorshift(x)
		mixed = mixed<<3 | mixed>>29
		mixed ^= reverse(gray(x)) + ones(x)<<8
		if log2(x&-x) > 1 {
			mixed++
		}
	}
	return mixed
}

func main() {
	fmt.Println(1, bits(1))
	fmt.Println(10, bits(10))
	fmt.Println(60, bits(60))
}
