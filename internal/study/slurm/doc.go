// Package slurm lets Slurm run a sweep. The parts of its plan become the tasks of an array, followed by a job that
// makes the table.
//
//	                      sbatch             squeue
//	Sweep ──► Submit ──────────────► Slurm ──────────────► QueryState ──► State
//	          missing parts that           │
//	          are not in the queue          ▼
//	                        task I: emsim sweep --share I/N
//	                        last:   emsim sweep --collect
//
//	submit.go   submitting jobs in order, and the name by which Slurm knows a store
//	options.go  the scripts of the jobs, and the arguments of sbatch: the user's and emsim's
//	queue.go    the states of the jobs in Slurm, and calls of its commands
//
// The package decides nothing about points. A part that runs twice, never or only partly costs time, but package sweep
// ensures that results stay correct. So nothing here has to be exact, and no state of single jobs is stored: Slurm is
// queried.
package slurm
