// The input buffer (TIMING.md "The input buffer"; paper 003, sections 2 and 4.2) with one watched packet: any packet may be it.
// The unit only moves words, so the one mark bit that each word has here stands for all of them. Where the watched packet is, is
// stated for every clock, in FIFO and MIB: so the assertions here and those of the unit are inductive together.
module ibu_bench (
    input logic clk
);
  localparam int FIFO_MAX = 16;

  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyconst *) logic [16:0]    watched;   // a place of the MIB
  (* anyseq *) logic             intake_comes, pick, prefetched, direct, port_free, pops;

  logic            intake_full, consume, fill, head_valid, pop, request, port, mem_we, overflow;
  emcr_pkg::word_t intake_address, intake_data, head_address, head_data, mem_wdata, mem_rdata;
  emcr_pkg::addr_t mem_addr;
  logic [7:0]      fifo_count;
  logic [16:0]     mib_count;
  logic [3*64-1:0] probe;
  logic            rst;

  ibu #(.FIFO_MAX(FIFO_MAX)) unit (.*);

  // Registers of the unit: Yosys connects what has their names.
  (* hierconn *) logic [3:0]      \unit.first_q , \unit.free_q ;
  (* hierconn *) logic [16:0]     \unit.mib_first_q , \unit.mib_free_q ;
  (* hierconn *) logic [1:0]      \unit.half_q ;
  (* hierconn *) emcr_pkg::word_t \unit.fifo_address_q[0] , \unit.fifo_address_q[1] , \unit.fifo_address_q[2] , \unit.fifo_address_q[3] ,
    \unit.fifo_address_q[4] , \unit.fifo_address_q[5] , \unit.fifo_address_q[6] , \unit.fifo_address_q[7] ,
    \unit.fifo_address_q[8] , \unit.fifo_address_q[9] , \unit.fifo_address_q[10] , \unit.fifo_address_q[11] ,
    \unit.fifo_address_q[12] , \unit.fifo_address_q[13] , \unit.fifo_address_q[14] , \unit.fifo_address_q[15] ;
  (* hierconn *) emcr_pkg::word_t \unit.fifo_data_q[0] , \unit.fifo_data_q[1] , \unit.fifo_data_q[2] , \unit.fifo_data_q[3] ,
    \unit.fifo_data_q[4] , \unit.fifo_data_q[5] , \unit.fifo_data_q[6] , \unit.fifo_data_q[7] ,
    \unit.fifo_data_q[8] , \unit.fifo_data_q[9] , \unit.fifo_data_q[10] , \unit.fifo_data_q[11] ,
    \unit.fifo_data_q[12] , \unit.fifo_data_q[13] , \unit.fifo_data_q[14] , \unit.fifo_data_q[15] ;
  localparam logic [1:0] SPILL = 2'd1, REFILL = 2'd2;
  logic [15:0] address_marks, data_marks;
  logic [3:0]  first, free;
  logic [16:0] mib_first, mib_free;
  logic [1:0]  half;
  assign first         = \unit.first_q ;
  assign free          = \unit.free_q ;
  assign mib_first     = \unit.mib_first_q ;
  assign mib_free      = \unit.mib_free_q ;
  assign half          = \unit.half_q ;
  assign address_marks = {\unit.fifo_address_q[15] [0], \unit.fifo_address_q[14] [0], \unit.fifo_address_q[13] [0], \unit.fifo_address_q[12] [0],
    \unit.fifo_address_q[11] [0], \unit.fifo_address_q[10] [0], \unit.fifo_address_q[9] [0], \unit.fifo_address_q[8] [0],
    \unit.fifo_address_q[7] [0], \unit.fifo_address_q[6] [0], \unit.fifo_address_q[5] [0], \unit.fifo_address_q[4] [0],
    \unit.fifo_address_q[3] [0], \unit.fifo_address_q[2] [0], \unit.fifo_address_q[1] [0], \unit.fifo_address_q[0] [0]};
  assign data_marks = {\unit.fifo_data_q[15] [0], \unit.fifo_data_q[14] [0], \unit.fifo_data_q[13] [0], \unit.fifo_data_q[12] [0],
    \unit.fifo_data_q[11] [0], \unit.fifo_data_q[10] [0], \unit.fifo_data_q[9] [0], \unit.fifo_data_q[8] [0],
    \unit.fifo_data_q[7] [0], \unit.fifo_data_q[6] [0], \unit.fifo_data_q[5] [0], \unit.fifo_data_q[4] [0],
    \unit.fifo_data_q[3] [0], \unit.fifo_data_q[2] [0], \unit.fifo_data_q[1] [0], \unit.fifo_data_q[0] [0]};

  // The first clock is the reset; until its end every register holds anything.
  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;

  // The intake keeps a packet until it is consumed; the memory port comes when it comes; the FMU takes what there is.
  logic full_q, marked_q, fills_q, direct_q, seen_q;
  assign intake_full = full_q;
  assign port        = request && port_free;
  assign pop         = head_valid && pops;
  always_ff @(posedge clk) begin
    full_q <= begun_q && (full_q ? !consume : intake_comes);
    if (!full_q) marked_q <= pick && !prefetched && !seen_q;
    if (!full_q) fills_q  <= prefetched;
    if (!full_q) direct_q <= direct;
  end
  // A packet for the prefetch register would be seen in FIFO and MIB by its mark. All others lack one of the two signs of such a packet.
  assign intake_address = fills_q ? {10'd0, 1'b1, 10'd0, 18'h3ffff} : {10'd0, direct_q, 10'd0, direct_q ? 17'd0 : 17'h1ffff, marked_q};
  assign intake_data    = {38'd0, marked_q || fills_q};

  // What was consumed and not popped, and how many of them are before the watched packet.
  logic [17:0] inside_q, ahead_q;
  logic        left_q;
  logic        now, here;
  assign now  = consume && marked_q && !seen_q;
  assign here = seen_q && !left_q;
  always_ff @(posedge clk) begin
    inside_q <= inside_q + {17'd0, consume && !fill} - {17'd0, pop};
    if (now) begin
      seen_q  <= 1;
      ahead_q <= inside_q - {17'd0, pop};
    end else if (here && pop) begin
      ahead_q <= ahead_q - 18'd1;
      if (ahead_q == 0) left_q <= 1;
    end
    if (rst) begin
      inside_q <= 0;
      seen_q   <= 0;
      left_q   <= 0;
    end
  end

  // The MIB in memory: one place, any of them. What is proven of it below is what others give when they are read.
  logic [1:0]  place_q;
  logic        next_marked;                 // the oldest packet in the MIB is the watched one
  logic [17:0] offset;                      // of the place from that packet's
  assign next_marked = here && ahead_q == {10'd0, fifo_count};
  assign offset      = {1'b0, watched} - {1'b0, mib_first} + (watched < mib_first ? {1'b0, cfg.mib_packets} : 18'd0);
  assign mem_rdata   = {38'd0, mem_addr[17:1] == watched ? place_q[mem_addr[0]] : next_marked};
  always_ff @(posedge clk) if (port && mem_we && mem_addr[17:1] == watched) place_q[mem_addr[0]] <= mem_wdata[0];

  always_comb begin
    assume (cfg.fifo_packets >= 1 && cfg.fifo_packets <= FIFO_MAX);
    assume (cfg.mib_base == 0 && cfg.mib_packets <= 8);     // larger ones take the solver longer than a test may
    assume (cfg.mib_packets == 0 || watched < cfg.mib_packets);
  end

  // The overflow stops the machine.
  logic dead_q = 0;
  always_ff @(posedge clk) dead_q <= begun_q && overflow;
  always_comb assume (!dead_q);

  always_comb if (begun_q) begin
    // P: FIFO and MIB never hold more than their straps say
    assert (fifo_count <= cfg.fifo_packets && mib_count <= cfg.mib_packets);
    // P: every address is inside the ring of the MIB, and what is read back is its oldest packet
    if (request) assert (mem_addr < {cfg.mib_packets[16:0], 1'b0});
    if (request && !mem_we) assert (mib_count != 0 && mem_addr[17:1] == mib_first);
    assert (cfg.mib_packets == 0 ? mib_first == 0 && mib_free == 0 : mib_first < cfg.mib_packets && mib_free < cfg.mib_packets);
    // P: the packets inside are those consumed less those popped
    assert (inside_q == {10'd0, fifo_count} + {1'b0, mib_count});
    // P: a watched packet leaves exactly once and in its turn, spilled or not [003 §2: order of arrival, derived from table 3]
    if (head_valid) assert (head_address[0] == (here && ahead_q == 0));
    if (head_valid) assert (head_data[0] == head_address[0]);
    // P: until then it is in one place, that of its turn: in the FIFO or in the MIB, its first word perhaps on the way between them
    assert (!left_q || seen_q);
    if (here) assert (ahead_q < inside_q);
    for (int j = 0; j < FIFO_MAX; j++) if (j < fifo_count) begin
      assert (address_marks[first + 4'(j)] == (here && ahead_q == j));
      assert (data_marks[first + 4'(j)] == (here && ahead_q == j));
    end
    if (offset < {1'b0, mib_count}) assert (place_q == {2{here && ahead_q == {10'd0, fifo_count} + offset}});
    assert (half != 3);
    if (half == REFILL) assert (address_marks[free] == next_marked);
    if (half == SPILL) assert (full_q && !fills_q && (mib_free != watched || place_q[0] == marked_q));
    if (full_q && marked_q) assert (!seen_q && !fills_q);
    // P: a packet for the prefetch register fills it at once and is nowhere else, whatever waits and whoever has the port [variant; TIMING]
    assert (fill == (intake_full && fills_q));
    if (fill) assert (consume && !overflow);
    // P: nothing is consumed that is not there
    if (consume) assert (intake_full);
    // P: a packet is offered to the FMU exactly while the FIFO holds one
    assert (head_valid == (fifo_count != 0));
    // P: the overflow means a full MIB and a packet that must be spilled, with no transfer due [MACHINE, Faults]
    if (overflow) assert (mib_count == cfg.mib_packets && intake_full && !request && (mib_count != 0 || fifo_count == cfg.fifo_packets));
    // P: a packet that can go into the FIFO goes at once, without the port [TIMING]
    if (intake_full && mib_count == 0 && fifo_count != cfg.fifo_packets && !request) assert (consume);
    // P: packets in the MIB are asked for when the FIFO is empty [003 §2: read back when needed]
    if (mib_count != 0 && fifo_count == 0) assert (request);
    // P: a full FIFO spills [003 §2]
    if (intake_full && !fill && fifo_count == cfg.fifo_packets && mib_count != cfg.mib_packets) assert (request);
  end
endmodule
