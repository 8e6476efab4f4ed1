package dev.ron.http.field;

import dev.ron.http.field.StructuredField.Dictionary;
import dev.ron.http.field.StructuredField.InnerList;
import dev.ron.http.field.StructuredField.Item;
import dev.ron.http.field.StructuredField.Member;
import dev.ron.http.field.StructuredField.Members;
import dev.ron.http.field.StructuredField.Parameters;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Writes a structured field in its one canonical form (RFC 9651 section 4.1).
 *
 * <p>Threading: owned by the caller of one write.
 */
final class StructuredWriter {
  private final StringBuilder out = new StringBuilder();

  private StructuredWriter() {}

  static String text(StructuredField field) {
    var writer = new StructuredWriter();
    switch (field) {
      case Item item -> writer.member(item);
      case Members(var members) -> {
        for (Member member : members) {
          writer.comma();
          writer.member(member);
        }
      }
      case Dictionary(var members) -> members.forEach(writer::entry);
    }
    return writer.out.toString();
  }

  private void comma() {
    if (!out.isEmpty()) {
      out.append(", ");
    }
  }

  private void entry(String key, Member member) {
    comma();
    out.append(key);
    if (member instanceof Item(BareItem.Bool(boolean value), var parameters) && value) {
      parameters(parameters);
    } else {
      out.append('=');
      member(member);
    }
  }

  private void member(Member member) {
    switch (member) {
      case Item(var value, var parameters) -> {
        bareItem(value);
        parameters(parameters);
      }
      case InnerList(var items, var parameters) -> {
        out.append('(');
        for (int i = 0; i < items.size(); i++) {
          out.append(i == 0 ? "" : " ");
          member(items.get(i));
        }
        out.append(')');
        parameters(parameters);
      }
    }
  }

  private void parameters(Parameters parameters) {
    parameters
        .values()
        .forEach(
            (key, value) -> {
              out.append(';').append(key);
              if (!value.equals(new BareItem.Bool(true))) {
                out.append('=');
                bareItem(value);
              }
            });
  }

  private void bareItem(BareItem item) {
    switch (item) {
      case BareItem.Int(long value) -> out.append(value);
      case BareItem.Decimal(var value) -> out.append(value.toPlainString());
      case BareItem.Text(var value) ->
          out.append('"').append(value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      case BareItem.Token(var value) -> out.append(value);
      case BareItem.Bytes bytes ->
          out.append(':').append(Base64.getEncoder().encodeToString(bytes.value())).append(':');
      case BareItem.Bool(boolean value) -> out.append(value ? "?1" : "?0");
      case BareItem.Date(long epochSecond) -> out.append('@').append(epochSecond);
      case BareItem.Display(var value) -> display(value);
    }
  }

  private void display(String value) {
    out.append("%\"");
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      if (octet < 0x20 || octet == 0x7f || octet == '%' || octet == '"') {
        out.append('%');
        HexFormat.of().toHexDigits(out, octet);
      } else {
        out.append((char) octet);
      }
    }
    out.append('"');
  }
}
