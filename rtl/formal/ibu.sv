// The input buffer (TIMING.md "The input buffer"; paper 003, sections 2 and 4.2) with one watched packet: any packet may be it.
// The unit only moves words, so the one mark bit that each word has here stands for all of them.
module ibu_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyseq *) logic             intake_comes, pick, prefetched, port_free, pops;

  logic            intake_full, consume, fill, head_valid, pop, request, port, mem_we, overflow;
  emcr_pkg::word_t intake_address, intake_data, head_address, head_data, mem_wdata, mem_rdata;
  emcr_pkg::addr_t mem_addr;
  logic [7:0]      fifo_count;
  logic [16:0]     mib_count;
  logic [3*64-1:0] probe;
  logic            rst;

  ibu #(.FIFO_MAX(2)) unit (.*);

  // The first clock is the reset; until its end every register holds anything.
  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;

  // The intake keeps a packet until it is consumed; the memory port comes when it comes; the FMU takes what there is.
  logic full_q = 0, marked_q = 0, fills_q = 0, seen_q = 0;
  assign intake_full = full_q;
  assign port        = request && port_free;
  assign pop         = head_valid && pops;
  always_ff @(posedge clk) begin
    full_q <= begun_q && (full_q ? !consume : intake_comes);
    if (!full_q) marked_q <= pick && !prefetched && !seen_q;
    if (!full_q) fills_q  <= prefetched;
  end
  // Its mark would be seen in FIFO and MIB.
  assign intake_address = fills_q ? {10'd0, 1'b1, 10'd0, emcr_pkg::PREFETCH_ADDR} : {38'd0, marked_q};
  assign intake_data    = {38'd0, marked_q || fills_q};

  // The MIB in memory: two packets of two words.
  logic [3:0] ram_q;
  assign mem_rdata = {38'd0, ram_q[mem_addr[1:0]]};
  always_ff @(posedge clk) if (port && mem_we) ram_q[mem_addr[1:0]] <= mem_wdata[0];

  always_comb begin
    assume (cfg.fifo_packets >= 1 && cfg.fifo_packets <= 2);
    assume (cfg.mib_packets <= 2);
    assume (cfg.mib_base == 0);
  end

  // What was consumed and not popped, and how many of them are before the watched packet.
  logic [2:0] inside_q = 0, ahead_q = 0;
  logic       left_q = 0;
  logic       now;
  assign now = consume && marked_q && !seen_q;
  always_ff @(posedge clk) if (begun_q) begin
    inside_q <= inside_q + {2'd0, consume && !fill} - {2'd0, pop};
    if (now) begin
      seen_q  <= 1;
      ahead_q <= inside_q - {2'd0, pop};
    end else if (seen_q && !left_q && pop) begin
      ahead_q <= ahead_q - 3'd1;
      if (ahead_q == 0) left_q <= 1;
    end
  end

  // The overflow stops the machine.
  logic dead_q = 0;
  always_ff @(posedge clk) if (begun_q && overflow) dead_q <= 1;

  always_comb if (begun_q && !dead_q) begin
    // P: FIFO and MIB never hold more than their straps say
    assert (fifo_count <= cfg.fifo_packets && mib_count <= cfg.mib_packets);
    // P: every address is inside the ring of the MIB
    if (request) assert (mem_addr < {cfg.mib_packets[16:0], 1'b0});
    // P: the packets inside are those consumed less those popped
    assert ({5'd0, inside_q} == fifo_count + mib_count[7:0]);
    // P: a watched packet leaves exactly once and in its turn, spilled or not [003 §2: order of arrival, derived from table 3]
    if (head_valid) assert (head_address[0] == (seen_q && !left_q && ahead_q == 0));
    if (head_valid) assert (head_data[0] == head_address[0]);
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
