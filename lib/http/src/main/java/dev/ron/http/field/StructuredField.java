package dev.ron.http.field;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A field value with structure (RFC 9651): an item, a list or a dictionary.
 *
 * <p>{@code toString} of each is the field's text in canonical form. An empty list or dictionary
 * has an empty text, and then the field is not to be sent at all.
 *
 * <p>Threading: immutable.
 */
public sealed interface StructuredField {
  /** RFC 9651 asks for at least these, and no field that Ron reads needs more. */
  int MEMBERS_MAX = 1024;

  int INNER_MAX = 256;
  int PARAMETERS_MAX = 256;
  int KEY_CHARS_MAX = 64;

  /** Bounds everything else: strings, tokens and byte sequences are parts of it. */
  int CHARS_MAX = 64 * 1024;

  /** What a list or dictionary holds. */
  sealed interface Member {
    Parameters parameters();
  }

  record Item(BareItem value, Parameters parameters) implements StructuredField, Member {
    public static Item of(BareItem value) {
      return new Item(value, Parameters.NONE);
    }

    @Override
    public String toString() {
      return StructuredWriter.text(this);
    }
  }

  record InnerList(List<Item> items, Parameters parameters) implements Member {
    public InnerList {
      items = List.copyOf(items);
      atMost(INNER_MAX, items.size());
    }
  }

  record Members(List<Member> members) implements StructuredField {
    public Members {
      members = List.copyOf(members);
      atMost(MEMBERS_MAX, members.size());
    }

    @Override
    public String toString() {
      return StructuredWriter.text(this);
    }
  }

  record Dictionary(SequencedMap<String, Member> members) implements StructuredField {
    public Dictionary {
      members = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
      atMost(MEMBERS_MAX, members.size());
      members.keySet().forEach(StructuredField::requireKey);
    }

    public Optional<Member> member(String key) {
      return Optional.ofNullable(members.get(key));
    }

    @Override
    public String toString() {
      return StructuredWriter.text(this);
    }
  }

  record Parameters(SequencedMap<String, BareItem> values) {
    public static final Parameters NONE = new Parameters(new LinkedHashMap<>(Map.of()));

    public Parameters {
      values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
      atMost(PARAMETERS_MAX, values.size());
      values.keySet().forEach(StructuredField::requireKey);
    }

    public Optional<BareItem> value(String key) {
      return Optional.ofNullable(values.get(key));
    }
  }

  static Parsed<Item> parseItem(List<String> lines) {
    return StructuredReader.read(lines, StructuredReader::item);
  }

  static Parsed<Members> parseList(List<String> lines) {
    return StructuredReader.read(lines, StructuredReader::list);
  }

  static Parsed<Dictionary> parseDictionary(List<String> lines) {
    return StructuredReader.read(lines, StructuredReader::dictionary);
  }

  static boolean startsKey(char c) {
    return (c >= 'a' && c <= 'z') || c == '*';
  }

  static boolean continuesKey(char c) {
    return startsKey(c) || FieldCursor.isDigit(c) || c == '_' || c == '-' || c == '.';
  }

  private static void requireKey(String key) {
    if (key.isEmpty()
        || key.length() > KEY_CHARS_MAX
        || !startsKey(key.charAt(0))
        || !key.chars().allMatch(c -> continuesKey((char) c))) {
      throw new IllegalArgumentException("not a structured field key");
    }
  }

  private static void atMost(int max, int size) {
    if (size > max) {
      throw new IllegalArgumentException(size + " entries are more than " + max);
    }
  }
}
