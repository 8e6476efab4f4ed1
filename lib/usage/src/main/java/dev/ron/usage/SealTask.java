package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Seals the spans that were cut: accounting into the storage, the signed seal behind it, and the
 * seal into the folder last. A crash in between repeats the same bytes.
 *
 * <p>A storage that does not answer delays seals and loses nothing: spans stay in the folder. A
 * span whose file is damaged is sealed as lost, so that those behind it are not held up. When there
 * is nothing to seal, it looks through the files one by one and mends what can be made again.
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
  private final Readiness.Condition condition;
  private final AtomicReference<Optional<String>> late;
  private final SpanMender mender;
  private Instant nextCheck = Instant.MIN;

  SealTask(
      Scope scope,
      UsageFolder folder,
      SealSigner signer,
      SealStore store,
      Readiness.Condition condition,
      AtomicReference<Optional<String>> late) {
    this.scope = scope;
    this.folder = folder;
    this.signer = signer;
    this.store = store;
    this.condition = condition;
    this.late = late;
    this.mender = new SpanMender(scope, folder, signer, store);
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    Optional<Long> number = folder.unsealed();
    if (number.isEmpty()) {
      condition.met();
      late.set(Optional.empty());
      check(now);
      return Next.at(now.plus(LOOK_EVERY));
    }
    try {
      boolean sealed = seal(number.get());
      condition.met();
      late.set(Optional.empty());
      return sealed ? Next.again() : Next.at(now.plus(LOOK_EVERY));
    } catch (DamagedFileException damaged) {
      condition.missing("span %d cannot be sealed: %s".formatted(number.get(), damaged.why()));
      return notSealed(number.get(), damaged, now);
    } catch (UnreadableException failed) {
      condition.missing(
          "span %d cannot be read: %s; move its file away to go on without it"
              .formatted(number.get(), failed.getMessage()));
      return notSealed(number.get(), failed, now);
    } catch (IOException failed) {
      // The storage: spans wait for it in their files, and what is asked of this node can be done.
      condition.met();
      late.set(
          Optional.of(
              "%d spans wait for the storage: %s"
                  .formatted(folder.waiting(), failed.getMessage())));
      return notSealed(number.get(), failed, now);
    }
  }

  /** The disk does not give a span, for now or for good. */
  private static final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableException(IOException why) {
      super(why.toString(), why);
    }
  }

  private Next notSealed(long number, IOException why, Instant now) {
    scope.log().warn("usage-not-sealed", "span", number, "why", why.toString());
    return Next.at(now.plus(REST));
  }

  private void check(Instant now) throws InterruptedException {
    if (now.isBefore(nextCheck)) {
      return;
    }
    nextCheck = now.plus(REST);
    mender.next();
  }

  /** False if that has to wait for a later span. */
  private boolean seal(long number) throws IOException, InterruptedException {
    Optional<Seal> before =
        folder.seals().isEmpty()
            ? Optional.empty()
            : Optional.of(mender.soundSeal(folder.seals().last()));
    Optional<Address> previous = before.map(Seal::address);
    UsageSpan span;
    try {
      span = folder.span(number);
    } catch (DamagedFileException damaged) {
      return lost(number, before, damaged);
    } catch (IOException failed) {
      throw new UnreadableException(failed);
    }
    write(Seal.of(span, previous, signer), span);
    return true;
  }

  /**
   * Seals that a span is lost. Its end is the beginning of the next one that can be read: until
   * there is one, there is nothing that it could hold up.
   */
  private boolean lost(long number, Optional<Seal> before, DamagedFileException why)
      throws IOException, InterruptedException {
    Long next = folder.spans().higher(number);
    UsageSpan readable = null;
    while (next != null && readable == null) {
      try {
        readable = folder.span(next);
      } catch (DamagedFileException _) {
        next = folder.spans().higher(next);
      }
    }
    if (readable == null) {
      folder.checked(number);
      return false;
    }
    Instant from = before.map(Seal::to).orElse(readable.from());
    Instant to = readable.number() == number + 1 ? readable.from() : from;
    var empty = new UsageSpan(number, from, to, new TreeMap<>());
    scope.log().error("usage-span-lost", "span", number, "why", why.why());
    write(Seal.lost(empty, before.map(Seal::address), why.why(), signer), empty);
    folder.giveUp(number);
    return true;
  }

  private void write(Seal seal, UsageSpan span) throws IOException, InterruptedException {
    store.put(AccountingLines.write(span.units()));
    store.put(seal.bytes());
    folder.write(seal);
    scope
        .log()
        .info(
            "usage-sealed",
            "number",
            seal.number(),
            "accounts",
            span.units().size(),
            "accounting",
            seal.accounting(),
            "seal",
            seal.address());
  }
}
