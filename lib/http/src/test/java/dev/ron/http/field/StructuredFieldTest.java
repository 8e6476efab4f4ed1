package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.field.StructuredField.Item;
import dev.ron.http.field.StructuredField.Parameters;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuredFieldTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # text                  | kind    | canonical
          0                       | Int     | 0
          -0                      | Int     | 0
          007                     | Int     | 7
          999999999999999         | Int     | 999999999999999
          -999999999999999        | Int     | -999999999999999
          1.5                     | Decimal | 1.5
          1.0                     | Decimal | 1.0
          1.500                   | Decimal | 1.5
          -0.0                    | Decimal | 0.0
          999999999999.999        | Decimal | 999999999999.999
          -0.001                  | Decimal | -0.001
          000000000001.100        | Decimal | 1.1
          ""                      | Text    | ""
          "a \\"b\\" \\\\ c"      | Text    | "a \\"b\\" \\\\ c"
          "%22"                   | Text    | "%22"
          a                       | Token   | a
          *                       | Token   | *
          A/b:c!#$%&'*+-.^_~09    | Token   | A/b:c!#$%&'*+-.^_~09
          ::                      | Bytes   | ::
          :aGVsbG8=:              | Bytes   | :aGVsbG8=:
          :aGVsbG8:               | Bytes   | :aGVsbG8=:
          :/+Ah:                  | Bytes   | :/+Ah:
          ?0                      | Bool    | ?0
          ?1                      | Bool    | ?1
          @0                      | Date    | @0
          @1659578233             | Date    | @1659578233
          @-62135596800           | Date    | @-62135596800
          %""                     | Display | %""
          %"f%c3%bc%c3%bc"        | Display | %"f%c3%bc%c3%bc"
          %"%25%22\\ %f0%9f%98%80" | Display | %"%25%22\\ %f0%9f%98%80"
          %"%41"                  | Display | %"A"
          `  1  `                 | Int     | 1
          1;a                     | Int     | 1;a
          1;a=?1                  | Int     | 1;a
          1; a=1;  b=?0;c="x"     | Int     | 1;a=1;b=?0;c="x"
          1;a=1;b=2;a=3           | Int     | 1;a=3;b=2
          1;*=2;a.b-c_d*=@3       | Int     | 1;*=2;a.b-c_d*=@3
          """)
  void items(String text, String kind, String canonical) {
    Item item = StructuredField.parseItem(List.of(text)).asOptional().orElseThrow();
    assertThat(item.value().getClass().getSimpleName()).isEqualTo(kind);
    assertThat(item).hasToString(canonical);
    assertThat(StructuredField.parseItem(List.of(canonical)).asOptional()).contains(item);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                  | no item starts like this
          `\t1`               | no item starts like this
          (1)                 | no item starts like this
          'a'                 | no item starts like this
          é                   | no item starts like this
          -                   | a number without digits
          --1                 | a number without digits
          -a                  | a number without digits
          1000000000000000    | a number is too long
          0000000000000001    | a number is too long
          1234567890123.0     | a decimal has at most 12 digits before the point
          1.                  | a decimal has 1 to 3 digits behind the point
          1.2345              | a decimal has 1 to 3 digits behind the point
          1.2.3               | more after the value
          1e3                 | more after the value
          1 2                 | more after the value
          1, 2                | more after the value
          +1                  | no item starts like this
          .5                  | no item starts like this
          "a                  | a string without end
          "a\\                | only " and \\ are escaped
          "a\\n"              | only " and \\ are escaped
          "é"                 | a string is printable ASCII
          `"\t"`              | a string is printable ASCII
          "\u007f"            | a string is printable ASCII
          :aGVsbG8=           | a byte sequence without end
          :aGVsb G8=:         | a byte sequence is not base64
          :_-Ah:              | a byte sequence is not base64
          :a:                 | a byte sequence is not base64
          :=aGVsbG8:          | a byte sequence is not base64
          ?                   | a boolean is ?0 or ?1
          ?2                  | a boolean is ?0 or ?1
          ?true               | a boolean is ?0 or ?1
          @1.5                | a date has whole seconds
          @                   | a number without digits
          @x                  | a number without digits
          %a                  | a display string starts with %"
          %"a                 | a display string without end
          %"ü"                | a display string is printable ASCII with %xx
          %"%C3%BC"           | a display string has two lower-case hex digits after %
          %"%c"               | a display string has two lower-case hex digits after %
          %"%"                | a display string has two lower-case hex digits after %
          %"%c3"              | a display string is not UTF-8
          %"%c0%80"           | a display string is not UTF-8
          %"%ed%a0%80"        | a display string is not UTF-8
          1;                  | a key starts with a-z or *
          1;A                 | a key starts with a-z or *
          1;1                 | a key starts with a-z or *
          1;=2                | a key starts with a-z or *
          1;a=                | no item starts like this
          1;a= 1              | no item starts like this
          1;a=(1)             | no item starts like this
          1 ;a                | more after the value
          1;a =1              | more after the value
          """)
  void badItems(String text, String why) {
    assertThat(Shown.of(StructuredField.parseItem(List.of(text)))).isEqualTo("bad: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                     | ``
          `   `                  | ``
          1                      | 1
          1,2                    | 1, 2
          `  1 \t,\t2  `         | 1, 2
          (1 2), ();a, ("x";b)   | (1 2), ();a, ("x";b)
          (  1  2  );a=1         | (1 2);a=1
          a;q=0.5, b             | a;q=0.5, b
          1,                     | bad: a comma at the end
          1, \t                  | bad: a comma at the end
          ,1                     | bad: no item starts like this
          1,,2                   | bad: no item starts like this
          1 2                    | bad: members are separated by commas
          1;a 2                  | bad: members are separated by commas
          (1                     | bad: items are separated by spaces
          `(1 `                  | bad: no item starts like this
          (1,2)                  | bad: items are separated by spaces
          (1(2))                 | bad: items are separated by spaces
          ((1))                  | bad: no item starts like this
          (1\t2)                 | bad: items are separated by spaces
          1)                     | bad: members are separated by commas
          """)
  void lists(String text, String shown) {
    assertThat(Shown.of(StructuredField.parseList(List.of(text)))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                     | ``
          a=1                    | a=1
          a=1,b=2                | a=1, b=2
          a,b;x=1,c=?0           | a, b;x=1, c=?0
          a=?1;x                 | a;x
          a=(1 2);x, b=()        | a=(1 2);x, b=()
          a=1, b=2, a=3          | a=3, b=2
          u=1, i                 | u=1, i
          a=1,                   | bad: a comma at the end
          a =1                   | bad: members are separated by commas
          a= 1                   | bad: no item starts like this
          a=                     | bad: no item starts like this
          A=1                    | bad: a key starts with a-z or *
          1=1                    | bad: a key starts with a-z or *
          a=1 b=2                | bad: members are separated by commas
          """)
  void dictionaries(String text, String shown) {
    assertThat(Shown.of(StructuredField.parseDictionary(List.of(text)))).isEqualTo(shown);
  }

  @Test
  void linesAreOneField() {
    assertThat(Shown.of(StructuredField.parseList(List.of("1", "2")))).isEqualTo("1, 2");
    assertThat(Shown.of(StructuredField.parseList(List.of()))).isEmpty();
    assertThat(Shown.of(StructuredField.parseList(List.of("1", "", "2")))).startsWith("bad: ");
    assertThat(Shown.of(StructuredField.parseItem(List.of()))).startsWith("bad: ");
  }

  @Test
  void capsHoldWhatTheRfcAsksForAndNoMore() {
    cap(1024, n -> StructuredField.parseList(List.of(joined(n, ", ", "a"))));
    cap(1024, n -> StructuredField.parseDictionary(List.of(joined(n, ", ", "a%d=1"))));
    cap(256, n -> StructuredField.parseList(List.of("(" + joined(n, " ", "1") + ")")));
    cap(256, n -> StructuredField.parseItem(List.of("1" + joined(n, "", ";a%d"))));
    cap(64, n -> StructuredField.parseItem(List.of("1;" + "k".repeat(n))));
    cap(65_532, n -> StructuredField.parseItem(List.of('"' + "x".repeat(n) + '"')));
  }

  private static void cap(int most, IntFunction<Parsed<?>> read) {
    assertThat(read.apply(most)).isInstanceOf(Parsed.Ok.class);
    assertThat(read.apply(most + 1)).isInstanceOf(Parsed.Bad.class);
  }

  private static String joined(int count, String comma, String each) {
    return IntStream.range(0, count)
        .mapToObj(i -> each.replace("%d", Integer.toString(i)))
        .collect(Collectors.joining(comma));
  }

  @Test
  void aDecimalIsRoundedHalfToEvenAndNeverADouble() {
    assertThat(Item.of(new BareItem.Decimal(new BigDecimal("0.0025")))).hasToString("0.002");
    assertThat(Item.of(new BareItem.Decimal(new BigDecimal("0.0035")))).hasToString("0.004");
    assertThat(Item.of(new BareItem.Decimal(new BigDecimal("1E+2")))).hasToString("100.0");
    assertThat(Item.of(new BareItem.Decimal(new BigDecimal("1E-999999999")))).hasToString("0.0");
    for (String large : List.of("1E+999999999", "1000000000000", "999999999999.9996")) {
      assertThatThrownBy(() -> new BareItem.Decimal(new BigDecimal(large)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatCannotBeWrittenCannotBeMade() {
    List<Runnable> bugs =
        List.of(
            () -> new BareItem.Int(1_000_000_000_000_000L),
            () -> new BareItem.Int(Long.MIN_VALUE),
            () -> new BareItem.Date(-1_000_000_000_000_000L),
            () -> new BareItem.Text("é"),
            () -> new BareItem.Token(""),
            () -> new BareItem.Token("a b"),
            () -> new BareItem.Token("1a"),
            () -> new BareItem.Display("\ud800"),
            () -> new Parameters(new LinkedHashMap<>(Collections.singletonMap("A", item(1)))));
    for (Runnable bug : bugs) {
      assertThatThrownBy(bug::run).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static BareItem item(long value) {
    return new BareItem.Int(value);
  }

  /** Any value at all comes back as itself. */
  @Test
  void whatIsWrittenIsReadBack() {
    var seed = Seed.fresh();
    var random = seed.random();
    for (int i = 0; i < 10_000; i++) {
      var members = new ArrayList<StructuredField.Member>();
      var entries = new LinkedHashMap<String, StructuredField.Member>();
      for (int m = random.nextInt(4); m >= 0; m--) {
        members.add(member(random));
        entries.put("k" + random.nextInt(4), member(random));
      }
      var list = new StructuredField.Members(members);
      var dictionary = new StructuredField.Dictionary(entries);
      assertThat(StructuredField.parseList(List.of(list.toString())).asOptional())
          .as("%s", seed)
          .contains(list);
      assertThat(StructuredField.parseDictionary(List.of(dictionary.toString())).asOptional())
          .as("%s", seed)
          .contains(dictionary);
    }
  }

  private static StructuredField.Member member(Random random) {
    if (random.nextInt(3) > 0) {
      return new Item(bare(random), parameters(random));
    }
    var items = new ArrayList<Item>();
    for (int i = random.nextInt(3); i > 0; i--) {
      items.add(new Item(bare(random), parameters(random)));
    }
    return new StructuredField.InnerList(items, parameters(random));
  }

  private static Parameters parameters(Random random) {
    var values = new LinkedHashMap<String, BareItem>();
    for (int i = random.nextInt(3); i > 0; i--) {
      values.put("p" + random.nextInt(3), bare(random));
    }
    return new Parameters(values);
  }

  private static BareItem bare(Random random) {
    long number = random.nextLong(-BareItem.INTEGER_MAX, BareItem.INTEGER_MAX + 1);
    byte[] bytes = new byte[random.nextInt(6)];
    random.nextBytes(bytes);
    return switch (random.nextInt(8)) {
      case 0 -> new BareItem.Int(number);
      case 1 -> new BareItem.Decimal(BigDecimal.valueOf(number, 3));
      case 2 -> new BareItem.Text(text(random, 0x20, 0x7f));
      case 3 -> new BareItem.Token("t" + random.nextInt(100));
      case 4 -> new BareItem.Bytes(bytes);
      case 5 -> new BareItem.Bool(random.nextBoolean());
      case 6 -> new BareItem.Date(number);
      default -> new BareItem.Display(text(random, 0, 0xd800));
    };
  }

  private static String text(Random random, int from, int to) {
    return random
        .ints(random.nextInt(6), from, to)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
