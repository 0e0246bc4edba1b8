// What is outside of the chip: the external memory of a PE with its tags, the
// status of its operand segments, and the allocator of structure memory.
#pragma once
#include <map>
#include "pipe.h"

// mix spreads an address and a value over 64 bits; emcr/memory.go has the same.
inline u64 mix(u32 addr, u64 v) {
    u64 x = (v + u64(addr) * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    return (x ^ x >> 29) * 0x94d049bb133111ebull;
}

class Memory {
    static const u32 size = 1 << 18, pageWords = 256, codeTag = 3;
    struct Page {
        u64 word[pageWords];
        unsigned char tag[pageWords];
    };
    Page* page[size / pageWords] = {};
    std::vector<unsigned char> segment; // status
    const std::vector<u64>* image;
    const std::vector<unsigned char>* code;
    u32 segBase, segWords, mibBase;

    Page& of(u32 a) {
        Page*& p = page[a / pageWords];
        if (!p) {
            p = new Page;
            u32 first = a / pageWords * pageWords;
            for (u32 i = 0; i < pageWords; i++) {
                bool inside = first + i < image->size();
                p->word[i] = inside ? (*image)[first + i] : 0;
                p->tag[i] = inside && (*code)[first + i] ? codeTag : 0;
            }
        }
        return *p;
    }

public:
    u64 sum = 0; // of mix over all words and tags

    void init(const std::vector<u64>* i, const std::vector<unsigned char>* c, u32 base, u32 words, u32 mib) {
        image = i, code = c, segBase = base, segWords = words, mibBase = mib;
        segment.resize(8192);
    }
    u64 word(u32 a) { return of(a).word[a % pageWords]; }
    int tag(u32 a) { return of(a).tag[a % pageWords]; }
    int status(u32 i) { return segment[i]; }

    void write(u32 a, u64 v) {
        u64& w = of(a).word[a % pageWords];
        sum += mix(a, v) - mix(a, w);
        w = v;
    }
    // What is read from the MIB is gone: the model keeps packets, and not what was left of them.
    void taken(u32 a) {
        if (a >= mibBase) write(a, 0);
    }
    void setTag(u32 a, int t) {
        unsigned char& g = of(a).tag[a % pageWords];
        sum += mix(~a, t) - mix(~a, g) + (a >= mibBase || t == g); // the MIB has no tags, and none is written for nothing
        g = t;
    }
    void setStatus(u32 i, int s) {
        u32 a = segBase + i * segWords; // the model keeps it in the tag of word 0
        sum += mix(~a, s) - mix(~a, segment[i]);
        segment[i] = s;
    }
};

// Structure is the allocator of structure memory: first fit over free runs.
class Structure {
    std::map<u32, u32> runs, taken; // start, words
    u32 words;

    std::map<u32, u32>::iterator fit(u32 n) {
        auto r = runs.begin();
        while (r != runs.end() && r->second < n) ++r;
        return r;
    }

public:
    void init(u32 base, u32 n) {
        words = n;
        if (n) runs[base] = n;
    }
    u32 freeAfter() const { return words; }

    // answer says whether the request can be met, and where; nothing changes.
    bool answer(bool release, u32 arg, u32& start) {
        if (release) return taken.count(arg & 0x3ffff) > 0;
        auto r = arg == 0 ? runs.end() : fit(arg);
        if (r == runs.end()) return false;
        start = r->first;
        return true;
    }

    void apply(bool release, u32 arg) {
        if (!release) {
            auto r = fit(arg);
            u32 start = r->first, left = r->second - arg;
            runs.erase(r);
            if (left) runs[start + arg] = left;
            taken[start] = arg;
            words -= arg;
            return;
        }
        u32 start = arg & 0x3ffff, n = taken[start];
        taken.erase(start);
        words += n;
        auto next = runs.find(start + n);
        if (next != runs.end()) {
            n += next->second;
            runs.erase(next);
        }
        auto r = runs.lower_bound(start);
        if (r != runs.begin() && (--r)->first + r->second == start) {
            r->second += n;
            return;
        }
        runs[start] = n;
    }
};
