package dev.ron.rewarder.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.core.score.Tally;
import dev.ron.testkit.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the two scanners take and refuse, as tables. */
final class LineScannerTest {
  private static Policy policy(boolean holds) {
    return new Policy(
        "p",
        1,
        Map.of("m", 1L, "n", 2L),
        Rounding.FLOOR,
        Wide.ZERO,
        Optional.empty(),
        Optional.empty(),
        holds,
        List.of());
  }

  /** Either {@code actor=score ...} or {@code line: reason}. */
  private static String scan(LineScanner scanner, String text, boolean holds) {
    var tally = new Tally(policy(holds), 64L << 20);
    byte[] bytes = text.getBytes(UTF_8);
    LineFault fault = scanner.scan(bytes, 0, bytes.length, tally);
    if (fault != null) {
      return fault.line() + ": " + fault.reason();
    }
    var out = new StringBuilder();
    try (ScoreCursor cursor = new SortedScores(tally.scores()).open()) {
      while (cursor.next()) {
        out.append(out.isEmpty() ? "" : " ")
            .append(
                new String(cursor.actorBuffer(), cursor.actorOffset(), cursor.actorLength(), UTF_8))
            .append('=')
            .append(cursor.score(0))
            .append(cursor.badLines() == 0 ? "" : "!" + cursor.badLines());
      }
    }
    return out.toString();
  }

  private static String json(String text) {
    return scan(new JsonLineScanner(), text, false);
  }

  private static String csv(String text) {
    byte[] header = "actor,metric,units".getBytes(UTF_8);
    return scan(CsvScanner.forHeader(header, 0, header.length).orElseThrow(), text, false);
  }

  @Test
  void jsonLinesThatAreTaken() {
    assertThat(json("{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"7\"}\n")).isEqualTo("a=7");
    assertThat(json("{\"units\":7,\"metric\":\"n\",\"actor\":\"a\"}")).isEqualTo("a=14");
    assertThat(json(" { \"actor\" : \"a\" ,\t\"metric\":\"m\", \"units\": 0 } \r\n"))
        .isEqualTo("a=0");
    assertThat(json("{\"actor\":\"\\u0061\\ud834\\udd1e\\\"\",\"metric\":\"m\",\"units\":\"1\"}"))
        .isEqualTo("a𝄞\"=1");
    assertThat(json("{\"\\u0061ctor\":\"b\",\"metric\":\"\\u006d\",\"units\":\"1\"}"))
        .isEqualTo("b=1");
    assertThat(
            json("{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"79228162514264337593543950335\"}"))
        .isEqualTo("a=79228162514264337593543950335");
    assertThat(json("{\"actor\":\"é\",\"shard\":\"x\",\"metric\":\"m\",\"units\":1}"))
        .isEqualTo("é=1");
    assertThat(json("")).isEmpty();
  }

  @Test
  void jsonLinesThatAreRefused() {
    String good = "{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"7\"}";
    String[][] table = {
      {"{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"7\",\"x\":1}", "a field that is not known"},
      {"{\"actor\":\"a\",\"actor\":\"b\",\"metric\":\"m\",\"units\":1}", "actor is there twice"},
      {
        "{\"actor\":\"a\",\"\\u0061ctor\":\"b\",\"metric\":\"m\",\"units\":1}",
        "actor is there twice"
      },
      {good + "x", "something behind the object"},
      {good + good, "something behind the object"},
      {"{\"actor\":\"a\",\"metric\":\"m\"}", "actor, metric or units is missing"},
      {"", "not a JSON object"},
      {"[]", "not a JSON object"},
      {"{}", "not JSON, or a value that is not a string"},
      {"{\"actor\":\"a\",}", "not JSON, or a value that is not a string"},
      {
        "{\"actor\":null,\"metric\":\"m\",\"units\":1}", "not JSON, or a value that is not a string"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":1.5}",
        "units must be a string of digits or an integer"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":1e3}",
        "units must be a string of digits or an integer"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":true}",
        "units must be a string of digits or an integer"
      },
      {"{\"actor\":\"\",\"metric\":\"m\",\"units\":1}", "the actor must have 1 to 512 bytes"},
      {"{\"actor\":\"a\tb\",\"metric\":\"m\",\"units\":1}", "a control character in a string"},
      {"{\"actor\":\"a\\nb\",\"metric\":\"m\",\"units\":1}", "the actor has a control character"},
      {"{\"actor\":\"\\ud834\",\"metric\":\"m\",\"units\":1}", "an escape that JSON does not have"},
      {"{\"actor\":\"\\x\",\"metric\":\"m\",\"units\":1}", "an escape that JSON does not have"},
      {"{\"actor\":\"a", "a string without its end"},
      {
        "{\"actor\":\"" + "a".repeat(513) + "\",\"metric\":\"m\",\"units\":1}",
        "the actor must have 1 to 512 bytes"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"z\",\"units\":1}",
        "unknown-metric: the policy has no weight for the metric"
      },
      {"{\"actor\":\"a\",\"metric\":\"m\",\"units\":-1}", "negative: the units are negative"},
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"01\"}",
        "not-a-number: the units are not a whole number in decimal digits"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"\"}",
        "not-a-number: the units are not a whole number in decimal digits"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"79228162514264337593543950336\"}",
        "overflow: the units are not below 2^96"
      },
      {
        "{\"actor\":\"a\",\"metric\":\"m\",\"units\":\"" + "9".repeat(60) + "\"}",
        "overflow: the units are not below 2^96"
      },
    };
    for (String[] row : table) {
      assertThat(json(good + "\n" + row[0] + "\n" + good)).as(row[0]).isEqualTo("2: " + row[1]);
    }
    byte[] broken = "{\"actor\":\"a?\",\"metric\":\"m\",\"units\":1}".getBytes(UTF_8);
    broken[11] = (byte) 0xff;
    assertThat(
            new JsonLineScanner()
                .scan(broken, 0, broken.length, new Tally(policy(false), 64L << 20)))
        .isEqualTo(new LineFault(1, "the actor is not UTF-8"));
  }

  @Test
  void csvThatIsTaken() {
    assertThat(csv("a,m,7\n")).isEqualTo("a=7");
    assertThat(csv("b,n,1\r\na,m,7\r\nb,m,5")).isEqualTo("a=7 b=7");
    assertThat(csv("\"a,\"\"x\"\"\",m,7\n")).isEqualTo("a,\"x\"=7");
    assertThat(csv("did:ron:ålice-with-a-long-name,m,12345678901234567890\n"))
        .isEqualTo("did:ron:ålice-with-a-long-name=12345678901234567890");
  }

  @Test
  void csvThatIsRefused() {
    String[][] table = {
      {"a,m", "not three fields"},
      {"a,m,1,2", "not three fields"},
      {"", "not three fields"},
      {",m,1", "the actor must have 1 to 512 bytes"},
      {"a\u0001,m,1", "the actor has a control character"},
      {"a\u007f,m,1", "the actor has a control character"},
      {"12345678\u0001abcdefgh,m,1", "the actor has a control character"},
      {"\"a,m,1", "a quote that does not end its field"},
      {"\"a\"b,m,1", "a quote that does not end its field"},
      {"a\"b,m,1", "a quote inside a field that has none around it"},
      {"\"a\",m,1,2", "not three fields"},
      {"a,z,1", "unknown-metric: the policy has no weight for the metric"},
      {"a,m,", "not-a-number: the units are not a whole number in decimal digits"},
      {"a,m,1 ", "not-a-number: the units are not a whole number in decimal digits"},
      {"a,m,-1", "negative: the units are negative"},
      {"a,m,-", "not-a-number: the units are not a whole number in decimal digits"},
    };
    for (String[] row : table) {
      assertThat(csv("x,m,1\n" + row[0] + "\nx,m,1\n")).as(row[0]).isEqualTo("2: " + row[1]);
    }
  }

  @Test
  void aHeldActorIsMarkedByAllItsReasons() {
    byte[] header = "actor,metric,units,shard".getBytes(UTF_8);
    LineScanner scanner = CsvScanner.forHeader(header, 0, header.length).orElseThrow();
    assertThat(scan(scanner, "a,m,5,s\na,z,1,s\na,m,-1,s\nb,m,1,s\nc,m,x,s\n", true))
        .isEqualTo("a=5!3 b=1 c=0!8");
  }

  /** Quoted or not: what has a fifth field may have been cut in another place than was meant. */
  @ParameterizedTest
  @ValueSource(strings = {"a,m,1,s,1", "a,m,1,s,", "\"a\",m,1,s,1", "a,m,1", "a,m,1,\"s\",1"})
  void aLineHasFourFieldsWhereOneIsTheShard(String line) {
    byte[] header = "actor,metric,units,shard".getBytes(UTF_8);
    LineScanner scanner = CsvScanner.forHeader(header, 0, header.length).orElseThrow();
    assertThat(scan(scanner, line + "\n", false)).isEqualTo("1: not four fields");
  }

  @Test
  void bothFormsOfTheSameLinesGiveTheSameScores() {
    Seeds.forEach(
        300,
        (_, random) -> {
          var jsonText = new StringBuilder();
          var csvText = new StringBuilder();
          for (int i = random.nextInt(60); i > 0; i--) {
            String actor =
                random
                    .ints(1 + random.nextInt(30), 32, 0x250)
                    .filter(c -> c != 127 && !Character.isISOControl(c))
                    .collect(
                        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .append('x')
                    .toString();
            String metric = random.nextBoolean() ? "m" : "n";
            String units = Long.toString(random.nextLong() >>> (1 + random.nextInt(60)));
            jsonText.append(
                dev.ron.usage.CanonicalJson.text(
                    Map.of("actor", actor, "metric", metric, "units", units)));
            jsonText.append('\n');
            csvText
                .append('"')
                .append(actor.replace("\"", "\"\""))
                .append("\",")
                .append(metric)
                .append(',')
                .append(units)
                .append('\n');
          }
          assertThat(csv(csvText.toString())).isEqualTo(json(jsonText.toString()));
        });
  }
}
