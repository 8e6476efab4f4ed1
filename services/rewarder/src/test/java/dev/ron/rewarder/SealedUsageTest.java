package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.usage.AccountingLines;
import dev.ron.usage.Seal;
import dev.ron.usage.SealList;
import dev.ron.usage.SealSigner;
import dev.ron.usage.UsageKey;
import dev.ron.usage.UsageSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An epoch whose accounting is what nodes sealed. */
@Timeout(120)
class SealedUsageTest {
  private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
  private static final Instant DECEMBER = Instant.parse("2026-12-01T00:00:00Z");

  @TempDir private Path folder;

  private SealSigner signer(String node) throws IOException {
    return Attestor.open(
        new RealDisk(), folder.resolve("keys-" + node), List.of(SignatureKind.ED25519));
  }

  /**
   * Three hours of a node: acme uses more each hour, quiet one unit, and a metric has no weight.
   */
  private static List<Seal> chain(Rig rig, SealSigner signer) throws IOException {
    var seals = new ArrayList<Seal>();
    for (int i = 1; i <= 3; i++) {
      var units = new TreeMap<UsageKey, Long>();
      units.put(new UsageKey("acme", "bytes_served"), 100L * i);
      units.put(new UsageKey("quiet", "bytes_served"), 1L);
      units.put(new UsageKey("quiet", "storage.requests"), 1_000_000L);
      var span =
          new UsageSpan(
              i, NOVEMBER.plusSeconds(3600L * (i - 1)), NOVEMBER.plusSeconds(3600L * i), units);
      Seal seal =
          Seal.of(
              span,
              seals.isEmpty() ? Optional.empty() : Optional.of(seals.getLast().address()),
              signer);
      rig.seal(AccountingLines.write(units));
      rig.seal(seal.bytes());
      seals.add(seal);
    }
    return seals;
  }

  private static String list(Rig rig, List<Seal> seals) throws IOException {
    List<Address> addresses = seals.stream().map(Seal::address).toList();
    return rig.seal(new SealList(NOVEMBER, DECEMBER, false, addresses).bytes());
  }

  private static String compute(Rig rig, String accounting) throws Exception {
    return rig.compute(
        "2026-11", accounting, rig.ledger("2026-11", "1000000"), rig.seal(Rig.POLICY), false);
  }

  private static String field(String json, String name) {
    return json.replaceFirst("(?s).*\"" + name + "\":\"([^\"]*)\".*", "$1");
  }

  @Test
  void sealsOfTwoNodesAreOneAccountingAndTheSameRootElsewhere() throws Exception {
    List<Seal> all;
    String first;
    try (Rig rig = Rig.open(folder.resolve("here"))) {
      all = new ArrayList<>(chain(rig, signer("a")));
      all.addAll(chain(rig, signer("b")));
      all.sort(SealList.ORDER);
      first = compute(rig, list(rig, all));
      assertThat(first).startsWith("200 ").contains("\"status\":\"closed\"");
      for (Seal seal : all) {
        assertThat(first).contains(seal.address().toString());
      }
      // 2 nodes: acme 1200, quiet 6 of 1206, as bytes_served; the requests weigh nothing.
      assertThat(rig.get("/rewarder/epochs/2026-11/allocations/acme"))
          .contains("\"amount_minor\":\"995024\"");
      assertThat(rig.get("/rewarder/epochs/2026-11/allocations/quiet"))
          .contains("\"amount_minor\":\"4975\"");
      assertThat(rig.get("/rewarder/epochs/2026-11/verify")).contains("\"verified\":true");
    }
    Path there = folder.resolve("there/inputs");
    Files.createDirectories(there);
    try (var files = Files.list(folder.resolve("here/inputs"))) {
      for (Path each : files.toList()) {
        Files.copy(each, there.resolve(each.getFileName()));
      }
    }
    try (Rig rig = Rig.open(folder.resolve("there"))) {
      String again = compute(rig, list(rig, all));
      assertThat(field(again, "root")).startsWith("b3:").isEqualTo(field(first, "root"));
      assertThat(field(again, "commitment")).isEqualTo(field(first, "commitment"));
    }
  }

  @Test
  void sealsThatAreNoAccountingOfTheSpanAreRefusedByName() throws Exception {
    try (Rig rig = Rig.open(folder.resolve("rig"))) {
      List<Seal> seals = chain(rig, signer("a"));
      Map<String, List<Seal>> wrong =
          Map.of(
              "it is given twice",
              List.of(seals.get(0), seals.get(1), seals.get(1), seals.get(2)),
              "seal 2 is missing before it",
              List.of(seals.get(0), seals.get(2)),
              "the seal before it is missing",
              List.of(seals.get(1), seals.get(2)));
      for (Map.Entry<String, List<Seal>> each : wrong.entrySet()) {
        String answer = compute(rig, list(rig, each.getValue()));
        assertThat(answer).startsWith("409 ").contains("quarantined", "b3:", each.getKey());
      }
      assertThat(compute(rig, list(rig, seals))).startsWith("200 ");
    }
  }

  @Test
  void aSealOrAccountingThatWasChangedIsRefusedByItsAddress() throws Exception {
    try (Rig rig = Rig.open(folder.resolve("rig"))) {
      List<Seal> seals = chain(rig, signer("a"));
      String accounting = list(rig, seals);
      Path inputs = folder.resolve("rig/inputs");
      for (Address each : List.of(seals.get(1).address(), seals.get(1).accounting())) {
        Path file = inputs.resolve(each.toString());
        byte[] right = Files.readAllBytes(file);
        byte[] changed = right.clone();
        changed[right.length / 2] ^= 1;
        Files.write(file, changed);
        assertThat(compute(rig, accounting)).startsWith("502 ").contains(each.toString());
        Files.delete(file);
        assertThat(compute(rig, accounting)).startsWith("404 ").contains(each.toString());
        Files.write(file, right);
      }
      // The same seal with more units, under an address of its own: its signature does not fit.
      String text = new String(seals.get(1).bytes(), UTF_8);
      String more = text.replaceFirst("\"bytes_served\":\"", "\"bytes_served\":\"9");
      String address = rig.seal(more);
      String list =
          new String(Files.readAllBytes(inputs.resolve(accounting)), US_ASCII)
              .replace(seals.get(1).address().toString(), address);
      assertThat(compute(rig, rig.seal(list)))
          .startsWith("409 ")
          .contains(address, "number 2", "the signature does not fit");
      assertThat(compute(rig, accounting)).startsWith("200 ");
    }
  }

  /** The lines that a run added up are paid once, when it is kept. */
  @Test
  void epochLinesAreChargedOnce() throws Exception {
    try (Rig rig = Rig.open(folder.resolve("rig"))) {
      String three = "actor,metric,units\na,bytes_served,1\nb,bytes_served,2\na,uptime,3\n";
      assertThat(rig.compute("e", three)).startsWith("200 ");
      assertThat(lines(rig)).isEqualTo(3);
      assertThat(rig.compute("e", three)).as("again").startsWith("200 ");
      assertThat(rig.get("/rewarder/epochs/e/verify")).contains("\"verified\":true");
      assertThat(rig.compute("f", "actor,metric,units\na,other,1\n")).startsWith("409 ");
      assertThat(lines(rig)).isEqualTo(3);
    }
  }

  private static long lines(Rig rig) {
    return rig.ledger.units(Payer.ANONYMOUS, Meter.Unit.EPOCH_LINES);
  }

  /** Elsewhere a metric without a weight stays a bad line: there it is a misspelt one. */
  @Test
  void onlyWhatNodesCountedMayHaveMetricsWithoutAWeight() throws Exception {
    try (Rig rig = Rig.open(folder.resolve("rig"))) {
      assertThat(rig.compute("e", "{\"actor\":\"a\",\"metric\":\"other\",\"units\":\"1\"}\n"))
          .startsWith("409 ")
          .contains("unknown-metric");
    }
  }
}
