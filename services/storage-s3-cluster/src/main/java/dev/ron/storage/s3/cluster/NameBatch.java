package dev.ron.storage.s3.cluster;

import dev.ron.storage.s3.names.NameCommandCodec;
import dev.ron.storage.s3.names.NameRequest;
import dev.ron.storage.s3.names.RowReader;
import dev.ron.storage.s3.names.RowWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Changes that one machine asks for, as one entry of the log.
 *
 * <p>It may come to the log more than once, because its machine sends it again when it does not
 * know what became of it. It counts the first time, and not at all behind a later one: {@link
 * #counts}.
 *
 * <p>Threading: immutable.
 *
 * @param run how often the machine was started, as far as the log knows
 * @param nonce of the machine's process, because two starts may believe to be the same run
 * @param number counts the batches of the process
 */
record NameBatch(String machine, long run, long nonce, long number, List<Item> items) {
  private static final int FORM = 1;

  NameBatch {
    items = List.copyOf(items);
  }

  /**
   * One change.
   *
   * @param since as {@link NameRequest#since}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Item(long since, byte[] command) {
    static Item of(NameRequest request) {
      return new Item(request.since(), NameCommandCodec.bytes(request.command()));
    }
  }

  /** The last batch of a machine that counted, in a row of its own. */
  record Sender(long run, long nonce, long number) {
    static Sender of(byte[] row) {
      var in = new RowReader(row);
      return new Sender(in.eight(), in.eight(), in.eight());
    }

    byte[] bytes() {
      return new RowWriter().eight(run).eight(nonce).eight(number).bytes();
    }
  }

  Sender sender() {
    return new Sender(run, nonce, number);
  }

  /**
   * @param last of the same machine
   */
  boolean counts(Optional<Sender> last) {
    return last.isEmpty()
        || (last.get().nonce() == nonce ? number > last.get().number() : run > last.get().run());
  }

  ByteBuffer encode() {
    RowWriter out = new RowWriter().one(FORM).text(machine).eight(run).eight(nonce).eight(number);
    out.list(items, (to, each) -> to.eight(each.since()).sized(each.command()));
    return ByteBuffer.wrap(out.bytes());
  }

  static NameBatch decode(ByteBuffer entry) {
    byte[] bytes = new byte[entry.remaining()];
    entry.duplicate().get(bytes);
    var in = new RowReader(bytes);
    int form = in.one();
    if (form != FORM) {
      throw new IllegalStateException("an entry of form " + form);
    }
    return new NameBatch(
        in.text(),
        in.eight(),
        in.eight(),
        in.eight(),
        in.list(from -> new Item(from.eight(), from.sized())));
  }
}
