package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A result is the verdict on one mutant.
type result struct {
	Hash    string `json:"hash"` // of the package at the time of the trial
	Key     string `json:"key"`
	Line    int    `json:"line"`
	Verdict string `json:"verdict"`
	By      string `json:"by,omitempty"` // a test that failed
}

// lives reports whether the mutant survived.
func (r *result) lives() bool { return r.Verdict == survived || r.Verdict == unreached }

// A store keeps the results of one package, one per line.
type store struct {
	mu   sync.Mutex
	file string
	all  map[string]result // of the package as it is now, by key
}

// openStore reads the known results of a package. It ignores a line cut off
// by a kill, whose mutant is tried again.
func openStore(dir string, p *pkg) (*store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s := &store{file: filepath.Join(dir, strings.ReplaceAll(p.Name, "/", "_")+".jsonl"), all: map[string]result{}}
	f, err := os.Open(s.file)
	if os.IsNotExist(err) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r result
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Hash == p.hash {
			s.all[r.Key] = r
		}
	}
	return s, lines.Err()
}

func (s *store) get(key string) (result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.all[key]
	return r, ok
}

// put adds a result to the file at once.
func (s *store) put(r result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[r.Key] = r
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	// The leading line break ends a line that a kill has cut off.
	_, err = fmt.Fprintf(f, "\n%s\n", line)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
