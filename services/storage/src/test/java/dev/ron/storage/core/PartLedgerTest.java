package dev.ron.storage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.HashTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PartLedgerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // parts as index:bytes, F is 1 MiB | complete says | size
        "            | ok | 0",
        "0:0         | ok | 0",
        "0:5         | ok | 5",
        "1:5 0:F     | ok | 1048581",
        "0:F 1:F     | ok | 2097152",
        "0:F 1:0     | the last part is empty | 1048576",
        "0:F 2:F     | part 1 is missing | 2097152",
        "1:F         | part 0 is missing | 1048576",
        "0:5 1:5     | part 0 has 5 bytes; every part but the last has 1048576 | 10",
        "0:5 1:5 0:F | ok | 1048581",
      })
  void partsInAnyOrderMakeAnObjectOrSayWhyNot(String parts, String says, long size) {
    var ledger = new PartLedger(100);
    for (String part : parts == null ? new String[0] : parts.split(" ", -1)) {
      int index = Integer.parseInt(part.substring(0, part.indexOf(':')));
      String bytes = part.substring(part.indexOf(':') + 1);
      assertThat(ledger.begin(index)).isEmpty();
      ledger.wrote(index, bytes.equals("F") ? HashTree.PART_BYTES : Integer.parseInt(bytes));
    }
    assertThat(ledger.sizeBytes()).isEqualTo(size);
    assertThat(ledger.complete().orElse("ok")).isEqualTo(says);
  }

  @Test
  void onePartIsOneRequestsAtATimeAndNoneWhileCompleting() {
    var ledger = new PartLedger(3);
    assertThat(ledger.begin(3)).hasValue("there are parts 0 to 2, not 3");
    assertThat(ledger.begin(-1)).isPresent();
    assertThat(ledger.begin(0)).isEmpty();
    assertThat(ledger.begin(0)).hasValue("part 0 is being written by another request");
    assertThat(ledger.complete()).hasValue("part 0 is still being written");
    ledger.failed(0);
    assertThat(ledger.has(0)).isFalse();
    assertThat(ledger.begin(0)).isEmpty();
    ledger.wrote(0, 10);
    assertThat(ledger.complete()).isEmpty();
    assertThat(ledger.begin(1)).hasValue("the upload is being completed");
    ledger.resume();
    assertThat(ledger.begin(1)).isEmpty();
    assertThat(ledger.runs()).containsExactly(new PartLedger.Run(0, 0));
  }
}
