// Widths, words and codes that the units of a PE share (docs: MACHINE.md, ISA.md).
package emcr_pkg;

  // A package serves every unit and every test top: no one of them uses all of its names, and a function
  // that reads a field uses only a part of its word.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */

  typedef logic [38:0] word_t;  // a memory word, and what a port carries in a clock
  typedef logic [31:0] data_t;  // a register, a payload
  typedef logic [17:0] addr_t;  // a memory address
  typedef logic [6:0]  ga_t;    // group address
  typedef logic [2:0]  ca_t;    // column (member) address

  localparam int PROBE_WORDS = 37;

  // The straps: knobs of the machine, and the PE's place in it. Constant while the machine runs.
  typedef struct packed {
    ga_t         ga;
    ca_t         ca;
    logic [3:0]  k;
    logic [3:0]  hop;
    logic [4:0]  bank;
    logic [3:0]  inject;
    logic [1:0]  banks;
    logic        compare;
    logic        strict;                // only a smaller load replaces the least one
    logic        fair;                  // a switch keeps room for a packet that waits
    logic        load_counts_execution; // the load counts the packet that FMU or EXU work on
    logic [7:0]  fifo_packets;
    logic [16:0] mib_packets;
    logic        burst_refill;
    logic        refill_blocks_intake;
    logic        spill_interrupts;
    logic        match_three;           // two-operand packets: an access to word 0 comes first
    logic [1:0]  getseg;                // clocks of getseg after its fetch
    addr_t       segment_base;
    logic [2:0]  segment_shift;
    logic [12:0] segments;
    logic [15:0] structure_words;
    addr_t       mib_base;
    data_t       seed;
  } cfg_t;

  localparam int CFG = 164;  // its bits

  // MACHINE.md "A packet": the address word. Of the data word only the payload, bits 31..0, is used.
  typedef struct packed {
    logic       host;
    logic [6:0] kind;    // "type" in the tables
    logic [1:0] match;
    logic       direct;  // "mode" in the tables
    ga_t        ga;
    ca_t        ca;
    addr_t      addr;
  } address_t;

  localparam logic [6:0] KIND_DATA = 7'd0;
  localparam logic [6:0] KIND_MLPE = 7'd1;

  // A packet in direct mode for this address fills the prefetch register (MACHINE.md "The prefetch register").
  localparam addr_t PREFETCH_ADDR = 18'h3ffff;

  function automatic logic fills_prefetch(input word_t packet);
    fills_prefetch = packet[28] && packet[17:0] == PREFETCH_ADDR;
  endfunction

  localparam logic [1:0] MATCH_ONE    = 2'd0;
  localparam logic [1:0] MATCH_LEFT   = 2'd1;
  localparam logic [1:0] MATCH_RIGHT  = 2'd2;
  localparam logic [1:0] MATCH_DIRECT = 2'd3;  // in continuations only

  // MACHINE.md "A packet": a continuation, the payload that says where a result goes.
  typedef struct packed {
    logic [1:0] zero;
    logic [1:0] match;
    ga_t        ga;
    ca_t        ca;
    addr_t      addr;
  } cont_t;

  function automatic data_t continuation(input logic [1:0] match, input ga_t ga, input ca_t ca,
                                         input addr_t addr);
    continuation = {2'b0, match, ga, ca, addr};
  endfunction

  // MACHINE.md "Word tags"; the tags of waiting operands equal their matching conditions.
  localparam logic [1:0] TAG_NONE  = 2'd0;
  localparam logic [1:0] TAG_INSTR = 2'd3;

  // Inputs and outputs of a switch.
  localparam logic [1:0] IN_GROUP  = 2'd0;
  localparam logic [1:0] OUT_GROUP = 2'd1;
  localparam logic [1:0] OWN       = 2'd2;

  // MACHINE.md "PEs and the network": the word W(g), and the bit s(c) of it that column c looks at.
  function automatic logic [7:0] group_word(input ga_t g);
    group_word = {g, ^g};
  endfunction

  function automatic logic [2:0] column_bit(input ca_t c, input logic [3:0] k);
    column_bit = c == 3'd0 ? 3'd0 : 3'(k + 4'd1 - {1'b0, c});
  endfunction

  // MACHINE.md "Routing", for a packet that is not an MLPE packet of this PE's EXU. A packet for the
  // host has GA and CA 0, so it finds [0,0] by the ordinary rule.
  function automatic logic [1:0] route(input word_t packet, input ga_t own_ga, input ca_t own_ca,
                                       input logic [3:0] k);
    logic [7:0] differ;
    logic [2:0] column;
    differ = group_word(packet[27:21]) ^ group_word(own_ga);
    column = column_bit(own_ca, k);
    if (packet[27:18] == {own_ga, own_ca}) route = OWN;
    else                                   route = {1'b0, differ[column]};
  endfunction

  function automatic logic is_mlpe(input word_t packet);
    is_mlpe = packet[37:31] == KIND_MLPE;
  endfunction

  function automatic logic for_host(input word_t packet);
    for_host = packet[38];
  endfunction

  // The round robin of the switch: the number after n, of 0..2.
  function automatic logic [1:0] after(input logic [1:0] n);
    after = n == 2'd2 ? 2'd0 : n + 2'd1;
  endfunction

  // "last + 1, last + 2, last": the first of these that is offered.
  function automatic logic [1:0] in_turn(input logic [2:0] offered, input logic [1:0] last);
    logic [1:0] first, second;
    first  = after(last);
    second = after(first);
    if      (offered[first])  in_turn = first;
    else if (offered[second]) in_turn = second;
    else                      in_turn = last;
  endfunction

  // Faults (MACHINE.md "Faults").
  localparam logic [2:0] FAULT_NONE      = 3'd0;
  localparam logic [2:0] FAULT_PROGRAM   = 3'd1;
  localparam logic [2:0] FAULT_SEGMENT   = 3'd2;
  localparam logic [2:0] FAULT_STRUCTURE = 3'd3;
  localparam logic [2:0] FAULT_MIB       = 3'd4;

  // What the FMU and the EXU ask of the status of an operand segment.
  localparam logic [2:0] SEG_NONE    = 3'd0;
  localparam logic [2:0] SEG_TAKE    = 3'd1;  // FMU: a packet for it is taken
  localparam logic [2:0] SEG_WAIT    = 3'd2;  // FMU: an operand begins to wait
  localparam logic [2:0] SEG_MATCHED = 3'd3;  // FMU: a waiting operand is gone
  localparam logic [2:0] SEG_GET     = 3'd4;  // EXU: getseg
  localparam logic [2:0] SEG_RELEASE = 3'd5;  // EXU: relseg

  // ISA.md "The word".
  typedef struct packed {
    logic        last;  // the end mark
    logic [5:0]  code;
    logic [3:0]  d;
    logic [3:0]  a;
    logic        literal;
    logic [3:0]  b;
    logic [18:0] constant;
  } instr_t;

  localparam logic [5:0] ADD = 6'd0, SUB = 6'd1, MUL = 6'd2, MULHU = 6'd3, DIV = 6'd4, REM = 6'd5;
  localparam logic [5:0] AND = 6'd6, OR = 6'd7, XOR = 6'd8, SHL = 6'd9, SHR = 6'd10, SAR = 6'd11;
  localparam logic [5:0] FADD = 6'd12, FSUB = 6'd13, FMUL = 6'd14, ITOF = 6'd15;
  localparam logic [5:0] BEQ = 6'd16, BNE = 6'd17, BLT = 6'd18, BLTU = 6'd19, FBLT = 6'd20;
  localparam logic [5:0] LD = 6'd21, ST = 6'd22, SEND = 6'd23, OUT = 6'd24, CONT = 6'd25, MLPE = 6'd26;
  localparam logic [5:0] GETSEG = 6'd27, RELSEG = 6'd28, GETSTR = 6'd29, RELSTR = 6'd30;
  localparam logic [5:0] RDS = 6'd31, WRS = 6'd32, MOVPE = 6'd33;

  // ISA.md "Special registers".
  localparam logic [18:0] SP_PE = 19'd0, SP_GA = 19'd1, SP_CA = 19'd2, SP_K = 19'd3, SP_CLOCK = 19'd4;
  localparam logic [18:0] SP_LOAD = 19'd5, SP_MLPE = 19'd6, SP_SEGS = 19'd7, SP_STRS = 19'd8;
  localparam logic [18:0] SP_SEED = 19'd9, SP_GAPOS = 19'd10, SP_PREFETCH = 19'd11;

  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_on UNUSEDPARAM */

endpackage
