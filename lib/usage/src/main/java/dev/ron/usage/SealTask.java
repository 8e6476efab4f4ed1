package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Seals the spans that were cut: accounting into the storage, the signed seal behind it, and the
 * seal into the folder last. A crash in between repeats the same bytes.
 *
 * <p>A storage that does not answer delays seals and loses nothing: spans stay in the folder.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class SealTask implements Task {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration REST = Duration.ofSeconds(5);

  private final Scope scope;
  private final UsageFolder folder;
  private final SealSigner signer;
  private final SealStore store;

  SealTask(Scope scope, UsageFolder folder, SealSigner signer, SealStore store) {
    this.scope = scope;
    this.folder = folder;
    this.signer = signer;
    this.store = store;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    Optional<Long> number = folder.unsealed();
    if (number.isEmpty()) {
      return Next.at(now.plus(LOOK_EVERY));
    }
    try {
      seal(number.get());
      return Next.again();
    } catch (IOException failed) {
      scope.log().warn("usage-not-sealed", "span", number.get(), "why", failed.toString());
      return Next.at(now.plus(REST));
    }
  }

  private void seal(long number) throws IOException, InterruptedException {
    UsageSpan span = folder.span(number);
    Optional<Address> previous =
        folder.seals().isEmpty()
            ? Optional.empty()
            : Optional.of(new Address(Blake3.hash(folder.seal(folder.seals().last()))));
    Seal seal = Seal.of(span, previous, signer);
    store.put(AccountingLines.write(span.units()));
    store.put(seal.bytes());
    folder.write(seal);
    scope
        .log()
        .info(
            "usage-sealed",
            "number",
            number,
            "accounts",
            span.units().size(),
            "accounting",
            seal.accounting(),
            "seal",
            seal.address());
  }
}
