package dev.ron.mailbox.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.mailbox.api.MailboxForm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a Protocol Buffers message as a form, with the names that JSON has for its fields, so that
 * both go the same way from there on.
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

  public static MailboxForm read(byte[] message, Map<Integer, Field> fields) throws Refusal {
    return new ProtoFormReader(ByteBuffer.wrap(message), 0).form("", fields);
  }

  private MailboxForm form(String place, Map<Integer, Field> fields) throws Refusal {
    if (depth > DEPTH_MAX) {
      throw MailboxForm.wrong(place, "nests too deeply");
    }
    var values = new LinkedHashMap<String, Object>();
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
    return new MailboxForm(place, values);
  }

  private void put(Map<String, Object> values, Field field, int wire, String at) throws Refusal {
    boolean number = field.type() == Type.NUMBER || field.type() == Type.FLAG;
    if (wire != (number ? VARINT : BYTES)) {
      throw MailboxForm.wrong(at, "has the wrong wire type");
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
        @SuppressWarnings("unchecked") // nobody else puts a value under this name
        var list = (List<Object>) values.computeIfAbsent(field.name(), _ -> new ArrayList<>());
        String each = at + "[" + list.size() + "].";
        list.add(new ProtoFormReader(piece(), depth + 1).form(each, field.inner()));
      }
    }
  }

  /** One entry of a map, which is a message of a key and a value. */
  private void texts(Map<String, Object> values, Field field, String at) throws Refusal {
    Map<Integer, Field> pair =
        Map.of(1, Field.of("key", Type.TEXT), 2, Field.of("value", Type.TEXT));
    MailboxForm entry = new ProtoFormReader(piece(), depth + 1).form(at + ".", pair);
    String key = entry.textOrNull("key");
    String value = entry.textOrNull("value");
    MailboxForm all =
        (MailboxForm)
            values.computeIfAbsent(
                field.name(), _ -> new MailboxForm(at + ".", new LinkedHashMap<>()));
    all.put(key == null ? "" : key, value == null ? "" : value);
  }

  private static String text(ByteBuffer utf8, String at) throws Refusal {
    try {
      return UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(utf8).toString();
    } catch (CharacterCodingException notText) {
      throw MailboxForm.wrong(at, "is not UTF-8");
    }
  }

  private long varint() throws Refusal {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw MailboxForm.wrong("$", "ends too early");
      }
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw MailboxForm.wrong("$", "has a number of more than ten bytes");
  }

  private ByteBuffer piece() throws Refusal {
    long length = varint();
    if (length < 0 || length > in.remaining()) {
      throw MailboxForm.wrong("$", "ends too early");
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
          default -> throw MailboxForm.wrong("$", "has an unknown wire type");
        };
    if (bytes > in.remaining()) {
      throw MailboxForm.wrong("$", "ends too early");
    }
    in.position(in.position() + bytes);
  }
}
