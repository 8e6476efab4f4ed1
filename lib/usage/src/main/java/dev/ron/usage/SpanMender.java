package dev.ron.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks through spans and seals, one at a time, and writes again what can be made again: a seal
 * from its span and the seal before it, since signing has no chance in it; a span from the
 * accounting that the storage has.
 *
 * <p>Threading: owned by {@link SealTask}.
 */
final class SpanMender {
  private final Scope scope;
  private final UsageFolder folder;
  private final SealSigner signer;
  private final SealStore store;
  private long at;

  SpanMender(Scope scope, UsageFolder folder, SealSigner signer, SealStore store) {
    this.scope = scope;
    this.folder = folder;
    this.signer = signer;
    this.store = store;
  }

  /** Looks at the next one; begins again after the last. */
  void next() throws InterruptedException {
    Long next = folder.after(at);
    if (next == null) {
      at = 0;
      return;
    }
    at = next;
    try {
      check(at);
    } catch (IOException failed) {
      scope.log().warn("usage-not-checked", "span", at, "why", failed.toString());
    }
  }

  private void check(long number) throws IOException, InterruptedException {
    CheckedSpan checked = folder.checked(number);
    for (UsageDamage each : checked.damage()) {
      boolean mended =
          each.file().equals(UsageFolder.sealName(number))
              ? resealed(number).isPresent()
              : checked.seal().isPresent() && restored(checked.seal().get());
      if (mended) {
        scope.log().warn("usage-mended", "span", number, "file", each.file(), "why", each.why());
      } else {
        scope.log().error("usage-damaged", "span", number, "file", each.file(), "why", each.why());
      }
    }
  }

  /** The span's file from the storage. */
  private boolean restored(Seal seal) throws IOException, InterruptedException {
    Optional<byte[]> lines = store.get(seal.accounting());
    if (lines.isEmpty() || !new Address(Blake3.hash(lines.get())).equals(seal.accounting())) {
      return false;
    }
    folder.write(
        new UsageSpan(seal.number(), seal.from(), seal.to(), AccountingLines.read(lines.get())));
    return true;
  }

  /** A seal that is right, made again if it has to be. */
  Seal soundSeal(long number) throws IOException {
    try {
      return folder.soundSeal(number);
    } catch (DamagedFileException damaged) {
      folder.checked(number);
      return resealed(number)
          .orElseThrow(
              () ->
                  new DamagedFileException(
                      "%s is damaged: %s; bring it back from the storage or a backup"
                          .formatted(UsageFolder.sealName(number), damaged.why())));
    }
  }

  /** Only under the key that signed its neighbours, and only if its neighbours fit. */
  private Optional<Seal> resealed(long number) throws IOException {
    try {
      Seal before = neighbour(folder.seals().lower(number));
      Seal after = neighbour(folder.seals().higher(number));
      if (before == null ? number != 1 : before.number() != number - 1) {
        return Optional.empty();
      }
      Seal again =
          Seal.of(folder.span(number), Optional.ofNullable(before).map(Seal::address), signer);
      if ((before != null && !before.node().equals(again.node()))
          || (after != null && !after.previous().equals(Optional.of(again.address())))) {
        return Optional.empty();
      }
      folder.write(again);
      return Optional.of(again);
    } catch (DamagedFileException _) {
      return Optional.empty();
    }
  }

  private @Nullable Seal neighbour(@Nullable Long number) throws IOException {
    return number == null ? null : folder.soundSeal(number);
  }
}
