package dev.ron.content;

import dev.ron.kernel.channel.Channel;
import java.util.List;

/** Something that the group commit is asked to make durable. */
sealed interface Commit {
  /** Nothing was or will be done for this ask. */
  void refuse(ContentFault fault);

  /** An object of one group, in memory. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Small(AddressKey key, byte[] bytes, int length, Reply<PutResult> reply) implements Commit {
    @Override
    public void refuse(ContentFault fault) {
      reply.answer(new PutResult.Refused(fault));
    }
  }

  /** An object whose bytes and chaining values are behind the lane's end; its header is not. */
  record Large(AddressKey key, long length, Lane lane, Channel<Lane> idle, Reply<PutResult> reply)
      implements Commit {
    @Override
    public void refuse(ContentFault fault) {
      finish(new PutResult.Refused(fault));
    }

    /** Gives the lane back, once, whether or not somebody still waits for the answer. */
    void finish(PutResult result) {
      if (reply.answer(result)) {
        idle.trySend(lane);
      }
    }
  }

  record Delete(AddressKey key, Reply<DeleteResult> reply) implements Commit {
    @Override
    public void refuse(ContentFault fault) {
      reply.answer(new DeleteResult.Refused(fault));
    }
  }

  /** Records that compaction copied behind the end of its lane, one after the other. */
  record Moves(Lane lane, int from, List<Move> moves, Channel<Moved> reply) implements Commit {
    public Moves {
      moves = List.copyOf(moves);
    }

    @Override
    public void refuse(ContentFault fault) {
      reply.trySend(new Moved(false));
    }
  }

  /** One of them: where it was, what it says, and where it is to be. */
  record Move(long fromOffset, RecordHeader header, long toOffset) {}

  /** How the moves went. */
  record Moved(boolean done) {}
}
