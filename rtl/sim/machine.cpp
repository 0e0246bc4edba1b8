// A whole machine: N verilated PEs and the verilated links between them, or both in
// one verilated model; their memories and the host. The test says over the pipe what to do.
#ifdef WHOLE
#include "Vmachine.h"
#include "pins.h"
#else
#include "Vpe.h"
#include "links.h"
#endif
#include "memory.h"
#include "pipe.h"
#include "verilated.h"
#ifdef WAVES
#include "verilated_vcd_c.h"
#endif

const int probeWords = 37, words = probeWords + 1, cfgBits = 164, cfgWords = 6;

#ifdef WHOLE
// Chip is the pins of one PE of the model.
struct Chip {
    static Vmachine& top() {
        static Vmachine machine;
        return machine;
    }
    static u32 begun;
    u32 at = begun++;
#define OF_ALL(pin) decltype((top().pin)) pin = top().pin;
#define OF_ONE(pin, width) decltype(part(top().pin, 0, 0)) pin = part(top().pin, at, width);
    OF_ALL(clk) OF_ALL(rst) OF_ALL(boot) OF_ALL(boot_pc) OF_ALL(host_in_valid) OF_ALL(host_in_word0)
    OF_ONE(cfg, cfgBits) OF_ONE(probe, 64 * probeWords) OF_ONE(host_in_taken, 1) OF_ONE(host_out_valid, 1) OF_ONE(host_out_word, 39)
    OF_ONE(mem_en, 1) OF_ONE(mem_we, 1) OF_ONE(mem_tag_we, 1) OF_ONE(mem_addr, 18) OF_ONE(mem_wdata, 39) OF_ONE(mem_wtag, 2)
    OF_ONE(mem_rdata, 39) OF_ONE(mem_rtag, 2) OF_ONE(seg_en, 1) OF_ONE(seg_we, 1) OF_ONE(seg_index, 13) OF_ONE(seg_wdata, 8)
    OF_ONE(seg_rdata, 8) OF_ONE(str_en, 1) OF_ONE(str_op, 1) OF_ONE(str_arg, 32) OF_ONE(str_ok, 1) OF_ONE(str_result, 18)
    OF_ONE(str_free, 16)

    // eval evaluates the model when the last PE has its inputs.
    void eval() {
        if (at + 1 == begun) top().eval();
    }
};
u32 Chip::begun = 0;
#else
using Chip = Vpe;
#endif

struct Node {
    Chip chip;
    Memory memory;
    Structure structure;
};

struct HostWord {
    u64 clock, data;
};

static std::vector<Node*> nodes;
#ifdef WHOLE
static struct {
    void upstream(std::vector<Node*>&) {}
    void downstream(std::vector<Node*>&) {}
} * links;
#else
static std::unique_ptr<Links<Node>> links;
#endif
static std::vector<std::pair<u64, u64>> hostQueue; // packets for [0,0]
static size_t hostNext = 0;
static std::vector<HostWord> hostWords;
static bool hostSecond = false; // the data word of a packet to the host comes in this clock
static u64 clocks = 0;

static void setHost(Chip& c) {
    c.host_in_valid = hostNext < hostQueue.size();
    u64 a = 0, d = 0;
    if (c.host_in_valid) {
        a = hostQueue[hostNext].first;
        d = hostQueue[hostNext].second;
    }
    c.host_in_word0[0] = u32(d);
    c.host_in_word0[1] = u32(d >> 32 | a << 7);
    c.host_in_word0[2] = u32(a >> 25);
}

// answer lets memories and the allocator answer what the chip asks for in this
// clock: addresses depend on registers alone.
static void answer(Node& n) {
    Chip& c = n.chip;
    c.mem_rdata = n.memory.word(c.mem_addr);
    c.mem_rtag = n.memory.tag(c.mem_addr);
}

static void answerLater(Node& n) {
    Chip& c = n.chip;
    c.seg_rdata = n.memory.status(c.seg_index);
    if (c.str_en) {
        u32 result = 0;
        c.str_ok = n.structure.answer(c.str_op, c.str_arg, result);
        c.str_result = result;
    }
}

// store does at the clock's end what the chip wants of memories and allocator.
static void store(Node& n) {
    Chip& c = n.chip;
    if (c.mem_en && c.mem_we) n.memory.write(c.mem_addr, c.mem_wdata);
    if (c.mem_en && !c.mem_we) n.memory.taken(c.mem_addr);
    if (c.mem_en && c.mem_tag_we) n.memory.setTag(c.mem_addr, c.mem_wtag);
    if (c.seg_en && c.seg_we) n.memory.setStatus(c.seg_index, c.seg_wdata);
    if (c.str_en && c.str_ok) n.structure.apply(c.str_op, c.str_arg);
}

static void tick() {
    links->upstream(nodes);
    for (Node* n : nodes) {
        n->chip.clk = 0;
        answer(*n);
    }
    setHost(nodes[0]->chip);
    for (Node* n : nodes) n->chip.eval();
    for (Node* n : nodes) { // the status of segments and the allocator may depend on the memory's answer
        answerLater(*n);
        n->chip.eval();
    }
    links->downstream(nodes);
    Chip& first = nodes[0]->chip;
    if (first.host_in_valid && first.host_in_taken) hostNext++;
    if (hostSecond) hostWords.push_back({clocks + 1, first.host_out_word & 0xffffffff});
    hostSecond = first.host_out_valid;
    for (Node* n : nodes) store(*n);
    for (Node* n : nodes) {
        n->chip.clk = 1;
        n->chip.str_free = n->structure.freeAfter();
        n->chip.eval();
    }
    clocks++;
}

static void probe(Node& n, u64* w) {
    copyWords(w, n.chip.probe, probeWords);
    w[probeWords] = n.memory.sum;
}

static u64 digestAll() {
    u64 sum = 0, w[words];
    for (Node* n : nodes) {
        probe(*n, w);
        sum = digest(sum, w, words);
    }
    return sum;
}

// start reads the machine: k of its network, layout of the memory, the program, boot address.
static void start() {
    u32 k = get<u32>(), strBase = get<u32>(), strWords = get<u32>(), segBase = get<u32>(), segWords = get<u32>(), mibBase = get<u32>();
    u32 boot = get<u32>(); // code address + 1, or 0
    std::vector<u64>* image = new std::vector<u64>(get<u32>());
    std::vector<unsigned char>* code = new std::vector<unsigned char>(image->size());
    for (size_t i = 0; i < image->size(); i++) {
        (*image)[i] = get<u64>();
        (*code)[i] = get<unsigned char>();
    }
#ifndef WHOLE
    links = linksFor<Node>(k);
#endif
    for (u32 i = 0; i < (k + 1) << k; i++) {
        Node* x = new Node;
        nodes.push_back(x);
        std::vector<u64>* own = image;
        for (u32 a = get<u32>(); a < image->size(); a = get<u32>()) { // words of its code that are not those of all
            if (own == image) own = new std::vector<u64>(*image);
            (*own)[a] = get<u64>();
        }
        x->memory.init(own, code, segBase, segWords, mibBase);
        x->structure.init(strBase, strWords);
        for (int j = 0; j < cfgWords; j++) x->chip.cfg[j] = get<u32>();
        Chip& c = x->chip;
        c.clk = 0;
        c.rst = 1;
        c.host_in_valid = 0;
        c.boot = boot != 0;
        c.boot_pc = boot - 1;
        c.str_free = strWords;
        c.eval();
    }
    for (Node* n : nodes) store(*n); // nothing, in reset
    for (int clk = 1; clk >= 0; clk--)
        for (Node* n : nodes) {
            n->chip.clk = clk;
            if (clk == 0) n->chip.rst = n->chip.boot = 0;
            n->chip.eval(); // at last because rx_fill_ok is needed before the first clock
        }
}

int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    Verilated::randReset(2); // before the reset registers hold anything
    Verilated::randSeed(1);
    start();
#ifdef WAVES
    Verilated::traceEverOn(true);
    VerilatedVcdC waves;
    nodes.at(0)->chip.trace(&waves, 99);
    waves.open(getenv("EMSIM_RTL_WAVES")); // build.go
#endif
    for (;;) {
        switch (get<unsigned char>()) {
        case cmdRun:
            for (u32 n = get<u32>(); n > 0; n--) {
                tick();
                put(digestAll());
#ifdef WAVES
                waves.dump(clocks);
                waves.flush();
#endif
            }
            break;
        case cmdDump:
            for (Node* n : nodes) {
                u64 w[words];
                probe(*n, w);
                for (u64 v : w) put(v);
            }
            break;
        case cmdHost: {
            u64 a = get<u64>(), d = get<u64>();
            hostQueue.push_back({a, d});
            break;
        }
        case cmdHostWords:
            put(u32(hostWords.size()));
            for (HostWord& w : hostWords) {
                put(w.clock);
                put(w.data);
            }
            break;
        }
        fflush(stdout);
    }
}
