package dev.ron.config.source;

import dev.ron.config.value.ByteSize;
import dev.ron.config.value.Literal;
import dev.ron.config.value.RawValue;
import dev.ron.config.value.ValueOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/**
 * The TOML file, with the place of every key in it. A file that cannot be read holds no keys and a
 * list of why; half a file is never used.
 *
 * <p>Threading: immutable.
 */
public record TomlFile(String name, TomlTable root, List<ConfigProblem> problems)
    implements ConfigSource {
  /** Room for thousands of routes; a file beyond it is a mistake, or meant to fill the memory. */
  static final int BYTES_MAX = 1 << 20;

  /** The deepest key there is has four levels. */
  static final int NESTING_MAX = 16;

  private static final TomlParseOptions OPTIONS =
      TomlParseOptions.sourceless()
          .withVersion(TomlVersion.V1_0_0)
          .withMaxNestingDepth(NESTING_MAX);

  public TomlFile {
    problems = List.copyOf(problems);
  }

  /** No file at all, which is fine. */
  public static TomlFile none() {
    return new TomlFile("", emptyTable(), List.of());
  }

  public static TomlFile load(Path path) {
    String name = path.toString();
    byte[] bytes;
    try (var in = Files.newInputStream(path)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    } catch (NoSuchFileException _) {
      return unreadable(name, "there is no such file");
    } catch (IOException e) {
      return unreadable(name, "cannot be read: " + e.getMessage());
    }
    if (bytes.length > BYTES_MAX) {
      return unreadable(name, "is larger than " + new ByteSize(BYTES_MAX));
    }
    return decode(name, bytes);
  }

  private static TomlFile decode(String name, byte[] bytes) {
    var characters = CharBuffer.allocate(bytes.length);
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), characters, true);
    String text = characters.flip().toString();
    if (result.isError()) {
      int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
      int column = text.length() - text.lastIndexOf('\n');
      return failed(
          name,
          List.of(new ConfigProblem(new ValueOrigin.Line(name, line, column), "is not UTF-8")));
    }
    return parse(name, text);
  }

  public static TomlFile parse(String name, String text) {
    TomlParseResult result = Toml.parse(text, OPTIONS);
    if (!result.hasErrors()) {
      return new TomlFile(name, result, List.of());
    }
    return failed(
        name,
        result.errors().stream()
            .sorted(
                Comparator.comparingInt((TomlParseError error) -> error.position().line())
                    .thenComparingInt(error -> error.position().column()))
            .map(error -> new ConfigProblem(line(name, error.position()), message(error)))
            .toList());
  }

  private static String message(TomlParseError error) {
    return Literal.printable(String.valueOf(error.getMessage()));
  }

  private static TomlFile unreadable(String name, String why) {
    return failed(name, List.of(new ConfigProblem(new ValueOrigin.WholeFile(name), why)));
  }

  private static TomlFile failed(String name, List<ConfigProblem> problems) {
    return new TomlFile(name, emptyTable(), problems);
  }

  private static TomlTable emptyTable() {
    return Toml.parse("", OPTIONS);
  }

  private static ValueOrigin line(String name, TomlPosition position) {
    return new ValueOrigin.Line(name, position.line(), position.column());
  }

  /** The place of a key of a table that stands in this file, or in the text of {@code whole}. */
  public static ValueOrigin originOf(TomlTable table, String key, ValueOrigin whole) {
    return within(whole, table.inputPositionOf(List.of(key)));
  }

  /** A position in a file; in the text of a flag or variable, the whole is place enough. */
  public static ValueOrigin within(ValueOrigin whole, @Nullable TomlPosition position) {
    String file =
        switch (whole) {
          case ValueOrigin.Line line -> line.file();
          case ValueOrigin.WholeFile all -> all.file();
          default -> "";
        };
    return position == null || file.isEmpty() ? whole : line(file, position);
  }

  @Override
  public @Nullable RawValue find(String path) {
    return find(root, path, origin());
  }

  public ValueOrigin origin() {
    return new ValueOrigin.WholeFile(name);
  }

  /** As {@link #find(String)}, from any table. */
  static @Nullable public RawValue find(TomlTable table, String path, ValueOrigin whole) {
    List<String> keys = List.of(path.split("\\."));
    TomlTable at = table;
    for (String key : keys.subList(0, keys.size() - 1)) {
      if (!(at.get(List.of(key)) instanceof TomlTable next)) {
        // Something else stands where a table should: UnknownKeys says so.
        return null;
      }
      at = next;
    }
    Object value = at.get(List.of(keys.getLast()));
    return value == null ? null : new RawValue(value, originOf(at, keys.getLast(), whole));
  }
}
