package dev.ron.mailbox.core.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.Ulid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What was sent under which key in the last {@code t_replay}.
 *
 * <p>Bounded, and never forgets early: when it is full of keys that are still to be remembered,
 * {@link #roomAtMillis} says when the next one may be forgotten, and until then a send is refused.
 *
 * <p>A key is 128 bits of the BLAKE3 of topic and {@code idem_key}: for two that differ to meet
 * takes 2^64 tries. Of the payload's hash 64 bits are kept, which tell other bytes under one key
 * but for one case in 2^64. An entry ends {@code t_replay} after the time in its message's id,
 * which is never before the send.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class IdempotencyKeys {
  private static final int WORDS = 5;
  private static final int ID_HIGH = 2;
  private static final int ID_LOW = 3;
  private static final int PAYLOAD = 4;

  private final int entriesMax;
  private final long keptMillis;
  private final AgedTable table;

  /** The first message under a key. */
  public record Entry(Ulid id, long payloadBits) {
    public boolean isOf(Hash payloadHash) {
      return payloadBits == bits(payloadHash, 0);
    }
  }

  IdempotencyKeys(int entriesMax, long keptMillis) {
    this(entriesMax, keptMillis, FrozenTable.empty(WORDS));
  }

  IdempotencyKeys(int entriesMax, long keptMillis, FrozenTable entries) {
    if (entries.words() != WORDS) {
      throw new IllegalArgumentException("entries of " + entries.words() + " words");
    }
    this.entriesMax = entriesMax;
    this.keptMillis = keptMillis;
    this.table = new AgedTable(entries);
  }

  private static Hash key(String topic, String idemKey) {
    byte[] first = topic.getBytes(UTF_8);
    byte[] second = idemKey.getBytes(UTF_8);
    // The length in front, or "a" + "bc" would be "ab" + "c".
    return Blake3.hash(
        ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
            .putInt(first.length)
            .put(first)
            .put(second)
            .array());
  }

  private static long bits(Hash hash, int at) {
    return ByteBuffer.wrap(hash.bytes()).getLong(at);
  }

  /** An empty key is none, and never known. */
  @Nullable public Entry find(String topic, String idemKey, long nowMillis) {
    if (idemKey.isEmpty()) {
      return null;
    }
    Hash key = key(topic, idemKey);
    long found = table.find(bits(key, 0), bits(key, Long.BYTES));
    if (found < 0 || untilMillis(found) <= nowMillis) {
      return null;
    }
    var id = new Ulid(table.word(found, ID_HIGH), table.word(found, ID_LOW));
    return new Entry(id, table.word(found, PAYLOAD));
  }

  private long untilMillis(long ordinal) {
    return new Ulid(table.word(ordinal, ID_HIGH), 0).millis() + keptMillis;
  }

  /** When there is room for one more: {@code nowMillis} itself if there is now. */
  public long roomAtMillis(long nowMillis) {
    return table.size() < entriesMax ? nowMillis : oldestEndsMillis(nowMillis);
  }

  /** When the oldest key may be forgotten, not before {@code nowMillis}. */
  public long oldestEndsMillis(long nowMillis) {
    return table.size() == 0 ? nowMillis : Math.max(nowMillis, untilMillis(table.oldest()));
  }

  /** Remembers a key, and forgets those whose time had come when this one was sent. */
  void remember(Message message, long nowMillis) {
    while (table.size() > 0 && untilMillis(table.oldest()) <= nowMillis) {
      table.removeOldest();
    }
    if (message.idemKey().isEmpty()) {
      return;
    }
    Hash key = key(message.topic(), message.idemKey());
    table.add(
        bits(key, 0),
        bits(key, Long.BYTES),
        message.id().high(),
        message.id().low(),
        bits(message.payloadHash(), 0));
  }

  public long bytes() {
    return table.bytes();
  }

  FrozenTable freeze() {
    return table.freeze();
  }
}
