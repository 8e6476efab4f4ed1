package dev.ron.node.fsck;

import dev.ron.journal.Journal.RecordConsumer;
import dev.ron.journal.file.JournalCheck;
import dev.ron.kernel.Scope;
import dev.ron.node.DataFolder;
import dev.ron.node.NodeFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything durable of a node that does not run, read to the last byte. Writes nothing but a
 * scratch folder.
 *
 * <p>Threading: owned by one thread.
 */
public final class NodeCheck {
  private final Scope scope;
  private final CheckTarget target;
  private final List<Anomaly> findings = new ArrayList<>();
  private final List<String> counted = new ArrayList<>();

  private NodeCheck(Scope scope, CheckTarget target) {
    this.scope = scope;
    this.target = target;
  }

  /**
   * @param findings empty if all is as it was written
   * @param counted what was read, a line for each store
   */
  public record Report(List<Anomaly> findings, List<String> counted) {
    public boolean sound() {
      return findings.stream().noneMatch(Anomaly::damage);
    }
  }

  /**
   * @param scratch an empty folder, best on the disk of the names
   */
  public static Report run(Scope scope, CheckTarget target, Path scratch)
      throws IOException, InterruptedException {
    NodeFolders folders = target.folders();
    DataFolder.requireKnown(folders.data());
    var check = new NodeCheck(scope, target);
    MailboxCheck.run(check);
    StorageCheck.run(check, scratch);
    RewarderCheck.run(check, folders.rewarder());
    UsageCheck.run(check, folders.usage());
    EdgeCheck.run(check);
    KeysCheck.run(check);
    return new Report(List.copyOf(check.findings), List.copyOf(check.counted));
  }

  Scope scope() {
    return scope;
  }

  NodeFolders folders() {
    return target.folders();
  }

  CheckTarget target() {
    return target;
  }

  void lost(String store, String what) {
    findings.add(Anomaly.lost(store, what));
  }

  void unfinished(String store, String what) {
    findings.add(Anomaly.unfinished(store, what));
  }

  void counted(String store, String what) {
    counted.add(store + ": " + what);
  }

  /** Guesses from what is left of a record what it said. */
  @FunctionalInterface
  interface Namer {
    Optional<String> name(ByteBuffer remains);
  }

  /**
   * Reads a journal, if there is one.
   *
   * @return how many records it has
   */
  long journal(String store, Path folder, RecordConsumer consumer, Namer namer) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    JournalCheck.Report report = JournalCheck.run(scope.disk(), folder, consumer);
    journal(store, report, namer);
    return report.records();
  }

  void journal(String store, JournalCheck.Report report, Namer namer) {
    for (JournalCheck.Damage damage : report.damage()) {
      Optional<String> name =
          damage.remains().hasRemaining() ? namer.name(damage.remains()) : Optional.empty();
      lost(store, damage + name.map(known -> ": " + known).orElse(""));
    }
    report.unfinished().ifPresent(what -> unfinished(store, what));
  }

  static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
