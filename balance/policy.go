package balance

// Policy is one worker's part of a scheme: five hooks, called by the world.
// A policy has no other source of knowledge than its Worker, whose methods
// cost what the fabric says, and the messages that it gets.
type Policy interface {
	// Born says where a unit that was born here goes; the worker's own number
	// keeps it. k counts its brothers and sisters from 0.
	Born(k int) int
	// Done follows each unit, or part of one, that the worker has finished.
	Done()
	// Idle comes once when the worker has nothing more to run.
	Idle()
	// Timer follows After; in a loop its key Barrier comes at the beginning of
	// each round but the first.
	Timer(key int)
	// Message is a message that the worker has read. Its units have already
	// been put into the queue.
	Message(m *Message)
}

// Barrier is the key of the Timer hook at a barrier.
const Barrier = -1

// Message goes from worker to worker.
type Message struct {
	From, To int
	Kind     int     // for the policy
	A, B     int64   // for the policy
	Data     []int64 // for the policy; never changed after sending

	kind    kind
	units   []int32
	reports []report // of a periodic scheme
	unit    int32    // of traffic: the edge; of a result: the parent; of a request or grant: who waits for room
	path    []int32  // links still to go
	spilt   bool     // it went through memory
	sent    int64    // when it left
}

// kind says what a message is to the world.
type kind uint8

const (
	plain   kind = iota // units, or words for the policy
	probe               // words about load
	data                // between units of a graph
	request             // for room for a unit
	grant               // its answer
	result              // of a tree's unit, for its parent
)

// Units returns the number of units that came with the message.
func (m *Message) Units() int { return len(m.units) }

// Scheme is a way of balancing.
type Scheme struct {
	Name   string
	Paper  string // the paper, "" if it comes from none of the five
	Title  string // one line
	Only   string // the one workload for which it is defined; "" for all
	Decide Choice // what it decides by
	Free   bool   // a bound: messages and moves cost nothing
	New    func(w *Worker) Policy

	ideal *ideal // of a bound: who gets the units, whatever the policies say
}

// Choice says in the words of docs/BALANCE.md what a scheme consists of.
type Choice struct{ Information, Trigger, Amount, Range string }

// Hooks does nothing in every hook, and keeps every unit where it is born:
// embed it to write the hooks that matter.
type Hooks struct{ W *Worker }

// Born keeps the unit.
func (h Hooks) Born(int) int { return h.W.ID }

// Done does nothing.
func (Hooks) Done() {}

// Idle does nothing.
func (Hooks) Idle() {}

// Timer does nothing.
func (Hooks) Timer(int) {}

// Message does nothing.
func (Hooks) Message(*Message) {}
