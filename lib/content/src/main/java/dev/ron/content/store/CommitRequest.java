package dev.ron.content.store;

import dev.ron.content.AddressKey;
import dev.ron.content.ContentFault;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.RecordHeader;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.time.Reply;
import java.util.List;

/** Something that the group commit is asked to make durable. */
sealed interface CommitRequest {
  /** The group commit has taken it up. */
  default void begin() {}

  /** Nothing was or will be done for this ask. */
  void refuse(ContentFault fault);

  /** An object of one group, in memory. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Small(AddressKey key, byte[] bytes, int length, boolean anew, Reply<PutResult> reply)
      implements CommitRequest {
    @Override
    public void begin() {
      reply.begin();
    }

    @Override
    public void refuse(ContentFault fault) {
      reply.answer(new PutResult.Refused(fault));
    }
  }

  /** An object whose bytes and chaining values are behind the lane's end; its header is not. */
  record Large(
      AddressKey key,
      long length,
      boolean anew,
      AppendLane lane,
      Channel<AppendLane> idle,
      Reply<PutResult> reply)
      implements CommitRequest {
    @Override
    public void begin() {
      reply.begin();
    }

    @Override
    public void refuse(ContentFault fault) {
      finish(new PutResult.Refused(fault));
    }

    /** Gives the lane back, once, whether or not a caller still waits for the answer. */
    void finish(PutResult result) {
      if (reply.answer(result)) {
        idle.trySend(lane);
      }
    }
  }

  record Delete(AddressKey key, Reply<DeleteResult> reply) implements CommitRequest {
    @Override
    public void begin() {
      reply.begin();
    }

    @Override
    public void refuse(ContentFault fault) {
      reply.answer(new DeleteResult.Refused(fault));
    }
  }

  /** Records that compaction copied behind the end of its lane, one after the other. */
  record Moves(AppendLane lane, int from, List<Move> moves, Channel<Moved> reply)
      implements CommitRequest {
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
