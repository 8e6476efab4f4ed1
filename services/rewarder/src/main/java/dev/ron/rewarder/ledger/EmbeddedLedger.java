package dev.ron.rewarder.ledger;

import dev.ron.capability.caveat.Owner;
import dev.ron.journal.AppendResult;
import dev.ron.journal.Durability;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalException;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.core.payout.Account;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The embedded ledger: its rules, and the journal that remembers what they decided.
 *
 * <p>Threading: posted to by one task at a time, read by any thread; {@code lock} guards the
 * accounts.
 */
public final class EmbeddedLedger {
  private static final int RANK = 310;

  /** History past this is replaced by balances. */
  private static final long HISTORY_BYTES_MAX = 64L << 20;

  private final Journal journal;
  private final RankedLock lock;
  private final DoubleEntry entries;
  private long historyBytes;

  /** The outcome of a batch of intents. */
  public sealed interface PostResult {
    record Accepted(int fresh, int duplicates) implements PostResult {}

    record Refused(String why) implements PostResult {}
  }

  private EmbeddedLedger(Journal journal, Registry registry, int accountsMax) {
    this.journal = journal;
    this.lock = new RankedLock(registry, "ledger", RANK);
    this.entries = new DoubleEntry(accountsMax);
  }

  public static EmbeddedLedger recover(Journal journal, Registry registry, int accountsMax)
      throws IOException {
    var book = new EmbeddedLedger(journal, registry, accountsMax);
    long from = journal.first();
    Optional<StoredSnapshot> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      try (var in = new DataInputStream(new BufferedInputStream(snapshot.get().open()))) {
        book.restore(in);
      }
    }
    journal.replay(
        from,
        (_, record) -> {
          book.historyBytes += record.remaining();
          book.entries.apply(PostingForm.decode(record));
        });
    if (!book.entries.sums(Owner.OPERATOR).all().balance().equals("0")) {
      throw new IOException("the ledger's credits and debits differ; its journal is not ours");
    }
    return book;
  }

  /** Returns when the disk has it: journal first, then the accounts. */
  public PostResult post(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    DoubleEntry.Decision decision = lock.call(() -> entries.decide(run, intents));
    if (decision instanceof DoubleEntry.Decision.Refuse(String why)) {
      return new PostResult.Refused(why);
    }
    var post = (DoubleEntry.Decision.Post) decision;
    int fresh = post.posting().intents().size();
    if (fresh > 0) {
      append(post.posting());
    }
    return new PostResult.Accepted(fresh, post.duplicates());
  }

  private void append(DoubleEntry.Posting posting) throws IOException, InterruptedException {
    ByteBuffer record = PostingForm.encode(posting);
    int bytes = record.remaining();
    long next =
        switch (journal.append(List.of(record))) {
          case AppendResult.Taken taken -> taken.next();
          case AppendResult.Refused refused -> throw new JournalException(refused.fault());
        };
    switch (journal.await(next, Deadline.NEVER)) {
      case Durability.Durable _ -> {}
      case Durability.Unknown unknown -> throw new JournalException(unknown.fault());
      case Durability.Late _ -> throw new IllegalStateException("late without a deadline");
    }
    lock.run(() -> entries.apply(posting));
    historyBytes += bytes;
    if (historyBytes > HISTORY_BYTES_MAX) {
      snapshot(next);
    }
  }

  private void snapshot(long position) throws IOException {
    Map<String, Account> accounts = lock.call(entries::accounts);
    Map<String, long[]> settled = lock.call(entries::settledLines);
    journal.snapshot(
        position,
        out -> {
          var data = new DataOutputStream(new BufferedOutputStream(out, 64 << 10));
          data.writeInt(accounts.size());
          for (Map.Entry<String, Account> each : accounts.entrySet()) {
            PostingForm.writeText(data, each.getKey());
            PostingForm.writeWide(data, each.getValue().credits());
            PostingForm.writeWide(data, each.getValue().debits());
          }
          data.writeInt(settled.size());
          for (Map.Entry<String, long[]> each : settled.entrySet()) {
            PostingForm.writeText(data, each.getKey());
            data.writeInt(each.getValue().length);
            for (long word : each.getValue()) {
              data.writeLong(word);
            }
          }
          data.flush();
        });
    journal.trim(position);
    historyBytes = 0;
  }

  private void restore(DataInputStream in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      String name = PostingForm.readText(in);
      entries.restore(name, new Account(PostingForm.readWide(in), PostingForm.readWide(in)));
    }
    for (int left = in.readInt(); left > 0; left--) {
      String runKey = PostingForm.readText(in);
      long[] words = new long[in.readInt()];
      for (int i = 0; i < words.length; i++) {
        words[i] = in.readLong();
      }
      entries.restoreSettled(runKey, words);
    }
  }

  /** An account by the name that a caller knows it by, if it is the caller's. */
  public Optional<Account> account(Owner caller, String name) {
    return lock.call(() -> DoubleEntry.kept(caller, name).flatMap(entries::account));
  }

  /** All credits and all debits of what a caller owns. */
  public DoubleEntry.Sums sums(Owner caller) {
    return lock.call(() -> entries.sums(caller));
  }

  public int settled(String runKey) {
    return lock.call(() -> entries.settled(runKey));
  }
}
