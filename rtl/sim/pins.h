// The pins of one PE in a vector that holds those of all: links.sv and machine.sv have such vectors.
#pragma once
#include <algorithm>
#include <type_traits>
#include "pipe.h"

// Words gives a vector as words of 32 bits: Verilator has one of up to 64 bits as an integer.
template <class V, bool = std::is_integral<V>::value> struct Words {
    static u32 get(const V& v, size_t i) { return u32(u64(v) >> 32 * i); }
    static void set(V& v, size_t i, u32 word) { v = V(u64(v) & ~(u64(0xffffffff) << 32 * i) | u64(word) << 32 * i); }
};
template <class V> struct Words<V, false> {
    static u32 get(const V& v, size_t i) { return v[i]; }
    static void set(V& v, size_t i, u32 word) { v[i] = word; }
};

// Pins are `width` bits of a vector, from bit `at` on. Of more than 64 only single words are read and written.
template <class V> struct Pins {
    V& all;
    size_t at;
    int width;

    operator u64() const {
        u64 value = 0;
        each([&](size_t i, int low, u32 mask, int done) { value |= u64(Words<V>::get(all, i) >> low & mask) << done; });
        return value;
    }
    void operator=(u64 value) {
        each([&](size_t i, int low, u32 mask, int done) {
            Words<V>::set(all, i, Words<V>::get(all, i) & ~(mask << low) | (u32(value >> done) & mask) << low);
        });
    }
    Pins operator[](size_t word) const { return {all, at + 32 * word, std::min(32, width - int(32 * word))}; }

  private:
    // each visits the words that the pins are in.
    template <class F> void each(F visit) const {
        for (int done = 0; done < width;) {
            size_t i = (at + done) / 32;
            int low = (at + done) % 32, bits = std::min(32 - low, width - done);
            visit(i, low, ~u32(0) >> (32 - bits), done);
            done += bits;
        }
    }
};

// part returns the pins of PE i.
template <class V> Pins<V> part(V& all, size_t i, int width) { return {all, i * width, width}; }
