package dev.ron.http.field;

import dev.ron.http.field.StructuredField.Dictionary;
import dev.ron.http.field.StructuredField.InnerList;
import dev.ron.http.field.StructuredField.Item;
import dev.ron.http.field.StructuredField.Member;
import dev.ron.http.field.StructuredField.Parameters;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Reads the text of a dictionary (RFC 9651 section 4.2), which is all or nothing: one bad character
 * refuses the field.
 *
 * <p>Threading: owned by the caller of one read.
 */
final class StructuredReader {
  private final FieldCursor in;

  private StructuredReader(String text) {
    in = new FieldCursor(text);
  }

  static ParseResult<Dictionary> read(List<String> lines) {
    long chars = lines.stream().mapToLong(line -> line.length() + 2L).sum();
    if (chars > StructuredField.CHARS_MAX) {
      return ParseResult.bad("longer than " + StructuredField.CHARS_MAX + " characters");
    }
    var reader = new StructuredReader(String.join(", ", lines));
    try {
      reader.in.skipSpaces();
      Dictionary value = reader.dictionary();
      reader.in.skipSpaces();
      return reader.in.atEnd() ? ParseResult.ok(value) : ParseResult.bad("more after the value");
    } catch (Unreadable e) {
      return ParseResult.bad(e.why);
    }
  }

  private Item item() {
    return new Item(bareItem(), parameters());
  }

  private Dictionary dictionary() {
    var members = new LinkedHashMap<String, Member>();
    while (!in.atEnd()) {
      String key = key();
      Member value = in.take('=') ? member() : new Item(new BareItem.Bool(true), parameters());
      // The last of a key counts, and stands where the first stood.
      members.put(key, value);
      refuseIf(members.size() > StructuredField.MEMBERS_MAX, "too many members");
      if (!more()) {
        break;
      }
    }
    return new Dictionary(members);
  }

  /** Takes the comma between members; what follows one must be a member. */
  private boolean more() {
    in.skipBlanks();
    if (in.atEnd()) {
      return false;
    }
    refuseIf(!in.take(','), "members are separated by commas");
    in.skipBlanks();
    refuseIf(in.atEnd(), "a comma at the end");
    return true;
  }

  private Member member() {
    return in.peek() == '(' ? innerList() : item();
  }

  private InnerList innerList() {
    in.next();
    var items = new ArrayList<Item>();
    while (true) {
      in.skipSpaces();
      if (in.take(')')) {
        return new InnerList(items, parameters());
      }
      refuseIf(items.size() == StructuredField.INNER_MAX, "too many items in an inner list");
      items.add(item());
      refuseIf(in.peek() != ' ' && in.peek() != ')', "items are separated by spaces");
    }
  }

  private Parameters parameters() {
    if (in.peek() != ';') {
      return Parameters.NONE;
    }
    var values = new LinkedHashMap<String, BareItem>();
    while (in.take(';')) {
      in.skipSpaces();
      String key = key();
      values.put(key, in.take('=') ? bareItem() : new BareItem.Bool(true));
      refuseIf(values.size() > StructuredField.PARAMETERS_MAX, "too many parameters");
    }
    return new Parameters(values);
  }

  private String key() {
    refuseIf(!startsKey(in.peek()), "a key starts with a-z or *");
    var key = new StringBuilder();
    while (continuesKey(in.peek())) {
      key.append(in.next());
      refuseIf(key.length() > StructuredField.KEY_CHARS_MAX, "a key is too long");
    }
    return key.toString();
  }

  private BareItem bareItem() {
    char first = in.peek();
    if (first == '-' || FieldCursor.isDigit(first)) {
      return number();
    }
    if (startsToken(first)) {
      var token = new StringBuilder();
      while (continuesToken(in.peek())) {
        token.append(in.next());
      }
      return new BareItem.Token(token.toString());
    }
    in.next();
    return switch (first) {
      case '"' -> new BareItem.Text(string());
      case ':' -> bytes();
      case '?' -> bool();
      case '@' -> date();
      case '%' -> display();
      default -> throw new Unreadable("no item starts like this");
    };
  }

  private BareItem number() {
    var digits = new StringBuilder();
    if (in.take('-')) {
      digits.append('-');
    }
    int start = digits.length();
    refuseIf(!FieldCursor.isDigit(in.peek()), "a number without digits");
    int point = -1;
    while (FieldCursor.isDigit(in.peek()) || (in.peek() == '.' && point < 0)) {
      if (in.peek() == '.') {
        point = digits.length();
        refuseIf(point - start > 12, "a decimal has at most 12 digits before the point");
      }
      digits.append(in.next());
      refuseIf(digits.length() - start > (point < 0 ? 15 : 16), "a number is too long");
    }
    if (point < 0) {
      return new BareItem.Int(Long.parseLong(digits, 0, digits.length(), 10));
    }
    int behind = digits.length() - point - 1;
    refuseIf(behind < 1 || behind > 3, "a decimal has 1 to 3 digits behind the point");
    return new BareItem.Decimal(new BigDecimal(digits.toString()));
  }

  private String string() {
    var text = new StringBuilder();
    while (true) {
      refuseIf(in.atEnd(), "a string without end");
      char c = in.next();
      if (c == '"') {
        return text.toString();
      }
      if (c == '\\') {
        c = in.next();
        refuseIf(c != '"' && c != '\\', "only \" and \\ are escaped");
      }
      refuseIf(c < 0x20 || c > 0x7e, "a string is printable ASCII");
      text.append(c);
    }
  }

  private BareItem bytes() {
    var base64 = new StringBuilder();
    while (!in.take(':')) {
      refuseIf(in.atEnd(), "a byte sequence without end");
      base64.append(in.next());
    }
    try {
      return new BareItem.Bytes(Base64.getDecoder().decode(base64.toString()));
    } catch (IllegalArgumentException _) {
      throw new Unreadable("a byte sequence is not base64");
    }
  }

  private BareItem bool() {
    char value = in.next();
    refuseIf(value != '0' && value != '1', "a boolean is ?0 or ?1");
    return new BareItem.Bool(value == '1');
  }

  private BareItem date() {
    return switch (number()) {
      case BareItem.Int(long seconds) -> new BareItem.Date(seconds);
      default -> throw new Unreadable("a date has whole seconds");
    };
  }

  private BareItem display() {
    refuseIf(!in.take('"'), "a display string starts with %\"");
    var octets = new Utf8();
    while (!in.take('"')) {
      refuseIf(in.atEnd(), "a display string without end");
      char c = in.next();
      refuseIf(c < 0x20 || c > 0x7e, "a display string is printable ASCII with %xx");
      int octet = c == '%' ? Hex.lower(in.next(), in.next()) : c;
      refuseIf(octet < 0, "a display string has two lower-case hex digits after %");
      octets.add(octet);
    }
    String text = octets.text();
    if (text == null) {
      throw new Unreadable("a display string is not UTF-8");
    }
    return new BareItem.Display(text);
  }

  private static boolean startsKey(char c) {
    return (c >= 'a' && c <= 'z') || c == '*';
  }

  private static boolean continuesKey(char c) {
    return startsKey(c) || FieldCursor.isDigit(c) || c == '_' || c == '-' || c == '.';
  }

  private static boolean startsToken(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
  }

  private static boolean continuesToken(char c) {
    return FieldCursor.isTokenChar(c) || c == ':' || c == '/';
  }

  private static void refuseIf(boolean wrong, String why) {
    if (wrong) {
      throw new Unreadable(why);
    }
  }

  /** Leaves the recursion of one read, which catches it; without a stack it costs no more. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String why;

    Unreadable(String why) {
      super(why, null, false, false);
      this.why = why;
    }
  }
}
