package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the usage journal holds.
 *
 * <pre>
 * counted = %x01 count:u32 *(tenant:text metric:text units:u64)
 * cut     = %x02 number:u64 from:instant to:instant
 * text    = length:u16 UTF-8
 * instant = seconds:i64 nanos:i32
 * </pre>
 *
 * <p>Threading: immutable.
 */
public sealed interface UsageRecord {
  /** Units that no other record holds. */
  record Counted(List<Delta> deltas) implements UsageRecord {
    /** Deltas of one record; a record stays far below what a journal takes at a time. */
    public static final int DELTAS_MAX = 2048;

    public Counted {
      deltas = List.copyOf(deltas);
      if (deltas.isEmpty() || deltas.size() > DELTAS_MAX) {
        throw new IllegalArgumentException("deltas = " + deltas.size());
      }
    }
  }

  /** What one account has grown by. */
  record Delta(UsageKey key, long units) {
    public Delta {
      if (units <= 0) {
        throw new IllegalArgumentException("units = " + units + " of " + key);
      }
    }
  }

  /**
   * All that was counted before this record and after the last cut belongs to one span.
   *
   * @param number counted from 1; 0 where the first span begins
   */
  record Cut(long number, Instant from, Instant to) implements UsageRecord {
    public Cut {
      if (number < 0 || to.isBefore(from)) {
        throw new IllegalArgumentException("cut %d from %s to %s".formatted(number, from, to));
      }
    }
  }

  default ByteBuffer encoded() {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      switch (this) {
        case Counted(List<Delta> deltas) -> {
          out.writeByte(1);
          out.writeInt(deltas.size());
          for (Delta each : deltas) {
            write(out, each.key().tenant());
            write(out, each.key().metric());
            out.writeLong(each.units());
          }
        }
        case Cut(long number, Instant from, Instant to) -> {
          out.writeByte(2);
          out.writeLong(number);
          write(out, from);
          write(out, to);
        }
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static void write(DataOutputStream out, Instant at) throws IOException {
    out.writeLong(at.getEpochSecond());
    out.writeInt(at.getNano());
  }

  /** Throws {@link IOException} for bytes that {@link #encoded} does not make. */
  static UsageRecord decoded(ByteBuffer payload) throws IOException {
    byte[] bytes = new byte[payload.remaining()];
    payload.duplicate().get(bytes);
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      UsageRecord record =
          switch (in.readByte()) {
            case 1 -> counted(in);
            case 2 -> new Cut(in.readLong(), instant(in), instant(in));
            default -> throw new IOException("a usage record of a kind that is not known");
          };
      if (in.read() >= 0) {
        throw new IOException("bytes behind a usage record");
      }
      return record;
    } catch (RuntimeException wrong) {
      throw new IOException("a usage record that holds " + wrong.getMessage(), wrong);
    }
  }

  private static Counted counted(DataInputStream in) throws IOException {
    int count = in.readInt();
    var deltas = new ArrayList<Delta>();
    for (int i = 0; i < count && i <= Counted.DELTAS_MAX; i++) {
      deltas.add(new Delta(new UsageKey(text(in), text(in)), in.readLong()));
    }
    return new Counted(deltas);
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readFully(bytes);
    return new String(bytes, UTF_8);
  }

  private static Instant instant(DataInputStream in) throws IOException {
    return Instant.ofEpochSecond(in.readLong(), in.readInt());
  }
}
