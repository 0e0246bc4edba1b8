// Switches alone: N verilated switching units under random traffic. traffic.go
// makes the same traffic for the model.
#include "Vswitch_node.h"
#include "links.h"
#include "pipe.h"
#include "verilated.h"

const int probeWords = 37, words = 17, cfgWords = 6;

struct Node {
    Vswitch_node chip;
    u64 random;
    u64 draw() { // SplitMix64
        u64 z = random += 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return z ^ z >> 31;
    }
};

static std::vector<Node*> nodes;
static std::unique_ptr<Links<Node>> links;
static u32 members, offerRate, consumeRate, hostRate;

static u64 peBits(u32 i) { return u64(i / members) << 21 | u64(i % members) << 18; }

// setWord sets a signal of 78 bits to an address word and a data word.
template <class W> void setWord(W& wide, u64 address, u64 data) {
    wide[0] = u32(data);
    wide[1] = u32(data >> 32 | address << 7);
    wide[2] = u32(address >> 25);
}

// stimulate draws what PE i does in this clock.
static void stimulate(u32 i) {
    Node& n = *nodes[i];
    Vswitch_node& c = n.chip;
    u64 a = n.draw(), b = n.draw();
    bool full = c.probe[2 * 13] & 1, come = c.probe[2 * 15] & 1; // port register, intake
    c.load = a & 15;
    bool host = false;
    if (i == 0) {
        u64 h = n.draw();
        host = (b >> 50 & 0xff) < hostRate;
        setWord(c.host_in_word0, peBits((h >> 32) % nodes.size()) | u64(1) << 28 | (h & 0x3ffff), b & 0xffffffff);
    }
    c.host_in_valid = host;
    u64 address;
    if ((a >> 23 & 63) == 0) {
        address = u64(1) << 38;
    } else if ((a >> 20 & 7) == 0) {
        address = u64(1) << 31 | u64(1) << 28 | peBits(i) | (b >> 32 & 0x3ffff);
    } else {
        address = u64((a >> 29 & 3) % 3) << 29 | (a >> 31 & 1) << 28 | peBits((a >> 32) % nodes.size()) | (b >> 32 & 0x3ffff);
    }
    setWord(c.offer_word, address, b & 0xffffffff);
    c.offer_valid = !full && !host && (a >> 4 & 0xff) < offerRate;
    c.consume = come && (a >> 12 & 0xff) < consumeRate;
}

static void tick() {
    links->upstream(nodes);
    for (u32 i = 0; i < nodes.size(); i++) {
        nodes[i]->chip.clk = 0;
        stimulate(i);
    }
    for (Node* n : nodes) n->chip.eval();
    links->downstream(nodes);
    for (Node* n : nodes) {
        n->chip.clk = 1;
        n->chip.eval();
    }
}

static u64 digestAll() {
    u64 sum = 0, w[probeWords];
    for (Node* n : nodes) {
        copyWords(w, n->chip.probe, words);
        sum = digest(sum, w, words);
    }
    return sum;
}

int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    Verilated::randReset(2); // before the reset registers hold anything
    Verilated::randSeed(1);
    u32 k = get<u32>();
    links = linksFor<Node>(k);
    members = k + 1, offerRate = get<u32>(), consumeRate = get<u32>(), hostRate = get<u32>();
    for (u32 i = 0; i < (k + 1) << k; i++) {
        Node* x = new Node;
        nodes.push_back(x);
        for (int j = 0; j < cfgWords; j++) x->chip.cfg[j] = get<u32>();
        x->random = get<u64>();
        Vswitch_node& c = x->chip;
        c.rst = 1;
        c.clk = 0;
        c.eval();
        c.clk = 1;
        c.eval();
        c.rst = 0;
        c.eval();
    }
    for (;;) {
        switch (get<unsigned char>()) {
        case cmdRun:
            for (u32 k = get<u32>(); k > 0; k--) {
                tick();
                put(digestAll());
            }
            break;
        case cmdDump:
            for (Node* x : nodes) {
                u64 w[words];
                copyWords(w, x->chip.probe, words);
                for (u64 v : w) put(v);
            }
            break;
        }
        fflush(stdout);
    }
}
