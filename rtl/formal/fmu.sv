// The fetch and matching unit (TIMING.md "The FMU"; paper 003, section 2) on a memory that answers anything, but for one watched
// word, whose content and tag are kept: any matching word may be it. In a word's data one bit stands for all.
module fmu_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t  cfg;
  (* anyconst *) emcr_pkg::addr_t watched;
  (* anyconst *) logic            boots;
  (* anyseq *) emcr_pkg::word_t   comes_address, comes_data, memory_word;
  (* anyseq *) logic [1:0]        memory_tag;
  (* anyseq *) logic              comes, port, exu_takes, seg_ok;

  logic            rst, boot, head_valid, pop, mem_en, mem_we, mem_tag_we, node_valid, node_taken, active, idle, fault;
  emcr_pkg::word_t head_address, head_data, mem_wdata, mem_rdata;
  logic [1:0]      mem_wtag, mem_rtag;
  emcr_pkg::addr_t mem_addr, seg_addr, node_code, boot_pc;
  logic [2:0]      seg_op;
  emcr_pkg::data_t node_left, node_right, node_fp;
  logic [4*64-1:0] probe;

  fmu unit (.*);

  logic begun_q = 0, dead_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst     = !begun_q;
  assign boot    = rst && boots;
  assign boot_pc = 18'd5;
  always_ff @(posedge clk) if (begun_q && fault) dead_q <= 1;   // a fault stops the machine
  always_comb assume (!dead_q);

  // The IBU's oldest packet stays until it is taken.
  logic            held_q = 0;
  emcr_pkg::word_t address_q, data_q;
  assign head_valid   = held_q || comes;
  assign head_address = held_q ? address_q : comes_address;
  assign head_data    = held_q ? data_q : {38'd0, comes_data[0]};
  always_ff @(posedge clk) begin
    held_q    <= begun_q && head_valid && !pop;
    address_q <= head_address;
    data_q    <= head_data;
  end
  always_comb if (head_valid) assume (head_address[30:29] != 2'd3);    // MACHINE: match 3 does not occur
  assign node_taken = node_valid && exu_takes;

  // The memory: the watched word and its tag, and anything elsewhere.
  logic       word_q;
  logic [1:0] tag_q;
  assign mem_rdata = mem_addr == watched ? {38'd0, word_q} : {21'd0, memory_word[17:0]};
  assign mem_rtag  = mem_addr == watched ? tag_q : memory_tag;
  logic access;
  assign access = port && mem_en && begun_q;
  always_ff @(posedge clk) if (access && mem_addr == watched) begin
    if (mem_we)     word_q <= mem_wdata[0];
    if (mem_tag_we) tag_q <= mem_wtag;
  end

  // What happened to the packet in matching, as the pins showed it.
  emcr_pkg::address_t packet_q, packet;
  logic payload_q, payload, busy_q, looked_q, partner_q, named_q, looks, names;
  emcr_pkg::addr_t value_q, code_q, displacement, segment;
  assign packet       = busy_q ? packet_q : head_address;
  assign payload      = busy_q ? payload_q : head_data[0];
  assign displacement = packet.addr & ~(18'h3ffff << cfg.segment_shift);
  assign segment      = packet.addr & (18'h3ffff << cfg.segment_shift);
  logic two;
  assign two   = !packet.direct && packet.match != emcr_pkg::MATCH_ONE;
  assign looks = access && two && !mem_we && mem_addr == packet.addr && !looked_q && (pop || busy_q) && !node_valid;
  assign names = access && !packet.direct && !mem_we && mem_addr == segment && (!two || partner_q) && (pop || busy_q) && !node_valid;
  logic waits, other;
  assign waits = mem_rtag == 2'd1 || mem_rtag == 2'd2;
  assign other = waits && mem_rtag != packet.match;
  always_ff @(posedge clk) begin
    if (pop) begin
      packet_q  <= head_address;
      payload_q <= head_data[0];
      busy_q    <= 1;
      looked_q  <= 0;
      named_q   <= 0;
      partner_q <= 0;
    end
    if (looks) begin
      looked_q  <= 1;
      partner_q <= other;
      value_q   <= mem_rdata[17:0];
    end
    if (names) begin
      named_q <= 1;
      code_q  <= mem_rdata[17:0] + displacement;
    end
    if (mem_we && access || node_taken) begin
      busy_q   <= 0;
      looked_q <= 0;
    end
    if (rst) {busy_q, looked_q, named_q, partner_q} <= 4'd0;
    if (boot) busy_q <= 1;
  end
  logic booted_q;
  always_ff @(posedge clk) booted_q <= boot || booted_q && !node_taken && begun_q;

  always_comb if (displacement == 0) assume (!seg_ok);        // proven of the unit segment: a node's word, not word 0

  always_comb if (begun_q) begin
    // P: one packet at a time: the next one is taken when the last one has been written or its node is gone
    if (pop) assert (!busy_q && head_valid);
    // P: it is idle exactly while it holds neither a packet nor a node
    assert (idle == !busy_q);
    // P: it is at work in the clocks in which it takes a packet or has an access, and in no other [TIMING, The activity of a clock]
    assert (active == (pop || access));
    // P: the memory is only touched with the port [TIMING, The memory port]
    if (pop && !head_address[28]) assert (port);
    // P: an operand of a two-operand node that finds no partner is written once, into its word, with its side as tag [003 §2]
    if (access && mem_we) assert (two && looked_q && !partner_q && mem_addr == packet.addr && mem_wdata == {38'd0, payload} && mem_tag_we && mem_wtag == packet.match);
    // P: the access that finds the partner clears its tag, and nothing else writes a tag
    if (looks && other && !fault) assert (mem_tag_we && mem_wtag == emcr_pkg::TAG_NONE && !mem_we);
    if (access && mem_tag_we) assert (mem_we || looks && other);
    // P: a waiting operand of the same side is a fault [MACHINE, Faults]
    if (looks && waits && !other) assert (fault);
    // P: a packet for a segment that is not in use, or for its word 0, is a fault; so is one whose segment is released before it is written [MACHINE, Faults]
    if (pop && !head_address[28] && !seg_ok) assert (fault);
    if (looks && !seg_ok) assert (fault);
    if (access && mem_we) assert (seg_ok && !fault);
    // P: there is no other fault
    if (fault) assert (!seg_ok || looks && waits && !other);
    // P: what is asked of the segment's status: taken, waits, matched, each with the packet's address
    if (seg_op != emcr_pkg::SEG_NONE) assert (seg_addr == packet.addr && !packet.direct && port);
    if (seg_op == emcr_pkg::SEG_WAIT) assert (looked_q && !partner_q);
    if (seg_op == emcr_pkg::SEG_MATCHED) assert (looked_q && partner_q && names);
    if (node_valid && !booted_q) begin
      // P: a node of two operands is offered only after its partner was read, with both values on their sides [003 §2: direct matching]
      if (two) assert (looked_q && partner_q && node_left == (packet.match == 2'd1 ? {31'd0, payload} : {14'd0, value_q})
                       && node_right == (packet.match == 2'd1 ? {14'd0, value_q} : {31'd0, payload}));
      // P: a node of one operand and one in direct mode have the payload on the left and 0 on the right
      else assert (node_left == {31'd0, payload} && node_right == 0);
      // P: the code is the template's word plus the displacement; in direct mode it is the packet's address [003 §2]
      if (packet.direct) assert (node_code == packet.addr);
      else assert (named_q && node_code == code_q);
      // P: fp is the continuation of the operand segment on this PE
      assert (node_fp == {4'd0, cfg.ga, cfg.ca, packet.direct ? 18'd0 : segment});
    end
    // P: the loader's node has its address and no operands
    if (node_valid && booted_q) assert (node_code == 18'd5 && node_left == 0 && node_right == 0 && node_fp == {4'd0, cfg.ga, cfg.ca, 18'd0});
    // P: a node is offered until it is taken
    if (node_valid) assert (busy_q && !pop);
  end
endmodule
