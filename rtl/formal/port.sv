// The registers between switch and PE (MACHINE.md "The pins between SU and PE"), with a watched packet in each direction: any packet
// may be it. The unit only moves words: a mark in the address word, and one in the data word, stand for all of a packet.
module port_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t  cfg;
  (* anyseq *) logic              puts, host_comes, pick, grants, comes, pick_in, consumes;
  (* anyseq *) emcr_pkg::word_t   any_put, any_own;

  logic            rst, put, room, host_in_valid, host_in_taken, offered, offer_granted;
  logic            to_intake, intake_free, intake_full, consume;
  emcr_pkg::word_t put_word, offered_word, port_data, own_word, intake_address, intake_data;
  logic [77:0]     host_in_word;
  logic [4*64-1:0] probe;

  port unit (.*);

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  always_comb assume (cfg.inject != 0);

  // The EXU puts an address word where there is room, and its data word in the next clock; the host offers both words until they are taken.
  logic second_q, mark_q, host_q, seen_q, put_mark, host_mark;
  assign host_in_valid = begun_q && (host_q || host_comes);
  assign host_mark     = host_q ? mark_q : host_in_valid && pick && !seen_q;
  assign put           = begun_q && puts && room;
  assign put_mark      = put && pick && !seen_q;
  assign put_word      = put ? {any_put[38:1], put_mark} : second_q ? {any_put[38:1], mark_q} : any_put;
  assign host_in_word  = {any_put[38:1], host_mark, any_own[38:1], host_mark};
  assign offer_granted = offered && grants;
  always_ff @(posedge clk) begin
    second_q <= put;
    host_q   <= host_in_valid && !host_in_taken;
    mark_q   <= put ? put_mark : host_mark;
    seen_q   <= begun_q && (seen_q || put_mark || host_mark);
  end

  // Whether the port register is full, for how many clocks, and where the watched packet is.
  logic       held_q, inside_q, left_q, granted_q, granted_mark_q;
  logic [3:0] age_q;
  always_ff @(posedge clk) begin
    held_q <= begun_q && (held_q || put || host_in_taken) && !offer_granted;
    if (put)                 age_q <= 4'd1;
    else if (host_in_taken)  age_q <= 4'd15;
    else if (age_q != 4'd15) age_q <= age_q + 4'd1;
    inside_q       <= begun_q && (inside_q || put_mark || host_in_taken && host_mark);
    left_q         <= begun_q && (left_q || offer_granted && offered_word[0]);
    granted_q      <= begun_q && offer_granted;
    granted_mark_q <= offered_word[0];
  end

  // From the switch come an address word, if the intake is free, and its data word in the next clock.
  logic in_held_q, in_second_q, in_mark, in_mark_q, in_seen_q, in_left_q;
  assign to_intake = begun_q && comes && intake_free;
  assign in_mark   = to_intake && pick_in && !in_seen_q;
  assign own_word  = to_intake ? {any_own[38:1], in_mark} : in_second_q ? {any_own[38:1], in_mark_q} : any_own;
  assign consume   = intake_full && consumes;
  always_ff @(posedge clk) begin
    in_held_q   <= begun_q && (in_held_q && !consume || to_intake);
    in_second_q <= to_intake;
    in_mark_q   <= in_mark;
    in_seen_q   <= begun_q && (in_seen_q || in_mark);
    in_left_q   <= begun_q && (in_left_q || consume && intake_address[0]);
  end

  always_comb if (begun_q) begin
    // P: a packet of the EXU is offered from inject_clocks after it was put until it is granted, one of the host at once [TIMING, The switch]
    assert (offered == (held_q ? age_q >= cfg.inject : host_in_valid));
    // P: there is room exactly while the register is empty and the host has nothing: the host comes first [TIMING, The switch]
    assert (room == (!held_q && !host_in_valid));
    assert (host_in_taken == (!held_q && host_in_valid));
    // P: a watched packet of the EXU or the host is offered until it is granted, and never again
    if (offered) assert (offered_word[0] == (inside_q && !left_q || host_in_taken && host_mark));
    // P: its data word is there in the clock after the grant, and no other's
    if (granted_q) assert (port_data[0] == granted_mark_q);
    // P: the intake is full only with both words: a packet goes on once it is stored [003 §2: store and forward; TIMING, The input buffer]
    assert (intake_full == (in_held_q && !in_second_q));
    // P: nothing more comes until the IBU has consumed it
    assert (intake_free == !in_held_q);
    // P: a watched packet that comes is given to the IBU until it is consumed, and never again
    if (intake_full) assert (intake_address[0] == (in_seen_q && !in_left_q) && intake_data[0] == intake_address[0]);
  end
endmodule
