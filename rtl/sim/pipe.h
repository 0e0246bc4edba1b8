// What both simulations share: numbers over a pipe, and the digest of a clock.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u32 = uint32_t;
using u64 = uint64_t;

// Commands from the test, one byte each.
enum Command : unsigned char {
    cmdRun = 'R',      // u32 n: simulate n clocks, answer n digests
    cmdDump = 'D',     // answer the probes of all PEs
    cmdHost = 'H',     // two words: the host has one more packet to send
    cmdHostWords = 'W' // answer the words that the host received: number, then clock and word of each
};

inline void readBytes(void* p, size_t n) {
    if (fread(p, 1, n, stdin) != n) exit(0); // the test has ended
}

template <class T> T get() {
    T v;
    readBytes(&v, sizeof v);
    return v;
}

template <class T> void put(T v) { fwrite(&v, sizeof v, 1, stdout); }

// digest adds one PE's probe to the digest of all. registers.go has the same.
inline u64 digest(u64 sum, const u64* w, int words) {
    for (int i = 0; i < words; i++) {
        sum = (sum ^ w[i]) * 0x9e3779b97f4a7c15ull;
        sum ^= sum >> 32;
    }
    return sum;
}

// copyWords copies a wide signal of Verilator, whose words have 32 bits.
template <class W> void copyWords(u64* to, const W& wide, int words) {
    for (int i = 0; i < words; i++) to[i] = u64(wide[2 * i]) | u64(wide[2 * i + 1]) << 32;
}
