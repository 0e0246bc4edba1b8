// The execution unit's sequence (TIMING.md "The EXU"; ISA.md): which instruction comes when, how long it takes, what it asks of its
// neighbours. Clocks, registers and branches of an instruction are those of table_pkg, which the test writes from the table in Go.
// What alu, divider and fpu compute is anything here: the sequence holds for every result.
module exu_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyseq *) logic             offers, gets_port, room_free, grants, str_ok;
  (* anyseq *) emcr_pkg::addr_t  node_code, seg_base, seg_released, str_result;
  (* anyseq *) emcr_pkg::data_t  node_left, node_right, node_fp, prefetch_rdata;
  (* anyseq *) emcr_pkg::word_t  mem_rdata;
  (* anyseq *) logic [1:0]       mem_rtag;
  (* anyseq *) logic [2:0]       seg_says;
  (* anyseq *) logic [12:0]      segs_free;
  (* anyseq *) logic [15:0]      str_free;
  (* anyseq *) logic [3:0]       load;

  logic            rst, node_valid, node_taken, request, idle, port, mem_en, mem_we, room, put, granted, str_en, str_op;
  logic            prefetch_read, prefetch_write, active, network_wait;
  emcr_pkg::addr_t mem_addr, seg_addr;
  emcr_pkg::word_t mem_wdata, put_word;
  logic [2:0]      seg_op, seg_fault, fault;
  emcr_pkg::data_t str_arg, prefetch_wdata;
  logic [9*64-1:0] probe;

  exu unit (.*);

  logic begun_q = 0, dead_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  always_ff @(posedge clk) if (begun_q && fault != 0) dead_q <= 1;    // a fault stops the machine
  always_comb assume (!dead_q);
  assign node_valid = offers && begun_q;
  assign port       = request && gets_port;
  assign seg_fault  = seg_op == emcr_pkg::SEG_NONE ? emcr_pkg::FAULT_NONE : seg_says;
  always_comb assume (cfg.getseg >= 1);                               // emcr.sv: GETSEG is 2 at least

  // Where a block is: the reference, from table_pkg alone.
  localparam logic [2:0] NONE = 0, FETCH = 1, MEMORY = 2, BUSY = 3, NO_ROOM = 4, HOLD = 5;
  logic [2:0]       phase_q;
  logic [4:0]       left_q;
  emcr_pkg::addr_t  pc_q, pc;
  emcr_pkg::instr_t held_q, now;
  logic             fetch, done, sends_now;
  logic [1:0]       mem_clocks;
  logic [4:0]       extra_clocks;
  assign fetch        = begun_q && port && (phase_q == NONE || phase_q == FETCH);
  assign now          = fetch ? mem_rdata : held_q;
  assign pc           = phase_q == NONE ? node_code : pc_q;
  assign mem_clocks   = now.code == emcr_pkg::GETSEG ? cfg.getseg : table_pkg::mem_clocks(now.code);
  assign extra_clocks = table_pkg::extra_clocks(now.code);
  assign sends_now    = table_pkg::sends(now.code) && room && (fetch || phase_q == NO_ROOM);
  assign done         = fetch && mem_clocks == 0 && extra_clocks == 0 && !table_pkg::sends(now.code)
                     || phase_q == MEMORY && port && left_q == 1 || phase_q == BUSY && left_q == 1 || phase_q == HOLD && granted;

  // The port register holds one packet until the switch takes it; at [0,0] the host may be there.
  logic held_packet_q = 0;
  assign room    = room_free && !held_packet_q;
  assign granted = held_packet_q && grants;
  always_ff @(posedge clk) held_packet_q <= begun_q && (held_packet_q ? !granted : put);

  // Whether a branch is taken is the arithmetic's affair: it is read inside the unit, as is what register it writes.
  (* hierconn *) logic       \unit.taken ;
  (* hierconn *) logic       \unit.registers_i.we ;
  (* hierconn *) logic [3:0] \unit.registers_i.d ;
  (* hierconn *) emcr_pkg::data_t \unit.ra ;
  logic takes, ends;
  assign takes = \unit.taken && done;
  assign ends  = now.last && !takes;

  always_ff @(posedge clk) begin
    if (fetch) begin
      held_q <= mem_rdata;
      pc_q   <= pc;
      if (mem_clocks != 0) begin
        phase_q <= MEMORY;
        left_q  <= {3'd0, mem_clocks};
      end else if (extra_clocks != 0) begin
        phase_q <= BUSY;
        left_q  <= extra_clocks;
      end else if (table_pkg::sends(now.code)) begin
        phase_q <= room ? HOLD : NO_ROOM;
      end
    end
    if (phase_q == NO_ROOM && room) phase_q <= HOLD;
    if (phase_q == MEMORY && port || phase_q == BUSY) left_q <= left_q - 5'd1;
    if (done) begin
      phase_q <= ends ? NONE : FETCH;
      pc_q    <= takes ? now.constant[17:0] : pc + 18'd1;
    end
    if (rst) phase_q <= NONE;
  end

  logic [31:0] clock_q = 0;
  logic        sent_q = 0, access;
  always_ff @(posedge clk) if (begun_q) begin
    clock_q <= clock_q + 32'd1;
    sent_q  <= put;
  end
  assign access = phase_q == MEMORY && port && left_q == 1;

  emcr_pkg::address_t word;
  assign word = put_word;
  always_comb if (begun_q) begin
    // P: the port is asked for by an idle unit with a node, for each fetch and each further access, and never else [TIMING, The memory port]
    assert (request == (phase_q == NONE && node_valid || phase_q == FETCH || phase_q == MEMORY));
    assert (idle == (phase_q == NONE));
    // P: a node is taken exactly when the unit is idle and has the port; its first instruction is fetched in that clock [TIMING, idle]
    assert (node_taken == (phase_q == NONE && node_valid && port));
    // P: what is fetched is the node's code, and then what follows: the next word, or the target of a branch that is taken
    if (request && (phase_q == NONE || phase_q == FETCH)) assert (mem_en && !mem_we && mem_addr == pc);
    // P: each instruction takes the clocks of its row in the table, and waits only for the port, for room and for the switch [ISA, Instructions]
    assert (probe[2:0] == phase_q);
    if (phase_q == MEMORY || phase_q == BUSY) assert (probe[7:3] == left_q);
    // P: a branch is only taken by an instruction that branches
    if (\unit.taken ) assert (table_pkg::branches(now.code));
    // P: a packet is put only into a port register with room, by an instruction that sends, once [TIMING, The EXU]
    assert (put == (sends_now && fault == 0));
    // P: what is put is a packet of this machine: its kind, and a PE that there is [MACHINE, A packet]
    if (put) assert (now.code == emcr_pkg::OUT ? put_word == {1'b1, 38'd0}
                     : !word.host && {1'b0, word.ca} <= cfg.k | now.code == emcr_pkg::MLPE);
    if (put && now.code == emcr_pkg::MLPE)
      assert (word.kind == emcr_pkg::KIND_MLPE && word.direct && word.match == 0 && word.ga == cfg.ga && word.ca == cfg.ca && word.addr == now.constant[17:0]);
    if (put && now.code == emcr_pkg::SEND) assert (word.kind == emcr_pkg::KIND_DATA && word.match != 3 && {1'b0, word.ga} < 8'd1 << cfg.k);
    // P: the tag of a data word is 0 [MACHINE, A packet]
    if (sent_q) assert (put_word[38:32] == 0);
    // P: memory is written by st, getseg and relseg in their last clock, at the address that they name, and never with a fault
    assert (mem_we == (access && fault == 0 && (now.code == emcr_pkg::ST || now.code == emcr_pkg::GETSEG || now.code == emcr_pkg::RELSEG)));
    if (mem_we && now.code == emcr_pkg::GETSEG) assert (mem_addr == seg_base && mem_wdata[38:18] == 0);
    if (mem_we && now.code == emcr_pkg::RELSEG) assert (mem_wdata == {21'd0, seg_released} && mem_addr == seg_addr);
    // P: ld and st access the word at the address in ra plus the constant, in the two low bits (an adder of 18 is beyond the solver here) [ISA, Instructions]
    if (access && mem_en && (now.code == emcr_pkg::LD || now.code == emcr_pkg::ST)) assert (mem_addr[1:0] == \unit.ra [1:0] + now.constant[1:0]);
    if (mem_we && now.code == emcr_pkg::ST) assert (mem_wdata[38:32] == 0 && mem_rtag != emcr_pkg::TAG_INSTR);
    // P: operand segments and structure memory are asked in the last clock of their instructions, and by no other
    assert (seg_op == (access && now.code == emcr_pkg::GETSEG ? emcr_pkg::SEG_GET : access && now.code == emcr_pkg::RELSEG ? emcr_pkg::SEG_RELEASE : emcr_pkg::SEG_NONE));
    assert (str_en == (access && (now.code == emcr_pkg::GETSTR || now.code == emcr_pkg::RELSTR)));
    if (str_en) assert (str_op == (now.code == emcr_pkg::RELSTR) && !mem_en);
    // P: what is fetched without an instruction's tag is a fault, and nothing of it is done [MACHINE, Faults]
    if (fetch && mem_rtag != emcr_pkg::TAG_INSTR) assert (fault == emcr_pkg::FAULT_PROGRAM && !put && !prefetch_read && !prefetch_write);
    // P: only mlpe can be written [MACHINE, Faults]
    if (fetch && mem_rtag == emcr_pkg::TAG_INSTR && now.code == emcr_pkg::WRS) assert ((fault == 0) == (now.constant == emcr_pkg::SP_MLPE));
    // P: the prefetch register is read by rds mlpe and written by wrs, in the clock of the fetch
    assert (prefetch_read == (fetch && mem_rtag == emcr_pkg::TAG_INSTR && now.code == emcr_pkg::RDS && now.constant == emcr_pkg::SP_MLPE));
    if (prefetch_write) assert (fetch && now.code == emcr_pkg::WRS && now.constant == emcr_pkg::SP_MLPE);
    // P: a fault of the list of segments or of structure memory is told as it is [MACHINE, Faults]
    if (access && (now.code == emcr_pkg::GETSEG || now.code == emcr_pkg::RELSEG)) assert (fault == seg_fault);
    if (access && now.code == emcr_pkg::RELSTR) assert (fault == (str_ok ? emcr_pkg::FAULT_NONE : emcr_pkg::FAULT_PROGRAM));
    if (access && now.code == emcr_pkg::GETSTR) assert ((fault == 0) == str_ok && fault != emcr_pkg::FAULT_SEGMENT && fault != emcr_pkg::FAULT_MIB);
    // P: while it waits it counts as waiting: for the port, for room, for the switch [TIMING, The activity of a clock]
    assert (active == (fetch && (room || !table_pkg::sends(now.code)) || phase_q == MEMORY && port || phase_q == BUSY || phase_q == HOLD && granted || sends_now));
    // P: a register is written by an instruction that writes one, in its last clock, and by no other; never with a fault
    assert (\unit.registers_i.we == (done && table_pkg::writes(now.code) && fault == 0));
    if (\unit.registers_i.we ) assert (\unit.registers_i.d == now.d);
  end
endmodule
