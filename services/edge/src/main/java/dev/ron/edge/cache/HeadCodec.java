package dev.ron.edge.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.HeadFact;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Facts about stored answers as bytes.
 *
 * <p>What is read back is checked as if a stranger had written it: the journal's checksums find
 * damage, not an older version's mistakes.
 *
 * <p>Threading: immutable.
 */
public final class HeadCodec {
  /** A head is bounded by what the client takes from an upstream, far below this. */
  public static final int FACT_BYTES_MAX = 1 << 20;

  private static final byte KEPT = 1;
  private static final byte DROPPED = 2;
  private static final byte CLEARED = 3;

  /** Kept, with the tenant before the answer; facts of older versions name none. */
  private static final byte KEPT_FOR = 4;

  private static final int COUNT_MAX = 1 << 16;

  private HeadCodec() {}

  public static ByteBuffer encode(HeadFact fact) {
    var bytes = new ByteArrayOutputStream(512);
    try (var out = new DataOutputStream(bytes)) {
      switch (fact) {
        case HeadFact.Kept(StoredResponse stored, String tenant) -> {
          out.writeByte(KEPT_FOR);
          text(out, tenant);
          write(out, stored);
        }
        case HeadFact.Cleared(List<CacheKey> keys) -> {
          out.writeByte(CLEARED);
          out.writeInt(keys.size());
          for (CacheKey key : keys) {
            text(out, key.origin());
            text(out, key.target());
          }
        }
        case HeadFact.Dropped(List<Long> ids) -> {
          out.writeByte(DROPPED);
          out.writeInt(ids.size());
          for (long id : ids) {
            out.writeLong(id);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, StoredResponse stored) throws IOException {
    out.writeLong(stored.id());
    text(out, stored.key().origin());
    text(out, stored.key().target());
    out.writeShort(stored.status());
    out.writeLong(stored.requestTime().toEpochMilli());
    out.writeLong(stored.responseTime().toEpochMilli());
    out.writeInt(stored.headers().size());
    for (int i = 0; i < stored.headers().size(); i++) {
      text(out, stored.headers().nameAt(i));
      text(out, stored.headers().valueAt(i));
    }
    out.writeInt(stored.selecting().values().size());
    for (var field : new TreeMap<>(stored.selecting().values()).entrySet()) {
      text(out, field.getKey());
      text(out, field.getValue());
    }
    out.writeLong(stored.pieces().total());
    out.writeInt(stored.pieces().pieces().size());
    for (StoredRange piece : stored.pieces().pieces()) {
      out.writeLong(piece.offset());
      out.writeLong(piece.length());
      out.writeLong(piece.from());
      text(out, piece.address().toString());
    }
  }

  /**
   * @throws IOException if the bytes are no fact
   */
  public static HeadFact decode(ByteBuffer payload) throws IOException {
    var bytes = new byte[payload.remaining()];
    payload.get(bytes);
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      HeadFact fact =
          switch (in.readByte()) {
            case KEPT -> new HeadFact.Kept(stored(in), "");
            case KEPT_FOR -> keptFor(in);
            case DROPPED -> dropped(in);
            case CLEARED -> cleared(in);
            default -> throw new IOException("a fact of no known kind");
          };
      if (in.read() >= 0) {
        throw new IOException("bytes behind a fact");
      }
      return fact;
    } catch (EOFException cut) {
      throw new IOException("a fact that ends early", cut);
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw new IOException("a fact that cannot be: " + wrong.getMessage(), wrong);
    }
  }

  private static HeadFact keptFor(DataInputStream in) throws IOException {
    String tenant = text(in);
    return new HeadFact.Kept(stored(in), tenant);
  }

  private static HeadFact dropped(DataInputStream in) throws IOException {
    int count = count(in);
    var ids = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      ids.add(in.readLong());
    }
    return new HeadFact.Dropped(ids);
  }

  private static HeadFact cleared(DataInputStream in) throws IOException {
    int count = count(in);
    var keys = new ArrayList<CacheKey>();
    for (int i = 0; i < count; i++) {
      keys.add(new CacheKey(text(in), text(in)));
    }
    return new HeadFact.Cleared(keys);
  }

  private static StoredResponse stored(DataInputStream in) throws IOException {
    long id = in.readLong();
    var key = new CacheKey(text(in), text(in));
    int status = in.readUnsignedShort();
    Instant asked = Instant.ofEpochMilli(in.readLong());
    Instant came = Instant.ofEpochMilli(in.readLong());
    int fields = count(in);
    var headers = new Headers(Math.max(1, Math.min(fields, 64)));
    for (int i = 0; i < fields; i++) {
      headers.add(text(in), text(in));
    }
    headers.remove("Set-Cookie"); // older versions kept it
    int selecting = count(in);
    var values = new TreeMap<String, String>();
    for (int i = 0; i < selecting; i++) {
      values.put(text(in), text(in));
    }
    return StoredResponse.of(
        id, key, status, headers, asked, came, new VaryFields(values, false), pieces(in));
  }

  private static StoredRanges pieces(DataInputStream in) throws IOException {
    long total = in.readLong();
    int count = count(in);
    var pieces = new ArrayList<StoredRange>();
    for (int i = 0; i < count; i++) {
      long offset = in.readLong();
      long length = in.readLong();
      long from = in.readLong();
      pieces.add(new StoredRange(offset, length, address(text(in)), from));
    }
    return new StoredRanges(pieces, total);
  }

  private static Address address(String text) throws IOException {
    return switch (Address.parse(text)) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address> _ -> throw new IOException("a piece without an address");
    };
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > COUNT_MAX) {
      throw new IOException("a count of " + count);
    }
    return count;
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(ISO_8859_1);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > FACT_BYTES_MAX) {
      throw new IOException("a text of " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new IOException("a text that ends early");
    }
    return new String(bytes, ISO_8859_1);
  }
}
