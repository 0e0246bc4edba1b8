// The load value equals figure 3 of paper 003, written again in the figure's own words: it counts words, not
// packets, and the rows are ranges.
module load_bench;
  (* anyseq *) logic [12:0] segs_free;
  (* anyseq *) logic [15:0] strs_free;
  (* anyseq *) logic [7:0]  fifo_count;
  (* anyseq *) logic [16:0] mib_count;
  (* anyseq *) logic        executing;
  logic [3:0] value;

  load unit (.*);

  logic [9:0]  fifo_words;
  logic [17:0] mib_words;
  assign fifo_words = fifo_count * 2 + (executing ? 2 : 0);
  assign mib_words  = {mib_count, 1'b0};

  always_comb begin
    // P: the load is that of figure 3, for every count of segments, structure words and packets; a packet in execution that counts adds two words to the FIFO's [003 figure 3; MACHINE]
    if (segs_free < 8 || strs_free < 22 || mib_words >= 4096) assert (value == 15);
    else if (mib_words >= 256)  assert (value == 12);
    else if (mib_words >= 1)    assert (value == 4 + mib_words / 32);
    else if (fifo_words >= 16)  assert (value == 3);
    else if (fifo_words >= 8)   assert (value == 2);
    else if (fifo_words >= 1)   assert (value == 1);
    else                        assert (value == 0);
  end
endmodule
