package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.BucketName;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds something until an outcome is known hears of it, whether a client waits or not. */
@Timeout(30)
final class NameRequestTest {
  private final Names names =
      new Names(
          Scope.of("s3", World.real(Log.silent())),
          MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1)),
          () -> {});
  private final AtomicInteger known = new AtomicInteger();
  private final CompletableFuture<Exception> ended = new CompletableFuture<>();

  private NameRequest taken(Thread client) throws Exception {
    List<NameRequest> taken = List.of();
    while (taken.isEmpty()) {
      taken = names.inbox().receiveBatch(1);
      Thread.onSpinWait();
    }
    client.interrupt();
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    assertThat(known).hasValue(0);
    return taken.getFirst();
  }

  private Thread client() {
    var command = new NameCommand.DeleteBucket(1, new BucketName("bucket"), 7);
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                names.change(command, known::incrementAndGet);
              } catch (Exception gone) {
                ended.complete(gone);
              }
            });
  }

  @Test
  void anOutcomeThatNoClientWaitsForIsKnownOnce() throws Exception {
    NameRequest request = taken(client());
    request.refuse(new S3Fault.NoSuchBucket("bucket"));
    request.refuse(new S3Fault.NoSuchBucket("bucket"));
    request.lose();
    assertThat(known).hasValue(1);
  }

  @Test
  void anOutcomeThatIsLostIsNotKnown() throws Exception {
    taken(client()).lose();
    assertThat(known).hasValue(0);
  }
}
