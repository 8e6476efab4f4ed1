package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectContent;
import java.util.List;
import java.util.Optional;

/**
 * What commands about blocks lead to that several machines delete, each its own bytes.
 *
 * <p>A block is condemned if no row refers to it; then each machine deletes its bytes and says so;
 * when the last has, it is buried. For a machine that is none of them any more the one that leads
 * says so, because nothing reads that machine's bytes again. A name is given to a block only if its
 * request stored or found the bytes when no burial of it was under way, nor has been since: a
 * request that began before a burial ended may have found bytes that are gone.
 *
 * <p>Threading: as its rows.
 */
record BurialDecider(NameView view) {
  private static final byte[] EMPTY = new byte[0];

  /**
   * A block that is being deleted.
   *
   * @param sequence of the command that condemned it
   * @param machines those that may still have the bytes
   */
  record Burial(long sequence, List<String> machines) {
    static Burial of(byte[] row) {
      var in = new RowReader(row);
      return new Burial(in.eight(), in.list(RowReader::text));
    }

    private byte[] bytes() {
      return new RowWriter().eight(sequence).list(machines, RowWriter::text).bytes();
    }
  }

  /** Why a command cannot name its blocks; empty if it can or names none. */
  Optional<NameDecision> refusal(NameCommand command, long since) {
    return switch (command) {
      case NameCommand.PutObject put ->
          refusal(put.version().content(), since, put.version().modifiedMillis());
      case NameCommand.PutPart put ->
          refusal(put.part().content(), since, put.part().modifiedMillis());
      default -> Optional.empty();
    };
  }

  private Optional<NameDecision> refusal(ObjectContent content, long since, long nowMillis) {
    for (Address block : References.blocks(content)) {
      if (mayBeGone(block, since)) {
        NameDecision refused =
            NameDecision.refused(
                new S3Fault.SlowDown(
                    "bytes that were stored before are deleted just now", S3Fault.REST));
        References.leave(refused, content, nowMillis);
        return Optional.of(refused);
      }
    }
    return Optional.empty();
  }

  private boolean mayBeGone(Address block, long since) {
    NameRows rows = view.rows();
    return rows.row(RowKeys.condemned(block)).isPresent()
        || since < sequence(RowKeys.buried(block))
        || since < sequence(RowKeys.buriedForgotten());
  }

  private long sequence(byte[] key) {
    return view.rows().row(key).map(row -> new RowReader(row).eight()).orElse(0L);
  }

  NameDecision condemn(NameCommand.Condemn command, long sequence) {
    var decision = new NameDecision();
    for (NameCommand.Garbage garbage : command.garbage()) {
      Address block = garbage.block();
      decision.delete(RowKeys.garbage(garbage.millis(), block));
      byte[] key = RowKeys.condemned(block);
      Optional<Burial> begun = view.rows().row(key).map(Burial::of);
      if (begun.isEmpty() && !view.isReferenced(block)) {
        decision.put(key, new Burial(sequence, command.machines()).bytes());
      }
    }
    return decision;
  }

  /** What was said of an earlier time that the block was condemned does not count. */
  NameDecision bury(NameCommand.Bury command, long sequence) {
    var decision = new NameDecision();
    for (NameCommand.Condemned each : command.blocks()) {
      byte[] key = RowKeys.condemned(each.block());
      Optional<Burial> burial =
          view.rows().row(key).map(Burial::of).filter(it -> it.sequence() == each.sequence());
      if (burial.isPresent()) {
        List<String> left =
            burial.get().machines().stream()
                .filter(machine -> !machine.equals(command.machine()))
                .toList();
        if (left.isEmpty()) {
          decision.delete(key);
          decision.put(RowKeys.buried(each.block()), new RowWriter().eight(sequence).bytes());
          decision.put(
              RowKeys.buriedAt(sequence, each.block()),
              new RowWriter().eight(command.nowMillis()).bytes());
        } else {
          decision.put(key, new Burial(each.sequence(), left).bytes());
        }
      }
    }
    return decision;
  }

  NameDecision forget(NameCommand.ForgetBuried command) {
    var decision = new NameDecision();
    view.rows()
        .scan(
            RowKeys.buriedFrom(0),
            RowKeys.buriedFrom(command.sequence() + 1),
            row -> {
              Address block = RowKeys.blockOfBuried(row.key());
              decision.delete(row.key());
              if (sequence(RowKeys.buried(block)) == RowKeys.sequenceOfBuried(row.key())) {
                decision.delete(RowKeys.buried(block));
              }
              return true;
            });
    long forgotten = Math.max(command.sequence(), sequence(RowKeys.buriedForgotten()));
    decision.put(RowKeys.buriedForgotten(), new RowWriter().eight(forgotten).bytes());
    return decision;
  }

  NameDecision note(NameCommand.NoteOrphans command) {
    var decision = new NameDecision();
    for (Address block : command.blocks()) {
      if (!view.isReferenced(block)) {
        decision.put(RowKeys.garbage(command.nowMillis(), block), EMPTY);
      }
    }
    return decision;
  }
}
