package dev.ron.http.field;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A field value with structure (RFC 9651). Of its three shapes only the dictionary is read: no
 * field that Ron uses is a list or a bare item.
 *
 * <p>Threading: immutable.
 */
public final class StructuredField {
  /** RFC 9651 asks for at least these, and no field that Ron reads needs more. */
  static final int MEMBERS_MAX = 1024;

  static final int INNER_MAX = 256;
  static final int PARAMETERS_MAX = 256;
  static final int KEY_CHARS_MAX = 64;

  /** Bounds everything else: strings, tokens and byte sequences are parts of it. */
  static final int CHARS_MAX = 64 * 1024;

  private StructuredField() {}

  /** What a dictionary holds. */
  public sealed interface Member {}

  public record Item(BareItem value, Parameters parameters) implements Member {}

  public record InnerList(List<Item> items, Parameters parameters) implements Member {
    public InnerList {
      items = List.copyOf(items);
    }
  }

  public record Dictionary(SequencedMap<String, Member> members) {
    public Dictionary {
      members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
    }
  }

  public record Parameters(SequencedMap<String, BareItem> values) {
    static final Parameters NONE = new Parameters(new LinkedHashMap<>(Map.of()));

    public Parameters {
      values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
    }
  }

  public static ParseResult<Dictionary> parseDictionary(List<String> lines) {
    return StructuredReader.read(lines);
  }
}
