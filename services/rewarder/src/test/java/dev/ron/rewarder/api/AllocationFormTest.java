package dev.ron.rewarder.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.Wide;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Names of actors in the exported forms. */
final class AllocationFormTest {
  private static final Pattern CELL = Pattern.compile("1,(\"((?:[^\"]|\"\")*)\"|[^,\"]*),5,7\n");

  private static Allocation line(String actor) {
    return new Allocation(1, actor, Wide.of(5), 0, List.of(Wide.of(7)));
  }

  @Test
  void noNameIsAFormulaAndEveryNameComesBack() {
    for (String actor :
        List.of(
            "did:ron:alice",
            "a=1",
            "a,b",
            "a\"b",
            "=HYPERLINK(1)",
            "=1,\"x\"",
            "+cmd|calc",
            "-2+3",
            "@SUM(1+1)",
            "\tx",
            "\rx",
            "'x",
            "'=x",
            "\uff1d1")) {
      Matcher cell = CELL.matcher(AllocationForm.csv(line(actor)));
      assertThat(cell.matches()).as(actor).isTrue();
      String read = cell.group(2) == null ? cell.group(1) : cell.group(2).replace("\"\"", "\"");
      assertThat(read).as(actor).doesNotMatch("(?s)[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20].*");
      assertThat(read.startsWith("'") ? read.substring(1) : read).isEqualTo(actor);
    }
    assertThat(AllocationForm.csv(line("=1"))).isEqualTo("1,\"'=1\",5,7\n");
    assertThat(AllocationForm.csv(line("did:ron:a"))).isEqualTo("1,did:ron:a,5,7\n");
  }

  @Test
  void jsonHasTheNameAsItIs() {
    assertThat(AllocationForm.json(line("=1"))).contains("\"actor\":\"=1\"");
  }
}
