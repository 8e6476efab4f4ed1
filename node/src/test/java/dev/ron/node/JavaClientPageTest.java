package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of the Java client is one program: it compiles, runs, and prints what it says. */
@Timeout(120)
final class JavaClientPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("ron.root", "."), "docs", "java-client.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  @TempDir private Path folder;

  @Test
  void theProgramOfThePageRuns() throws Exception {
    try (RunningNode node = RunningNode.start(folder.resolve("data"), Map.of())) {
      Path source = Files.writeString(folder.resolve("Page.java"), program(node));
      var complaints = new StringWriter();
      var compiler = ToolProvider.getSystemJavaCompiler();
      try (var files = compiler.getStandardFileManager(null, null, UTF_8)) {
        boolean compiled =
            compiler
                .getTask(
                    complaints,
                    files,
                    null,
                    List.of("-proc:none", "-d", folder.toString()),
                    null,
                    files.getJavaFileObjects(source))
                .call();
        assertThat(compiled).as(complaints::toString).isTrue();
      }
      assertThat(said())
          .containsExactly(
              "false",
              "true",
              "two pears",
              "packed a melon",
              "true",
              "b3:ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f",
              "true",
              "5 bytes: hello",
              "5",
              "an island",
              "[2026/]",
              "true");
    }
  }

  private List<String> said() throws Exception {
    var java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            folder + ":" + System.getProperty("java.class.path"),
            "Page");
    Path said = folder.resolve("said");
    Process running = java.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(running.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(running.exitValue()).as(Files.readString(said)).isZero();
      return Files.readAllLines(said);
    } finally {
      running.destroyForcibly();
    }
  }

  /** Its lines in their order: what is imported stands above, the rest is the body of a method. */
  private static String program(RunningNode node) throws Exception {
    List<String> lines =
        BLOCK
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .flatMap(String::lines)
            .filter(line -> !line.startsWith("```"))
            .toList();
    String token = node.keys().adminToken();
    KeyPair pair = ClientScript.pair(token);
    String text =
        "%s\npublic final class Page {\n  public static void main(String[] args) throws Exception {\n%s\n  }\n}\n"
            .formatted(
                part(lines, true),
                part(lines, false)
                    .replace(
                        "Files.readString(Path.of(\"data/keys/admin.cap\"))", '"' + token + '"')
                    .replace("\"ACCESS_KEY_ID\"", '"' + pair.accessKeyId() + '"')
                    .replace("\"SECRET_ACCESS_KEY\"", '"' + pair.secret() + '"'));
    for (Map.Entry<String, String> door :
        Map.of("8082", "mailbox", "8083", "storage", "8085", "s3").entrySet()) {
      text = text.replace("http://127.0.0.1:" + door.getKey(), node.url(door.getValue()));
    }
    return text;
  }

  private static String part(List<String> lines, boolean imports) {
    return lines.stream()
        .filter(line -> line.startsWith("import ") == imports)
        .collect(Collectors.joining("\n"));
  }
}
