package dev.ron.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.time.Deadline;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.engine.SeedRun;
import dev.ron.simulator.storage.StorageScenario;
import dev.ron.storage.cluster.node.PeerWire;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.reference.ObjectViews;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bugs put between the storage and its world, and found. */
@Timeout(300)
class PlantedStorageBugsTest {
  private static final int SEEDS = 40;
  private static final int LONG_BYTES = 3_000;
  private static final String DURABLE = "what is acknowledged is on enough machines";
  private static final String REGISTER = "an object of an owner is one register";
  private static final String READ = "what is stored can be read";

  /** A vote for what was proposed. */
  private static final byte[] GRANTED =
      "{\"granted\":true,\"level\":true,\"highest\":1}".getBytes(UTF_8);

  private static String invariant(Seams bug) {
    return SeedBudget.firstFailure(new StorageScenario(), bug, SEEDS)
        .orElseThrow(() -> new AssertionError("no seed of " + SEEDS + " shows the planted bug"))
        .violation()
        .orElseThrow()
        .invariant();
  }

  /** What is said between machines. */
  private interface Sender {
    PeerWire.Reply send(PeerWire real, String method, String path, byte[] body, Deadline until)
        throws IOException, InterruptedException;
  }

  private static String onWires(Sender bug) {
    return invariant(wires(bug));
  }

  private static Seams wires(Sender bug) {
    return new Seams() {
      @Override
      public PeerWire wire(String from, String to, PeerWire real) {
        return new WrappedWire(real) {
          @Override
          public Reply send(String method, String path, byte[] body, Deadline until)
              throws IOException, InterruptedException {
            return bug.send(real, method, path, body, until);
          }
        };
      }
    };
  }

  /** A range that begins behind the first window lacks its first byte. */
  @Test
  void aReaderThatBeginsAByteTooLate() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public ObjectViews views(String machine, ObjectViews real) {
                    return proxy(
                        ObjectViews.class,
                        (method, arguments) ->
                            method.getName().equals("of")
                                ? late(real.of((Owner) arguments[0]))
                                : method.invoke(real, arguments));
                  }
                }))
        .isEqualTo("no byte leaves that does not match its name");
  }

  private static ObjectStore late(ObjectStore real) {
    return proxy(
        ObjectStore.class,
        (method, arguments) -> {
          if (method.getName().equals("open") && (long) arguments[1] > 65_536) {
            arguments[1] = (long) arguments[1] + 1;
          }
          return method.invoke(real, arguments);
        });
  }

  /** What a proxy does with a call. */
  private interface Called {
    Object with(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Called called) {
    return type.cast(
        Proxy.newProxyInstance(
            PlantedStorageBugsTest.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                return called.with(method, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }

  /** No bug of the storage: what it reads from others is checked against the name. */
  @Test
  void bytesThatAWireChangesReachNoReader() {
    var sent = new AtomicLong();
    Sender changes =
        (real, method, path, body, until) -> {
          PeerWire.Reply reply = real.send(method, path, body, until);
          if (!path.contains("?from=")
              || reply.status() != 200
              || sent.incrementAndGet() % 8 != 0) {
            return reply;
          }
          byte[] slice = reply.body().readAllBytes();
          slice[slice.length / 2] ^= 1;
          return WrappedWire.reply(200, slice);
        };
    for (long seed = 1; seed <= 4; seed++) {
      assertThat(SeedRun.of(new StorageScenario(), seed, wires(changes)).violation()).isEmpty();
    }
    assertThat(sent.get()).isGreaterThan(100);
  }

  @Test
  void filesThatAreNeverFlushed() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public Disk disk(String machine, Disk real) {
                    return new WrappedDisk(real) {
                      @Override
                      void flush(Path file, DiskFile open) {}
                    };
                  }
                }))
        .isIn(REGISTER, READ, DURABLE, "a machine starts again", "the cluster recovers");
  }

  @Test
  void foldersThatAreNeverFlushed() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public Disk disk(String machine, Disk real) {
                    return new WrappedDisk(real) {
                      @Override
                      public void flushDirectory(Path folder) {}
                    };
                  }
                }))
        .isIn(REGISTER, READ, DURABLE, "a machine starts again", "the cluster recovers");
  }

  /** It says that it stored a copy, and did not. */
  @Test
  void aCopyThatIsAcknowledgedAndNotStored() {
    assertThat(
            onWires(
                (real, method, path, body, until) -> {
                  if (!method.equals("PUT") || !path.startsWith("/peer/o/")) {
                    return real.send(method, path, body, until);
                  }
                  String address = path.substring("/peer/o/".length(), path.indexOf('?'));
                  String stored =
                      "{\"address\":\"%s\",\"size\":%d,\"fresh\":true}"
                          .formatted(address, body.length);
                  return WrappedWire.reply(200, stored.getBytes(UTF_8));
                }))
        .isIn(DURABLE, REGISTER);
  }

  /** It says that it had none. */
  @Test
  void aDeleteThatOneMachineDoesNotDo() {
    assertThat(
            onWires(
                (real, method, path, body, until) ->
                    method.equals("DELETE")
                        ? WrappedWire.reply(404, new byte[0])
                        : real.send(method, path, body, until)))
        .isIn(REGISTER, "what is deleted is collected");
  }

  /** A machine says that it accepted a record of owners, and keeps nothing. */
  @Test
  void aVoteThatIsForgotten() {
    assertThat(
            onWires(
                (real, method, path, body, until) ->
                    path.equals("/peer/references/accept")
                        ? WrappedWire.reply(200, GRANTED)
                        : real.send(method, path, body, until)))
        .isIn(REGISTER, READ);
  }

  /** A machine that is asked whose an object is knows of no record. */
  @Test
  void aMachineThatKnowsOfNoOwners() {
    assertThat(
            onWires(
                (real, method, path, body, until) ->
                    path.equals("/peer/references/read")
                        ? real.send(method, path, "{\"addresses\":[]}".getBytes(UTF_8), until)
                        : real.send(method, path, body, until)))
        .isIn(REGISTER, READ, "what is deleted is collected");
  }

  /** What is asked for repair is asked for eight times and paid for once. */
  @Test
  void repairThatMovesMoreThanItPaysFor() {
    assertThat(
            onWires(
                (real, method, path, body, until) -> {
                  for (int i = 1; i < 8 && path.endsWith("for=repair"); i++) {
                    real.send(method, path, body, until).close();
                  }
                  return real.send(method, path, body, until);
                }))
        .isEqualTo("the repair budget is never exceeded");
  }

  /** What was stored and answered is taken back, as if the write had been refused. */
  @Test
  void aGoodWriteThatIsTakenBack() {
    assertThat(
            onWires(
                (real, method, path, body, until) -> {
                  PeerWire.Reply stored = real.send(method, path, body, until);
                  if (method.equals("PUT") && path.startsWith("/peer/o/")) {
                    String address = path.substring("/peer/o/".length(), path.indexOf('?'));
                    String write = path.replaceAll(".*[?&]write=([^&]*).*", "$1");
                    String back =
                        "{\"kind\":\"o\",\"address\":\"%s\",\"write\":\"%s\"}"
                            .formatted(address, write);
                    real.send("POST", "/peer/back", back.getBytes(UTF_8), until).close();
                  }
                  return stored;
                }))
        .isIn(DURABLE, REGISTER);
  }

  /** A machine that looks at no hash gives out what has rotted on its disk. */
  @Test
  void rotThatIsServed() {
    assertThat(
            invariant(
                new Seams() {
                  @Override
                  public ObjectViews views(String machine, ObjectViews real) {
                    return !machine.equals("b")
                        ? real
                        : proxy(
                            ObjectViews.class,
                            (method, arguments) ->
                                method.getName().equals("of")
                                    ? rotten(real.of((Owner) arguments[0]))
                                    : method.invoke(real, arguments));
                  }
                }))
        .isEqualTo("no byte leaves that does not match its name");
  }

  private static ObjectStore rotten(ObjectStore real) {
    return proxy(
        ObjectStore.class,
        (method, arguments) ->
            method.getName().equals("open")
                ? rotten((ObjectReader) method.invoke(real, arguments))
                : method.invoke(real, arguments));
  }

  /** The last bit of a long piece. */
  private static ObjectReader rotten(ObjectReader real) {
    return proxy(
        ObjectReader.class,
        (method, arguments) -> {
          Object answer = method.invoke(real, arguments);
          if (answer instanceof ObjectReader.Step.Bytes(ByteBuffer bytes)
              && bytes.remaining() > LONG_BYTES) {
            byte[] piece = new byte[bytes.remaining()];
            bytes.duplicate().get(piece);
            piece[piece.length - 1] ^= 1;
            return new ObjectReader.Step.Bytes(ByteBuffer.wrap(piece));
          }
          return answer;
        });
  }
}
