package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.ron.http.field.StructuredField.Dictionary;
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
          if (fits(vector)) {
            tests.add(DynamicTest.dynamicTest(name, () -> check(vector)));
          }
        }
      }
    }
    assertThat(tests).as("vectors in " + folder).hasSizeGreaterThan(80);
    return tests.stream();
  }

  private static void check(JsonNode vector) {
    var raw = new ArrayList<String>();
    vector.get("raw").forEach(line -> raw.add(line.asString()));
    boolean dictionary = vector.get("header_type").asString().equals("dictionary");
    ParseResult<Dictionary> parsed =
        StructuredField.parseDictionary(dictionary ? raw : List.of("k=" + raw.getFirst()));
    boolean mustFail = vector.path("must_fail").asBoolean(false);
    boolean canFail = vector.path("can_fail").asBoolean(false);
    switch (parsed) {
      case ParseResult.Bad<?>(var why) -> assertThat(mustFail || canFail).as(why).isTrue();
      case ParseResult.Ok<Dictionary>(var field) -> {
        assertThat(mustFail).as("read as %s", field).isFalse();
        String expected = expected(vector.get("expected"));
        assertThat(Shown.of(field)).isEqualTo(dictionary ? expected : "[[k, " + expected + "]]");
      }
    }
  }

  /**
   * Only dictionaries are read. An item is also what a dictionary's member is, so its vectors are
   * put behind a key, but for those whose point is blanks around the field, more than one line, or
   * a comma.
   */
  private static boolean fits(JsonNode vector) {
    JsonNode raw = vector.get("raw");
    return switch (vector.get("header_type").asString()) {
      case "dictionary" -> true;
      case "item" ->
          raw.size() == 1
              && raw.get(0).asString().equals(raw.get(0).asString().strip())
              && !(raw.get(0).asString().contains(",") && vector.has("must_fail"));
      case "list" -> false;
      default -> throw new AssertionError("header_type of " + vector);
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
