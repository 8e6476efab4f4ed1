package dev.ron.http.field;

import dev.ron.http.field.StructuredField.Dictionary;
import dev.ron.http.field.StructuredField.InnerList;
import dev.ron.http.field.StructuredField.Item;
import dev.ron.http.field.StructuredField.Member;
import dev.ron.http.field.StructuredField.Parameters;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;

/**
 * How a result stands in a table: the value's text, or {@code bad: why}. Structured fields stand in
 * the notation of the published vectors, decimals with a {@code d} and bytes in hex.
 */
final class Shown {
  private Shown() {}

  static String of(ParseResult<?> parsed) {
    return switch (parsed) {
      case ParseResult.Ok<?>(Dictionary dictionary) -> of(dictionary);
      case ParseResult.Ok<?>(var value) -> value.toString();
      case ParseResult.Bad<?>(var why) -> "bad: " + why;
    };
  }

  static String of(Dictionary dictionary) {
    return pairs(dictionary.members(), Shown::of);
  }

  private static String of(Member member) {
    return switch (member) {
      case Item(var value, var parameters) -> "[" + of(value) + ", " + of(parameters) + "]";
      case InnerList(var items, var parameters) ->
          "[" + items.stream().map(Shown::of).toList() + ", " + of(parameters) + "]";
    };
  }

  private static String of(Parameters parameters) {
    return pairs(parameters.values(), Shown::of);
  }

  private static <T> String pairs(Map<String, T> map, Function<T, String> shown) {
    return map.entrySet().stream()
        .map(entry -> "[" + entry.getKey() + ", " + shown.apply(entry.getValue()) + "]")
        .toList()
        .toString();
  }

  private static String of(BareItem item) {
    return switch (item) {
      case BareItem.Int(long value) -> Long.toString(value);
      case BareItem.Decimal(var value) -> value.stripTrailingZeros().toPlainString() + "d";
      case BareItem.Text(var value) -> value;
      case BareItem.Token(var value) -> "token:" + value;
      case BareItem.Bytes bytes -> "binary:" + HexFormat.of().formatHex(bytes.value());
      case BareItem.Bool(boolean value) -> Boolean.toString(value);
      case BareItem.Date(long epochSecond) -> "date:" + epochSecond;
      case BareItem.Display(var value) -> "displaystring:" + value;
    };
  }
}
