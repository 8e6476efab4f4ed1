package dev.ron.mailbox.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Message;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueRecord;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads what {@link FactWriter} wrote, and nothing else.
 *
 * <p>The bytes have passed the journal's checksum, so whatever does not fit was written by another
 * version or by a bug; both must stop the start rather than be guessed at.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class FactReader {
  private static final int ATTRS_MAX = 1024;

  private final ByteBuffer bytes;

  private FactReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  public static Fact decode(ByteBuffer record) throws IOException {
    var reader = new FactReader(record.slice());
    byte version = reader.one();
    if (version != FactWriter.VERSION) {
      throw new IOException("a fact of version " + version + ", known is " + FactWriter.VERSION);
    }
    byte code = reader.one();
    FactKind kind =
        FactKind.of(code).orElseThrow(() -> new IOException("no fact has the number " + code));
    Fact fact = reader.fact(kind);
    if (reader.bytes.hasRemaining()) {
      throw new IOException(kind + " with " + reader.bytes.remaining() + " bytes too many");
    }
    return fact;
  }

  /** The shard of the fact that a record holds, without reading the rest. */
  public static int shard(ByteBuffer record) throws IOException {
    var reader = new FactReader(record.slice());
    reader.one();
    reader.one();
    return reader.id().shard();
  }

  private Fact fact(FactKind kind) throws IOException {
    return switch (kind) {
      case SENT -> {
        Message message = message();
        yield new Fact.Sent(message, body(message), eight(), eight());
      }
      case CARRIED -> {
        Message message = message();
        yield new Fact.Carried(message, body(message));
      }
      case RETURNED -> new Fact.Returned(id(), four(), eight(), text());
      case ACKED -> new Fact.Acked(id(), eight());
      case DIED -> new Fact.Died(id(), four(), reason(), text(), eight());
      case REVIVED -> new Fact.Revived(id(), eight(), eight());
      case DROPPED -> new Fact.Dropped(id());
      case LEASED -> new Fact.Leased(id(), new Receipt(eight()), eight());
      case EXTENDED -> new Fact.Extended(id(), eight());
      case RETURNED_FIRST -> new Fact.Returned(id(), four(), eight(), text(), eight());
      case LEASED_AT -> new Fact.Leased(id(), new Receipt(eight()), eight(), eight(), one() != 0);
      case EXTENDED_DURABLE -> new Fact.Extended(id(), eight(), true);
      case QUEUE_KEPT -> {
        Ulid shard = id();
        QueueRecord queue = coded(QueueCodec::queue);
        if (!shard.equals(QueueFact.ofShard(queue.shard()))) {
          throw new IOException("a queue of shard " + queue.shard() + " in " + shard.shard());
        }
        yield new QueueFact.Kept(queue);
      }
      case QUEUE_GONE -> new QueueFact.Gone(id(), text(), eight());
      case QUEUE_PURGED -> new QueueFact.Purged(id(), text(), eight());
      case MOVE_KEPT -> new QueueFact.MoveKept(id(), coded(QueueCodec::move));
      case MOVED -> new QueueFact.Moved(id(), text(), text(), four(), eight(), eight());
      case EXPIRED -> new QueueFact.Expired(id());
    };
  }

  private interface ValueReader<T> {
    T read(DataInputStream in) throws IOException;
  }

  private <T> T coded(ValueReader<T> coded) throws IOException {
    var in = new DataInputStream(new ByteArrayInputStream(raw(four())));
    try {
      T value = coded.read(in);
      if (in.available() > 0) {
        throw new IOException("a queue with %d bytes too many".formatted(in.available()));
      }
      return value;
    } catch (EOFException cut) {
      throw new IOException("a queue that ends too early", cut);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("a queue that cannot be", wrong);
    }
  }

  private Message message() throws IOException {
    Ulid id = id();
    String topic = text();
    String group = text();
    long ts = eight();
    String idemKey = text();
    Hash hash = hash();
    String corrId = text();
    int count = four();
    if (count < 0 || count > ATTRS_MAX) {
      throw new IOException(count + " attrs");
    }
    Map<String, String> attrs = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String name = text();
      if (attrs.put(name, text()) != null) {
        throw new IOException("an attr that is there twice");
      }
    }
    int bodyBytes = four();
    return new Message(id, topic, group, ts, idemKey, hash, bodyBytes, attrs, corrId);
  }

  private byte[] body(Message message) throws IOException {
    return raw(message.payloadBytes());
  }

  private DeadLetterReason reason() throws IOException {
    String code = text();
    return DeadLetterReason.of(code)
        .orElseThrow(() -> new IOException("an unknown reason of death"));
  }

  private Ulid id() throws IOException {
    return new Ulid(eight(), eight());
  }

  private Hash hash() throws IOException {
    return Hash.of(raw(Hash.BYTES));
  }

  private String text() throws IOException {
    byte[] utf8 = raw(four());
    if (isAscii(utf8)) {
      return new String(utf8, US_ASCII);
    }
    try {
      return UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(utf8))
          .toString();
    } catch (CharacterCodingException notText) {
      throw new IOException("a text that is not UTF-8", notText);
    }
  }

  /** Almost every text is; a decoder that checks costs more than the rest of the record. */
  private static boolean isAscii(byte[] text) {
    int bits = 0;
    for (byte each : text) {
      bits |= each;
    }
    return bits >= 0;
  }

  private byte one() throws IOException {
    need(1);
    return bytes.get();
  }

  private int four() throws IOException {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  private long eight() throws IOException {
    need(Long.BYTES);
    return bytes.getLong();
  }

  private byte[] raw(int length) throws IOException {
    need(length);
    var raw = new byte[length];
    bytes.get(raw);
    return raw;
  }

  private void need(int count) throws IOException {
    if (count < 0 || count > bytes.remaining()) {
      throw new IOException(count + " bytes where " + bytes.remaining() + " are left");
    }
  }
}
