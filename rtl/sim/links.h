// The links between verilated nodes, PEs or switches alone: the wires are those of links.sv, verilated for
// each size of network.
#pragma once
#include <memory>
#include "Vlinks1/Vlinks1.h"
#include "Vlinks2/Vlinks2.h"
#include "Vlinks3/Vlinks3.h"
#include "Vlinks4/Vlinks4.h"
#include "pins.h"

template <class Node> struct Links {
    virtual ~Links() {}
    virtual void upstream(std::vector<Node*>&) = 0;   // which banks can be filled
    virtual void downstream(std::vector<Node*>&) = 0; // words
};

template <class Node, class Wires> struct LinksOf : Links<Node> {
    Wires w;

    void upstream(std::vector<Node*>& nodes) override {
        for (size_t i = 0; i < nodes.size(); i++) {
            part(w.rx_fill_ok0, i, 3) = nodes[i]->chip.rx_fill_ok0;
            part(w.rx_fill_ok1, i, 3) = nodes[i]->chip.rx_fill_ok1;
        }
        w.eval();
        for (size_t i = 0; i < nodes.size(); i++) {
            nodes[i]->chip.fill_ok0 = part(w.fill_ok0, i, 3);
            nodes[i]->chip.fill_ok1 = part(w.fill_ok1, i, 3);
        }
    }

    void downstream(std::vector<Node*>& nodes) override {
        for (size_t i = 0; i < nodes.size(); i++) {
            auto& c = nodes[i]->chip;
            part(w.tx_valid, i, 2) = c.tx_valid;
            part(w.tx_bank0, i, 2) = c.tx_bank0;
            part(w.tx_bank1, i, 2) = c.tx_bank1;
            part(w.tx_word0, i, 39) = c.tx_word0;
            part(w.tx_word1, i, 39) = c.tx_word1;
        }
        w.eval();
        for (size_t i = 0; i < nodes.size(); i++) {
            auto& c = nodes[i]->chip;
            c.rx_valid = part(w.rx_valid, i, 2);
            c.rx_bank0 = part(w.rx_bank0, i, 2);
            c.rx_bank1 = part(w.rx_bank1, i, 2);
            c.rx_word0 = part(w.rx_word0, i, 39);
            c.rx_word1 = part(w.rx_word1, i, 39);
        }
    }
};

// linksFor returns the network of (k+1) 2^k nodes; the test asks for no other k.
template <class Node> std::unique_ptr<Links<Node>> linksFor(u32 k) {
    switch (k) {
    case 1: return std::make_unique<LinksOf<Node, Vlinks1>>();
    case 2: return std::make_unique<LinksOf<Node, Vlinks2>>();
    case 3: return std::make_unique<LinksOf<Node, Vlinks3>>();
    case 4: return std::make_unique<LinksOf<Node, Vlinks4>>();
    }
    fprintf(stderr, "there are no links for k = %u", k);
    exit(1);
}
