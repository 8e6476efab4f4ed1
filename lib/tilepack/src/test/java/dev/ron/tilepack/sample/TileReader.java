package dev.ron.tilepack.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Just enough of a vector tile reader to see what a writer wrote. */
final class TileReader {
  private static final int LAYERS = 3;
  private static final int NAME = 1;

  private TileReader() {}

  static List<String> layers(byte[] tile) {
    var names = new ArrayList<String>();
    ByteBuffer in = ByteBuffer.wrap(tile);
    while (in.hasRemaining()) {
      if (varint(in) != (((long) LAYERS << 3) | 2)) {
        throw new AssertionError("something besides layers in a tile");
      }
      ByteBuffer layer = bytes(in);
      while (layer.hasRemaining()) {
        long tag = varint(layer);
        if ((tag & 7) == 0) {
          varint(layer);
          continue;
        }
        ByteBuffer field = bytes(layer);
        if (tag >> 3 == NAME) {
          names.add(UTF_8.decode(field).toString());
        }
      }
    }
    return names;
  }

  private static ByteBuffer bytes(ByteBuffer in) {
    int length = (int) varint(in);
    ByteBuffer part = in.slice(in.position(), length);
    in.position(in.position() + length);
    return part;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
