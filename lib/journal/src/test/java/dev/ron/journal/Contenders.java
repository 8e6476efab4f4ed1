package dev.ron.journal;

import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** The logs that are measured beside each other, each in a folder of its own. */
final class Contenders {
  /** As large as a segment of ours. */
  private static final int ARTEMIS_FILE_BYTES = 64 << 20;

  private static final int ARTEMIS_BUFFER_BYTES = 490 << 10;

  private Contenders() {}

  static Contender ours(String name, Path folder, int growBytes) throws Exception {
    Scope scope = Scope.of(name, World.real(Log.silent()));
    JournalSettings settings =
        JournalSettings.in(folder).sized(64 << 20, 4 << 20, 2 << 20, growBytes);
    FileJournal journal = FileJournal.open(scope, settings);
    Tree tree =
        Supervisor.named(name).child("flush", Restart.ALWAYS, journal::flushTask).start(scope);
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void appendDurably(byte[] record) throws Exception {
        AppendResult answer = journal.append(List.of(ByteBuffer.wrap(record)));
        if (!(answer instanceof AppendResult.Taken taken)
            || !(journal.await(taken.next(), Deadline.NEVER) instanceof Durability.Durable)) {
          throw new IOException("not taken: " + answer);
        }
      }

      @Override
      public void end() throws Exception {
        tree.drain();
      }
    };
  }

  /**
   * @param bufferTimeoutNanos how long its buffer gathers before a flush; 0 for no buffer, when
   *     each append flushes by itself
   */
  static Contender artemis(String name, Path folder, int bufferTimeoutNanos) throws Exception {
    var factory =
        new NIOSequentialFileFactory(
            folder.toFile(),
            bufferTimeoutNanos > 0,
            ARTEMIS_BUFFER_BYTES,
            bufferTimeoutNanos,
            1,
            false);
    var journal = new JournalImpl(ARTEMIS_FILE_BYTES, 2, 2, 0, 0, factory, "log", "amq", 1);
    journal.start();
    journal.loadInternalOnly();
    var next = new AtomicLong();
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void appendDurably(byte[] record) throws Exception {
        journal.appendAddRecord(next.incrementAndGet(), (byte) 0, record, true);
      }

      @Override
      public void end() throws Exception {
        journal.stop();
      }
    };
  }

  static Contender rocks(String name, Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    // Its own way to group commits, and a log that is kept in place.
    var options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(64 << 20)
            .setWalBytesPerSync(0)
            .setEnablePipelinedWrite(true);
    var sync = new WriteOptions().setSync(true);
    RocksDB db = RocksDB.open(options, folder.toString());
    var next = new AtomicLong();
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void appendDurably(byte[] record) throws RocksDBException {
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(next.incrementAndGet()).array();
        db.put(sync, key, record);
      }

      @Override
      public void end() {
        db.close();
        sync.close();
        options.close();
      }
    };
  }

  static Path folder(Path parent, String name) throws IOException {
    return Files.createDirectories(parent.resolve(name.replace(' ', '-')));
  }
}
