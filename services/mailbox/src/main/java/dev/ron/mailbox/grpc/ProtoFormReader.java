package dev.ron.mailbox.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.api.MailboxContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Protocol Buffers message as a tree, with the names that JSON has for its fields, so that
 * one form checks both.
 *
 * <p>A field of an unknown number is passed over, as the encoding wants it; one of the wrong wire
 * type is refused. A field that is there twice counts as it came last.
 *
 * <p>Threading: owned by the request's thread.
 */
public final class ProtoFormReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;
  private static final int DEPTH_MAX = 3;

  private final ByteBuffer in;
  private final int depth;

  /** What a field is. */
  public enum Type {
    TEXT,
    RAW,
    NUMBER,
    FLAG,
    TEXTS,
    MESSAGES
  }

  /**
   * A field of a message.
   *
   * @param inner the fields of each, for {@link Type#MESSAGES}
   */
  public record Field(String name, Type type, Map<Integer, Field> inner) {
    public static Field of(String name, Type type) {
      return new Field(name, type, Map.of());
    }
  }

  private ProtoFormReader(ByteBuffer in, int depth) {
    this.in = in;
    this.depth = depth;
  }

  public static Map<String, @Nullable Object> read(byte[] message, Map<Integer, Field> fields)
      throws Refusal {
    return new ProtoFormReader(ByteBuffer.wrap(message), 0).form("", fields);
  }

  private Map<String, @Nullable Object> form(String place, Map<Integer, Field> fields)
      throws Refusal {
    if (depth > DEPTH_MAX) {
      throw MailboxContext.wrong(place, "nests too deeply");
    }
    var values = new LinkedHashMap<String, @Nullable Object>();
    while (in.hasRemaining()) {
      long tag = varint();
      int wire = (int) (tag & 7);
      Field field = fields.get((int) (tag >>> 3));
      if (field == null) {
        skip(wire);
      } else {
        put(values, field, wire, place + field.name());
      }
    }
    return values;
  }

  private void put(Map<String, @Nullable Object> values, Field field, int wire, String at)
      throws Refusal {
    boolean number = field.type() == Type.NUMBER || field.type() == Type.FLAG;
    if (wire != (number ? VARINT : BYTES)) {
      throw MailboxContext.wrong(at, "has the wrong wire type");
    }
    switch (field.type()) {
      case NUMBER -> values.put(field.name(), varint());
      case FLAG -> values.put(field.name(), varint() != 0);
      case TEXT -> values.put(field.name(), text(piece(), at));
      case RAW -> {
        ByteBuffer piece = piece();
        byte[] raw = new byte[piece.remaining()];
        piece.get(raw);
        values.put(field.name(), raw);
      }
      case TEXTS -> texts(values, field, at);
      case MESSAGES -> {
        @SuppressWarnings("unchecked") // no other type of field puts a value under this name
        var list = (List<Object>) values.computeIfAbsent(field.name(), _ -> new ArrayList<>());
        String each = at + "[" + list.size() + "].";
        list.add(new ProtoFormReader(piece(), depth + 1).form(each, field.inner()));
      }
    }
  }

  /** One entry of a map, which is a message of a key and a value. */
  private void texts(Map<String, @Nullable Object> values, Field field, String at) throws Refusal {
    Map<Integer, Field> pair =
        Map.of(1, Field.of("key", Type.TEXT), 2, Field.of("value", Type.TEXT));
    Map<String, @Nullable Object> entry =
        new ProtoFormReader(piece(), depth + 1).form(at + ".", pair);
    @SuppressWarnings("unchecked") // no other type of field puts a value under this name
    var all =
        (Map<String, Object>) values.computeIfAbsent(field.name(), _ -> new LinkedHashMap<>());
    all.put(
        String.valueOf(entry.getOrDefault("key", "")),
        String.valueOf(entry.getOrDefault("value", "")));
  }

  private static String text(ByteBuffer utf8, String at) throws Refusal {
    try {
      return UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(utf8).toString();
    } catch (CharacterCodingException notText) {
      throw MailboxContext.wrong(at, "is not UTF-8");
    }
  }

  private long varint() throws Refusal {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw MailboxContext.wrong("$", "ends too early");
      }
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw MailboxContext.wrong("$", "has a number of more than ten bytes");
  }

  private ByteBuffer piece() throws Refusal {
    long length = varint();
    if (length < 0 || length > in.remaining()) {
      throw MailboxContext.wrong("$", "ends too early");
    }
    ByteBuffer piece = in.slice(in.position(), (int) length);
    in.position(in.position() + (int) length);
    return piece;
  }

  private void skip(int wire) throws Refusal {
    int bytes =
        switch (wire) {
          case VARINT -> {
            varint();
            yield 0;
          }
          case BYTES -> {
            piece();
            yield 0;
          }
          case FIXED32 -> Integer.BYTES;
          case FIXED64 -> Long.BYTES;
          default -> throw MailboxContext.wrong("$", "has an unknown wire type");
        };
    if (bytes > in.remaining()) {
      throw MailboxContext.wrong("$", "ends too early");
    }
    in.position(in.position() + bytes);
  }
}
