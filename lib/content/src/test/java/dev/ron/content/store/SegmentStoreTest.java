package dev.ron.content.store;

import dev.ron.content.ContentStore;
import dev.ron.content.ContentStoreContract;
import dev.ron.content.RunningStore;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.testkit.NoThreadsLeft;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the machine's disk, with segments so small that many are needed. */
@ExtendWith(NoThreadsLeft.class)
class SegmentStoreTest extends ContentStoreContract {
  @TempDir Path folder;
  private RunningStore running;

  @BeforeEach
  void open() throws Exception {
    running = RunningStore.open(new RealDisk(), config());
  }

  SegmentConfig config() {
    return SegmentConfig.in(folder.resolve("store"))
        .withSizes(256 << 10, OBJECT_BYTES_MAX, 64 << 10);
  }

  @AfterEach
  void close() throws Exception {
    running.close();
  }

  @Override
  public ContentStore store() {
    return running.store();
  }
}
