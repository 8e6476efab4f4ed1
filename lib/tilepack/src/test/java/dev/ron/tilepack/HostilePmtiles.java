package dev.ron.tilepack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.tilepack.tile.TileId;
import dev.ron.tilepack.tile.TileType;
import dev.ron.tilepack.tile.Varints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Packs that lie, each with the word its refusal begins with. */
final class HostilePmtiles {
  private static final Compression NONE = Compression.NONE;

  private HostilePmtiles() {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Lie(byte[] bytes, String refusal) {}

  static Map<String, Lie> all() {
    var lies = new LinkedHashMap<String, Lie>();
    truncations(lies);
    headers(lies);
    directories(lies);
    leaves(lies);
    bombs(lies);
    return lies;
  }

  /** Cut after every byte of the header, and where each section begins and half way through. */
  private static void truncations(Map<String, Lie> lies) {
    byte[] good = SamplePacks.world(TileType.MVT, 4).write(SamplePacks.layout(Compression.GZIP, 8));
    for (int length = 0; length <= PmtilesHeader.BYTES; length++) {
      lies.put("cut at " + length, new Lie(Arrays.copyOf(good, length), "pack-"));
    }
    ByteBuffer header = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 8; at < 72; at += 16) {
      int offset = (int) header.getLong(at);
      int half = offset + (int) header.getLong(at + 8) / 2;
      lies.put("cut at section " + at, new Lie(Arrays.copyOf(good, offset), "pack-"));
      lies.put("cut in section " + at, new Lie(Arrays.copyOf(good, half), "pack-"));
    }
  }

  private static void headers(Map<String, Lie> lies) {
    for (int at = 8; at < 72; at += 8) {
      for (long value : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 62, 126}) {
        // A short section that is still inside the file is told by its directory instead.
        String refusal = "pack-";
        lies.put("field %d = %d".formatted(at, value), new Lie(header(at, value), refusal));
      }
    }
    for (int at = 72; at < 96; at += 8) {
      lies.put(
          "count %d near 2^63".formatted(at), new Lie(header(at, Long.MAX_VALUE), "pack-header"));
      lies.put(
          "count %d of 2^63".formatted(at), new Lie(header(at, Long.MIN_VALUE), "pack-header"));
      lies.put("count %d too many".formatted(at), new Lie(header(at, 1000), "pack-header"));
    }
    for (int at = 97; at < 100; at++) {
      lies.put("kind %d unknown".formatted(at), new Lie(single(at, 77), "pack-header"));
    }
    lies.put("zooms crossed", new Lie(single(100, 9), "pack-header"));
    lies.put("zoom 32", new Lie(single(101, 32), "pack-header"));
    lies.put("zoom too low", new Lie(single(101, 1), "pack-directory"));
    lies.put("bounds beyond", new Lie(single(105, 0x7f), "pack-header"));
    lies.put("version 2", new Lie(single(7, 2), "pack-unknown"));
    lies.put("internal compression unknown", new Lie(single(97, 0), "pack-compression"));
  }

  private static byte[] good() {
    return SamplePacks.world(TileType.MVT, 2).write(SamplePacks.layout(NONE, 4));
  }

  private static byte[] header(int at, long value) {
    byte[] bytes = good();
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
    return bytes;
  }

  private static byte[] single(int at, int value) {
    byte[] bytes = good();
    bytes[at] = (byte) value;
    return bytes;
  }

  private static void directories(Map<String, Lie> lies) {
    String no = "pack-directory";
    lies.put("count near 2^63", root(no, Long.MAX_VALUE, 0, 1, 1, 1));
    lies.put("count of 2^63", root(no, Long.MIN_VALUE, 0, 1, 1, 1));
    lies.put("count of 2^31", root(no, 1L << 31, 0, 1, 1, 1));
    lies.put("no entries", root(no, 0));
    lies.put("one entry, no columns", root(no, 1));
    lies.put("id near 2^63", root(no, 1, Long.MAX_VALUE, 1, 1, 1));
    lies.put("id delta wraps", root(no, 2, 5, -5, 1, 1, 1, 1, 1, 2));
    lies.put("same id twice", root(no, 2, 0, 0, 1, 1, 1, 1, 1, 2));
    lies.put("run into the next", root(no, 2, 0, 1, 2, 1, 1, 1, 1, 2));
    lies.put("run near 2^63", root(no, 1, 0, Long.MAX_VALUE, 1, 1));
    lies.put("run of 2^31 past the end", root(no, 1, TileId.END - 5, Integer.MAX_VALUE, 1, 1));
    lies.put("length 0", root(no, 1, 0, 1, 0, 1));
    lies.put("length near 2^63", root(no, 1, 0, 1, Long.MAX_VALUE, 1));
    lies.put("length above a tile", root(no, 1, 0, 1, 11 << 20, 1));
    lies.put("offset near 2^63", root(no, 1, 0, 1, 1, Long.MAX_VALUE));
    lies.put("offset past the end", root(no, 1, 0, 1, 1, 4));
    lies.put("length past the end", root(no, 1, 0, 1, 4, 1));
    lies.put("first offset missing", root(no, 1, 0, 1, 1, 0));
    lies.put("bytes overlap", root(no, 2, 0, 1, 1, 1, 2, 2, 1, 2));
    lies.put("leaf without leaves", root(no, 1, 0, 0, 1, 1));
    lies.put("bytes behind", root(no, 1, 0, 1, 1, 1, 9));
    lies.put("endless number", new Lie(pack(bytes(0xff, 12), new byte[0]), no));
    lies.put(
        "number of 65 bits", new Lie(pack(join(bytes(0xff, 9), bytes(2, 1)), new byte[0]), no));
    lies.put("clustered with a gap", root(no, 1, 0, 1, 1, 2));
  }

  private static void leaves(Map<String, Lie> lies) {
    String no = "pack-directory";
    byte[] self = numbers(1, 0, 0, 5, 1);
    lies.put("leaf names itself", new Lie(pack(numbers(1, 0, 0, self.length, 1), self), no));
    byte[] there = numbers(1, 0, 0, 5, 6);
    byte[] back = numbers(1, 0, 0, 5, 1);
    lies.put(
        "two leaves name each other", new Lie(pack(numbers(1, 0, 0, 5, 1), join(there, back)), no));
    byte[] before = numbers(1, 1, 1, 1, 1);
    lies.put(
        "leaf speaks of tiles before it",
        new Lie(pack(numbers(1, 3, 0, before.length, 1), before), no));
    byte[] after = numbers(1, 9, 1, 1, 1);
    lies.put(
        "leaf speaks of its neighbour's tiles",
        new Lie(pack(numbers(2, 3, 2, 0, 1, after.length, 1, 1, 1), after), no));
    byte[] twice = numbers(1, 0, 1, 1, 1);
    lies.put(
        "one leaf for two places",
        new Lie(pack(numbers(2, 0, 5, 0, 0, twice.length, twice.length, 1, 1), twice), no));
    lies.put("leaf past the end", new Lie(pack(numbers(1, 0, 0, 6, 1), self), no));
  }

  private static void bombs(Map<String, Lie> lies) {
    byte[] zeros = new byte[64 << 20];
    byte[] bomb = PmtilesWriter.gzip(zeros);
    lies.put(
        "gzip bomb as root",
        new Lie(pack(bomb, new byte[0], Compression.GZIP), "pack-compression"));
    byte[] rootOfBomb = PmtilesWriter.gzip(numbers(1, 0, 0, bomb.length, 1));
    lies.put(
        "gzip bomb as leaf", new Lie(pack(rootOfBomb, bomb, Compression.GZIP), "pack-compression"));
    byte[] brackets = new byte[1 << 20];
    Arrays.fill(brackets, (byte) '[');
    lies.put("deep metadata", metadata(brackets));
    lies.put("metadata bomb", metadata(new byte[32 << 20]));
    byte[] many = ("[" + "[],".repeat(300_000) + "[]]").getBytes(UTF_8);
    lies.put("metadata of many arrays", metadata(many));
    // 512 Ki entries, the most a directory may become; every entry is fine but the last.
    var full = new Varints().put(PmtilesDirectory.DECODED_BYTES_MAX / 4 - 1);
    int count = PmtilesDirectory.DECODED_BYTES_MAX / 4 - 1;
    for (int i = 0; i < count; i++) {
      full.put(1);
    }
    for (int i = 0; i < 2 * count; i++) {
      full.put(1);
    }
    full.put(1);
    for (int i = 1; i < count; i++) {
      full.put(i == count - 1 ? 9 : 1);
    }
    lies.put(
        "a full directory whose last entry lies",
        new Lie(pack(PmtilesWriter.gzip(full.bytes()), new byte[0], Compression.GZIP), "pack-"));
  }

  private static Lie metadata(byte[] json) {
    byte[] root = PmtilesWriter.gzip(numbers(1, 0, 1, 1, 1));
    return new Lie(
        assemble(root, PmtilesWriter.gzip(json), new byte[0], Compression.GZIP), "pack-");
  }

  private static Lie root(String refusal, long... numbers) {
    return new Lie(pack(numbers(numbers), new byte[0]), refusal);
  }

  private static byte[] numbers(long... numbers) {
    var out = new Varints();
    for (long number : numbers) {
      out.put(number);
    }
    return out.bytes();
  }

  private static byte[] bytes(int value, int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  private static byte[] pack(byte[] root, byte[] leaves) {
    return pack(root, leaves, NONE);
  }

  private static byte[] pack(byte[] root, byte[] leaves, Compression internal) {
    return assemble(root, new byte[0], leaves, internal);
  }

  /** Three bytes of tiles behind whatever is given. */
  private static byte[] assemble(
      byte[] root, byte[] metadata, byte[] leaves, Compression internal) {
    ByteBuffer out =
        ByteBuffer.allocate(PmtilesHeader.BYTES + root.length + metadata.length + leaves.length + 3)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put(PmtilesHeader.MAGIC).put((byte) 3);
    long at = PmtilesHeader.BYTES;
    for (byte[] section : new byte[][] {root, metadata, leaves, new byte[3]}) {
      out.putLong(at).putLong(section.length);
      at += section.length;
    }
    out.putLong(0).putLong(0).putLong(0);
    out.put((byte) 1).put((byte) internal.number()).put((byte) 1).put((byte) 1);
    out.put((byte) 0).put((byte) 31);
    out.position(PmtilesHeader.BYTES);
    return out.put(root).put(metadata).put(leaves).array();
  }
}
