package dev.ron.storage.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.AmnesiaStore;
import dev.ron.content.ContentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.Member;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.io.ByteArrayInputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked while a pass over all objects is under way. */
@Timeout(120)
final class LocalInventoryTest {
  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);
  private final AtomicInteger passes = new AtomicInteger();
  private final AmnesiaStore memory = new AmnesiaStore(1 << 20, 100, 1000);
  private final ClusterMap view =
      new ClusterMap(List.of(new Member("a", "r", 1), new Member("b", "r", 1)), Set.of(), 2);
  private final LocalInventory inventory;

  LocalInventoryTest() {
    var volume = new Volume("one", "one", slow(), Optional::empty);
    var book = new DamageTracker(Broadcast.of(scope, "events", 16), StorageMetrics.in(scope));
    var volumes = new Volumes(List.of(volume), 1, 1, book);
    inventory = new LocalInventory("a", volumes, new CodedIndex(), scope.time());
  }

  @Test
  void otherQuestionsAreAnsweredMeanwhileAndTheSameOneIsAnsweredByIt() throws Exception {
    memory.put(new ByteArrayInputStream(new byte[] {1}));
    var first = new AtomicReference<LocalInventory.Pass>();
    var second = new AtomicReference<LocalInventory.Pass>();
    Thread one = ask(first);
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    Thread other = ask(second);
    assertThat(inventory.pass(ClusterNode.Kind.SHARD, view, 2, true).surplus()).isEmpty();
    free.countDown();
    assertThat(one.join(Duration.ofSeconds(60))).isTrue();
    assertThat(other.join(Duration.ofSeconds(60))).isTrue();
    assertThat(first.get().shared().get("b").parts("")).isNotEmpty();
    assertThat(second.get()).isSameAs(first.get());
    assertThat(passes).hasValue(1);
  }

  private Thread ask(AtomicReference<LocalInventory.Pass> answer) {
    return scope
        .world()
        .threads()
        .start(
            "test/ask",
            () -> {
              try {
                answer.set(inventory.pass(ClusterNode.Kind.OBJECT, view, 0, true));
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
  }

  /** The first page of a listing waits until it is let go. */
  private ContentStore slow() {
    return (ContentStore)
        Proxy.newProxyInstance(
            ContentStore.class.getClassLoader(),
            new Class<?>[] {ContentStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("list") && arguments[0] == null) {
                passes.incrementAndGet();
                begun.countDown();
                assertThat(free.await(60, TimeUnit.SECONDS)).isTrue();
              }
              try {
                return method.invoke(memory, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
