package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.ron.http.field.StructuredField.Dictionary;
import dev.ron.http.field.StructuredField.InnerList;
import dev.ron.http.field.StructuredField.Item;
import dev.ron.http.field.StructuredField.Member;
import dev.ron.http.field.StructuredField.Members;
import dev.ron.http.field.StructuredField.Parameters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published vectors for structured fields, one test each. */
class StructuredFieldVectorsTest {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @TestFactory
  Stream<DynamicTest> vectors() throws IOException {
    Path folder = Path.of(System.getProperty("ron.root"), "../shared/vectors/structured-fields");
    if (!Files.isDirectory(folder)) {
      abort("NOT RUN: no vectors in " + folder + "; only our own tables were checked");
    }
    var tests = new ArrayList<DynamicTest>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).sorted().toList()) {
        for (JsonNode vector : JSON.readTree(Files.readString(file))) {
          String name = file.getFileName() + ": " + vector.get("name").asString();
          tests.add(DynamicTest.dynamicTest(name, () -> check(vector)));
        }
      }
    }
    assertThat(tests).as("vectors in " + folder).isNotEmpty();
    return tests.stream();
  }

  private static void check(JsonNode vector) {
    var raw = new ArrayList<String>();
    vector.get("raw").forEach(line -> raw.add(line.asString()));
    Parsed<? extends StructuredField> parsed =
        switch (vector.get("header_type").asString()) {
          case "item" -> StructuredField.parseItem(raw);
          case "list" -> StructuredField.parseList(raw);
          case "dictionary" -> StructuredField.parseDictionary(raw);
          default -> throw new AssertionError("header_type of " + vector);
        };
    boolean mustFail = vector.path("must_fail").asBoolean(false);
    boolean canFail = vector.path("can_fail").asBoolean(false);
    switch (parsed) {
      case Parsed.Bad<?>(var why) -> assertThat(mustFail || canFail).as(why).isTrue();
      case Parsed.Ok<? extends StructuredField>(var field) -> {
        assertThat(mustFail).as("read as %s", field).isFalse();
        assertThat(shown(field)).isEqualTo(expected(vector.get("expected")));
        var canonical = new ArrayList<String>();
        vector.path("canonical").forEach(line -> canonical.add(line.asString()));
        List<String> wanted = vector.has("canonical") ? canonical : raw;
        assertThat(field.toString()).isEqualTo(String.join(", ", wanted));
      }
    }
  }

  /** The vectors' own notation, with decimals by value and bytes in base32. */
  private static String shown(StructuredField field) {
    return switch (field) {
      case Item item -> shown((Member) item);
      case Members(var members) ->
          members.stream().map(StructuredFieldVectorsTest::shown).toList().toString();
      case Dictionary(var members) ->
          members.entrySet().stream()
              .map(entry -> "[" + entry.getKey() + ", " + shown(entry.getValue()) + "]")
              .toList()
              .toString();
    };
  }

  private static String shown(Member member) {
    return switch (member) {
      case Item(var value, var parameters) -> "[" + shown(value) + ", " + shown(parameters) + "]";
      case InnerList(var items, var parameters) ->
          "["
              + items.stream().map(item -> shown((Member) item)).toList()
              + ", "
              + shown(parameters)
              + "]";
    };
  }

  private static String shown(Parameters parameters) {
    return parameters.values().entrySet().stream()
        .map(entry -> "[" + entry.getKey() + ", " + shown(entry.getValue()) + "]")
        .toList()
        .toString();
  }

  private static String shown(BareItem item) {
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

  private static String expected(JsonNode node) {
    if (node.isArray()) {
      var parts = new ArrayList<String>();
      node.forEach(part -> parts.add(expected(part)));
      return parts.toString();
    }
    if (node.isObject()) {
      String type = node.get("__type").asString();
      String value = node.get("value").asString();
      return type + ":" + (type.equals("binary") ? HexFormat.of().formatHex(base32(value)) : value);
    }
    return node.isNumber() && !node.isIntegralNumber()
        ? node.decimalValue().stripTrailingZeros().toPlainString() + "d"
        : node.asString();
  }

  private static byte[] base32(String text) {
    var bytes = new ByteArrayOutputStream();
    int bits = 0;
    int value = 0;
    for (char c : text.toUpperCase(Locale.ROOT).replace("=", "").toCharArray()) {
      value = value << 5 | BASE32.indexOf(c);
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(value >> bits);
        value &= (1 << bits) - 1;
      }
    }
    return bytes.toByteArray();
  }
}
