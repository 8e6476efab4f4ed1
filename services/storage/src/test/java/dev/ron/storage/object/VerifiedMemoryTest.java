package dev.ron.storage.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.FileRegion;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.storage.StorageFault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class VerifiedMemoryTest {
  private static final Duration AGE = Duration.ofMinutes(10);
  private static final long MEMORY = 8 << 20;
  private static final int OBJECT = 300_000;

  private final VirtualTime time = new VirtualTime();
  private final Scope scope = Scope.of("storage", world());
  private final VerifiedMemory memory = VerifiedMemory.of(scope, MEMORY, AGE).orElseThrow();

  private World world() {
    World real = World.real(Log.silent());
    return new World(time, real.chance(), real.secrets(), real.disk(), real.threads(), real.log());
  }

  @Test
  void anObjectComesInWhenItIsReadForTheSecondTime() throws Exception {
    byte[] object = object(1);
    read(object, object.length);
    assertThat(found(object)).isNull();
    read(object, object.length);
    assertThat(found(object)).isEqualTo(object);
    assertThat(memory.begin(address(object), object.length)).as("it is here already").isNull();
  }

  @Test
  void aReadThatEndsEarlyOrIsLostBringsNothingIn() throws Exception {
    byte[] object = object(1);
    read(object, object.length);
    read(object, object.length - 1);
    assertThat(found(object)).isNull();
  }

  @Test
  void aRangeIsCutFromTheObjectAndNothingLiesBeyondIt() throws Exception {
    byte[] object = hot(1);
    for (int[] range : new int[][] {{0, 1}, {65_535, 65_537}, {OBJECT - 1, OBJECT}, {7, OBJECT}}) {
      try (MemoryLease lease = memory.find(address(object), range[0], range[1]).orElseThrow()) {
        assertThat(taken(lease)).isEqualTo(Arrays.copyOfRange(object, range[0], range[1]));
      }
    }
    try (MemoryLease lease = memory.find(address(object), OBJECT, Long.MAX_VALUE).orElseThrow()) {
      assertThat(lease.length()).isZero();
    }
    assertThat(memory.find(address(object), OBJECT + 1, Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void theOldestGoWhenTheMemoryIsUsed() throws Exception {
    byte[] first = hot(0);
    int objects = (int) (2 * MEMORY / OBJECT);
    for (int i = 1; i <= objects; i++) {
      hot(i);
      assertThat(memory.bytes()).isLessThanOrEqualTo(MEMORY);
    }
    assertThat(found(first)).isNull();
    assertThat(found(object(objects))).isEqualTo(object(objects));
    assertThat(memory.objects()).isBetween(2, (int) (MEMORY / OBJECT));
    // It was hot, so its next read brings it back.
    read(first, first.length);
    assertThat(found(first)).isEqualTo(first);
  }

  @Test
  void whatClientsStillReadStaysAsItIsAndCountsAgainstTheBound() throws Exception {
    var leases = new ArrayDeque<MemoryLease>();
    int objects = (int) (3 * MEMORY / OBJECT);
    for (int i = 0; i < objects; i++) {
      read(object(i), OBJECT);
      read(object(i), OBJECT);
      memory.find(address(object(i)), 0, OBJECT).ifPresent(leases::add);
      assertThat(memory.bytes()).isLessThanOrEqualTo(MEMORY);
    }
    assertThat(leases.size()).as("no room is made while all of it is read").isLessThan(objects);
    int each = 0;
    for (MemoryLease lease : leases) {
      assertThat(taken(lease)).isEqualTo(object(each++));
      lease.close();
      lease.close();
    }
    byte[] late = hot(objects + 1);
    assertThat(found(late)).isEqualTo(late);
  }

  @Test
  void whatWasVerifiedTooLongAgoIsNotFoundAndComesBackWithItsNextRead() throws Exception {
    byte[] object = hot(1);
    time.advance(AGE);
    assertThat(found(object)).isEqualTo(object);
    time.advance(Duration.ofMillis(1));
    assertThat(found(object)).isNull();
    read(object, object.length);
    assertThat(found(object)).isEqualTo(object);
  }

  @Test
  void aForgottenObjectIsNotFound() throws Exception {
    byte[] object = hot(1);
    memory.forget(address(object));
    assertThat(found(object)).isNull();
  }

  @Test
  void whatIsLargerThanItsShareStaysOut() {
    Address address = address(object(1));
    for (int i = 0; i < 3; i++) {
      assertThat(memory.begin(address, MEMORY / 8 + 1)).isNull();
      assertThat(memory.begin(address, 0)).isNull();
    }
  }

  @Test
  void noMemoryIsNone() {
    assertThat(VerifiedMemory.of(Scope.of("other", world()), 0, AGE)).isEmpty();
  }

  private byte[] hot(int seed) throws Exception {
    byte[] object = object(seed);
    read(object, object.length);
    read(object, object.length);
    assertThat(found(object)).isEqualTo(object);
    return object;
  }

  /** As a request does, up to where it ends. */
  private void read(byte[] object, int bytes) throws Exception {
    MemoryFill fill = memory.begin(address(object), object.length);
    if (fill != null) {
      try (ObjectReader reader = fill.over(new Groups(object, bytes))) {
        while (reader.next() instanceof ObjectReader.Step.Bytes) {}
      }
    }
  }

  private byte @Nullable [] found(byte[] object) {
    try (MemoryLease lease = memory.find(address(object), 0, Long.MAX_VALUE).orElse(null)) {
      return lease == null ? null : taken(lease);
    }
  }

  private static byte[] taken(MemoryLease lease) {
    byte[] bytes = new byte[(int) lease.length()];
    lease.bytes().get(bytes);
    return bytes;
  }

  private static byte[] object(int seed) {
    byte[] bytes = new byte[OBJECT];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static Address address(byte[] object) {
    return new Address(Blake3.hash(ByteBuffer.wrap(object)));
  }

  /** The object in groups of 64 KiB, lost behind so many bytes. */
  private static final class Groups implements ObjectReader {
    private final byte[] object;
    private final int end;
    private int at;

    Groups(byte[] object, int end) {
      this.object = object;
      this.end = end;
    }

    @Override
    public Step next() {
      if (at == end) {
        return end == object.length
            ? new Step.End()
            : new Step.Lost(new StorageFault.Unavailable("lost"));
      }
      int length = Math.min(end - at, 65_536);
      at += length;
      return new Step.Bytes(ByteBuffer.wrap(object, at - length, length));
    }

    @Override
    public Optional<FileRegion> region() {
      return Optional.empty();
    }

    @Override
    public Optional<Outboard> outboard() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
