// Command workers gives tasks to three workers in turn and brings their answers together:
// a pool with fan-out and fan-in.
package main

import "fmt"

type task struct{ number, size int32 }

type answer struct {
	number int32
	value  int32
}

// worker adds up the divisors of what it gets.
func worker(tasks <-chan task, answers chan<- answer) {
	defer close(answers)
	for t := range tasks {
		a := answer{number: t.number}
		for d := int32(1); d <= t.size; d++ {
			if t.size%d == 0 {
				a.value += d
			}
		}
		answers <- a
	}
}

func deal(first, n int32, tasks chan<- task) {
	defer close(tasks)
	for i := first; i < n; i += 3 {
		tasks <- task{number: i, size: 10 + i*7%30}
	}
}

// merge takes one answer of each in turn, as long as there are any.
func merge(a, b, c <-chan answer, out chan<- answer) {
	defer close(out)
	for {
		x, ok := <-a
		if !ok {
			break
		}
		out <- x
		if y, ok := <-b; ok {
			out <- y
		}
		if z, ok := <-c; ok {
			out <- z
		}
	}
}

//emsim:arg n 0 60
func workers(n int32) int32 {
	t0, t1, t2 := make(chan task), make(chan task), make(chan task)
	a0, a1, a2 := make(chan answer), make(chan answer), make(chan answer)
	go deal(0, n, t0)
	go deal(1, n, t1)
	go deal(2, n, t2)
	go worker(t0, a0)
	go worker(t1, a1)
	go worker(t2, a2)
	all := make(chan answer)
	go merge(a0, a1, a2, all)
	sum, next := int32(0), int32(0)
	for a := range all {
		if a.number != next {
			panic("out of order")
		}
		next++
		sum += a.number * a.value
	}
	return sum
}

func main() {
	fmt.Println(4, workers(4))
	fmt.Println(12, workers(12))
	fmt.Println(30, workers(30))
}
