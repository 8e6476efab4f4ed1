package dev.ron.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.time.Deadline;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Appends from four threads and says each position once it is durable, until it is killed.
 *
 * <p>Threading: the appenders share the journal and the standard output.
 */
public final class KilledMain {
  private static final int APPENDERS = 4;

  private KilledMain() {}

  public static JournalSettings settings(Path folder) {
    return JournalSettings.in(folder).sized(64 << 10, 16 << 10, 8 << 10, 4 << 10);
  }

  /** The folder, and a word for this run that no other run has. */
  public static void main(String[] args) throws Exception {
    Scope scope = Scope.of("killed", World.real(Log.silent()));
    FileJournal journal = FileJournal.open(scope, settings(Path.of(args[0])));
    Supervisor.named("killed").child("flush", Restart.ALWAYS, journal::flushTask).start(scope);
    for (int i = 1; i < APPENDERS; i++) {
      String name = args[1] + "." + i;
      Thread.ofPlatform().start(() -> appendForever(journal, name));
    }
    appendForever(journal, args[1] + ".0");
  }

  private static void appendForever(FileJournal journal, String name) {
    try {
      for (int i = 0; true; i++) {
        String text = name + "." + i + "." + "x".repeat(i * 37 % 1500);
        AppendResult answer = journal.append(List.of(ByteBuffer.wrap(text.getBytes(UTF_8))));
        if (!(answer instanceof AppendResult.Taken(long first, long next))) {
          throw new IllegalStateException("refused: " + answer);
        }
        Durability durability = journal.await(next, Deadline.NEVER);
        if (!(durability instanceof Durability.Durable)) {
          throw new IllegalStateException("not durable: " + durability);
        }
        System.out.println(first + " " + text);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
