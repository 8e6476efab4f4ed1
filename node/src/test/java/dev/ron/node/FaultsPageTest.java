package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.decode.DecodeFault;
import dev.ron.edge.EdgeFault;
import dev.ron.gateway.GatewayFault;
import dev.ron.http.HttpFault;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.rewarder.RewarderFault;
import dev.ron.sigv4.SignatureFault;
import dev.ron.storage.StorageFault;
import dev.ron.storage.s3.S3Fault;
import dev.ron.testkit.Golden;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Prints docs/faults.md from the faults themselves, so that no row can be forgotten. */
final class FaultsPageTest {
  private static final Map<String, Class<? extends Fault>> TABLES = tables();

  private static Map<String, Class<? extends Fault>> tables() {
    var tables = new LinkedHashMap<String, Class<? extends Fault>>();
    tables.put("Every door", HttpFault.class);
    tables.put("Bodies that are decoded", DecodeFault.class);
    tables.put("The kernel", KernelFault.class);
    tables.put("Gateway", GatewayFault.class);
    tables.put("Edge", EdgeFault.class);
    tables.put("Mailbox", MailboxFault.class);
    tables.put("SQS, in the protocol of the request", SqsFault.class);
    tables.put("Storage", StorageFault.class);
    tables.put("S3, as an XML document", S3Fault.class);
    tables.put("Signatures of requests", SignatureFault.class);
    tables.put("Rewarder", RewarderFault.class);
    return tables;
  }

  @Test
  void everyFaultHasARow() throws Exception {
    var page = new StringBuilder();
    page.append(
        """
        # Faults

        Everything that is foreseen to go wrong, printed from the code by a test. An answer with one of these is
        `application/problem+json` with the `code`, and a `Retry-After` where waiting helps. The text is an example:
        `…` and 1 stand for values of the request.
        """);
    for (var table : TABLES.entrySet()) {
      page.append("\n## ").append(table.getKey()).append("\n\n");
      page.append("| status | code | blame | retry after | text |\n|---|---|---|---|---|\n");
      rows(table.getValue()).forEach(row -> page.append(row).append('\n'));
    }
    Golden.matches("docs/faults.md", page.toString());
  }

  private static Set<String> rows(Class<?> sealed) throws Exception {
    var faults = new ArrayList<Fault>();
    collect(sealed, faults);
    assertThat(faults).as("faults of " + sealed).isNotEmpty();
    faults.sort(Comparator.comparingInt(Fault::status).thenComparing(Fault::code));
    var rows = new LinkedHashSet<String>();
    for (Fault fault : faults) {
      String status = fault.status() == 0 ? "inside" : String.valueOf(fault.status());
      String retry = fault.retryAfter().map(wait -> wait.toMillis() + " ms").orElse("");
      rows.add(
          "| "
              + String.join(
                  " | ",
                  status,
                  "`" + code(fault) + "`",
                  fault.blame().toString().toLowerCase(java.util.Locale.ROOT),
                  retry,
                  fault.detail().replace("|", "\\|").replace('\n', ' '))
              + " |");
    }
    return rows;
  }

  /** What a client is told. */
  private static String code(Fault fault) {
    return switch (fault) {
      case S3Fault s3 -> s3.s3Code();
      case SqsFault sqs -> sqs.queryCode();
      default -> fault.code();
    };
  }

  private static void collect(Class<?> type, List<Fault> into) throws Exception {
    if (type.isRecord()) {
      into.add((Fault) sample(type));
    } else if (type.isEnum()) {
      Arrays.stream(type.getEnumConstants()).forEach(c -> into.add((Fault) c));
    } else {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        collect(permitted, into);
      }
    }
  }

  /** Made of values that stand for those of a request. */
  private static Object sample(Class<?> type) throws Exception {
    if (type.isSealed()) {
      return sample(type.getPermittedSubclasses()[0]);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    Object plain = PLAIN.get(type);
    if (plain != null) {
      return plain;
    }
    assertThat(type.isRecord()).as("a sample of " + type).isTrue();
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    var values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      // A head that is too long is 431, or 414 where it is the target.
      boolean status = type.getRecordComponents()[i].getName().equals("status");
      values[i] = status ? 431 : sample(types[i]);
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }

  private static final Map<Class<?>, Object> PLAIN =
      Map.ofEntries(
          Map.entry(String.class, "…"),
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(boolean.class, false),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(Instant.class, Instant.EPOCH),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(OptionalLong.class, OptionalLong.empty()),
          Map.entry(List.class, List.of()),
          Map.entry(Set.class, Set.of()),
          Map.entry(Map.class, Map.of()),
          Map.entry(Object.class, "…"),
          Map.entry(Throwable.class, new IllegalStateException("…")),
          Map.entry(Address.class, new Address(Blake3.hash(new byte[0]))));
}
