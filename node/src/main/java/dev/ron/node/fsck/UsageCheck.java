package dev.ron.node.fsck;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.usage.AccountingLines;
import dev.ron.usage.SealChain;
import dev.ron.usage.UsageFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The journal of counts, the spans that were cut, and the chain of seals over them.
 *
 * <p>Threading: owned by one thread.
 */
final class UsageCheck {
  private static final String STORE = "usage";

  private final NodeCheck check;
  private final Map<Address, byte[]> accounting = new HashMap<>();

  private UsageCheck(NodeCheck check) {
    this.check = check;
  }

  static void run(NodeCheck check, Path folder) throws IOException, InterruptedException {
    if (Files.exists(folder)) {
      new UsageCheck(check).run(folder);
    }
  }

  private void run(Path folder) throws IOException, InterruptedException {
    long records =
        check.journal(STORE, folder.resolve("journal"), (_, _) -> {}, _ -> Optional.empty());
    int spans = 0;
    int seals = 0;
    if (Files.exists(folder.resolve("spans"))) {
      UsageFolder files = UsageFolder.open(check.scope().disk(), folder.resolve("spans"));
      spans(files);
      seals(files);
      spans = files.spans().size();
      seals = files.seals().size();
    }
    check.counted(STORE, "%d records, %d spans, %d seals".formatted(records, spans, seals));
  }

  private void spans(UsageFolder files) {
    Long before = null;
    for (long number : files.spans()) {
      if (before != null && number != before + 1) {
        check.lost(STORE, "spans %d to %d are gone".formatted(before + 1, number - 1));
      }
      before = number;
      try {
        byte[] lines = AccountingLines.write(files.span(number).units());
        accounting.put(new Address(Blake3.hash(lines)), lines);
      } catch (IOException | RuntimeException wrong) {
        check.lost(STORE, "span %d cannot be read: %s".formatted(number, wrong.getMessage()));
      }
    }
  }

  /** A span older than those that are kept is in the storage alone. */
  private void seals(UsageFolder files) throws IOException, InterruptedException {
    long oldest = files.spans().isEmpty() ? Long.MAX_VALUE : files.spans().first();
    var chain = new SealChain(address -> Optional.ofNullable(accounting.get(address)));
    Long before = null;
    for (long number : files.seals()) {
      if (before != null && number != before + 1) {
        check.lost(STORE, "seals %d to %d are gone".formatted(before + 1, number - 1));
      }
      before = number;
      int known = chain.findings().size();
      byte[] bytes = files.seal(number);
      chain.next(bytes);
      boolean kept = number >= oldest;
      chain.findings().stream()
          .skip(known)
          .filter(what -> kept || !what.contains("accounting"))
          .forEach(what -> check.lost(STORE, "seal file %d: %s".formatted(number, what)));
    }
    if (before != null && !files.spans().isEmpty() && files.spans().first() > before + 1) {
      check.lost(STORE, "seals %d and later are gone".formatted(before + 1));
    }
  }
}
