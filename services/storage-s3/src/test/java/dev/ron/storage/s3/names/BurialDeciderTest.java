package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocks that three machines store, name, find, let go and delete, a step of one of them at a time:
 * whatever a row refers to is there on all of them.
 */
@Timeout(120)
final class BurialDeciderTest {
  private static final List<String> MACHINES = List.of("a", "b", "c");
  private static final List<Address> BLOCKS =
      IntStream.range(0, 3).mapToObj(i -> new Address(Blake3.hash(new byte[] {(byte) i}))).toList();
  private static final List<ObjectKey> KEYS =
      IntStream.range(0, 3).mapToObj(i -> ObjectKey.of("key-" + i).orElseThrow()).toList();

  /** What is referred to and not there; empty if all is well. */
  private static final class Steps {
    private final TableRows rows = new TableRows();
    private final NameMachine machine = new NameMachine(rows);
    private final NameView view = new NameView(rows);
    private final Map<String, Set<Address>> bytes = new HashMap<>();
    private final List<Put> puts = new ArrayList<>();
    private final List<NameCommand> late = new ArrayList<>();
    private final RandomGenerator random;
    private final boolean careless;
    private List<String> group = MACHINES;
    private long sequence;
    private int named;
    private int refused;
    private int buried;
    private int former;

    private record Put(Address block, long since, List<String> unstored) {}

    Steps(RandomGenerator random, boolean careless) {
      this.random = random;
      this.careless = careless;
      MACHINES.forEach(each -> bytes.put(each, new HashSet<>()));
      apply(
          new NameCommand.CreateBucket(
              new BucketName("bucket"), "main", false, Acl.NONE, "", null, 1),
          0);
    }

    private NameOutcome apply(NameCommand command, long since) {
      sequence++;
      NameDecision decision =
          machine.decide(command, careless ? NameMachine.NO_BURIALS : since, sequence);
      decision.changes().forEach(rows::take);
      return decision.outcome();
    }

    private <T> T any(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    void step() {
      if (random.nextInt(400) == 0) {
        leave();
      }
      int drawn = random.nextInt(24);
      if (drawn < 4) {
        puts.add(new Put(any(BLOCKS), sequence, new ArrayList<>(group)));
      } else if (drawn < 6) {
        find();
      } else if (drawn < 17) {
        store();
      } else if (drawn < 19) {
        let(any(KEYS));
      } else if (drawn < 20) {
        condemn();
        former();
      } else if (drawn < 23) {
        delete(any(MACHINES));
      } else {
        lateOrForget();
      }
    }

    /** A copy finds the block by a row and stores nothing. */
    private void find() {
      Address block = any(BLOCKS);
      if (view.isReferenced(block)) {
        puts.add(new Put(block, sequence, new ArrayList<>()));
      }
    }

    /** One more machine has the bytes of a put, or it is given its name. */
    private void store() {
      if (puts.isEmpty()) {
        return;
      }
      Put put = any(puts);
      if (!put.unstored().isEmpty()) {
        String to = put.unstored().remove(random.nextInt(put.unstored().size()));
        bytes.get(to).add(put.block());
        return;
      }
      puts.remove(put);
      if (apply(put(any(KEYS), put.block()), put.since()) instanceof NameOutcome.Stored) {
        named++;
      } else {
        refused++;
      }
    }

    private NameCommand put(ObjectKey key, Address block) {
      var version =
          new ObjectVersion(
              new Uid(0, 7),
              ObjectVersion.Kind.OBJECT,
              false,
              "main",
              sequence,
              1,
              new EntityTag("00112233445566778899aabbccddeeff", 0),
              null,
              List.of(),
              List.of(),
              Acl.NONE,
              null,
              false,
              new ObjectContent.Blocks(List.of(new Extent(block, 0, 1))),
              null);
      return new NameCommand.PutObject(
          1, new BucketName("bucket"), key, version, WriteCondition.NONE);
    }

    private void let(ObjectKey key) {
      apply(
          new NameCommand.DeleteObject(
              1,
              new BucketName("bucket"),
              key,
              new VersionRef.Current(),
              WriteCondition.NONE,
              "main",
              false,
              7,
              sequence),
          sequence);
    }

    private void condemn() {
      List<NameCommand.Garbage> garbage = view.garbage(null, Long.MAX_VALUE, 10);
      apply(new NameCommand.Condemn(garbage, group), sequence);
    }

    /** The last machine is let go; it may still delete what it has, and say so. */
    private void leave() {
      group = MACHINES.subList(0, 2);
    }

    /** The machine that leads says for those that left what they owe. */
    private void former() {
      view.condemnedElsewhere(Set.copyOf(group), 2)
          .forEach(
              (gone, blocks) -> {
                former += blocks.size();
                apply(new NameCommand.Bury(gone, blocks, sequence), sequence);
              });
    }

    /** Says so now, or much later and twice, as a machine that was started anew. */
    private void delete(String at) {
      List<NameCommand.Condemned> blocks = view.condemned(at, null, 10);
      if (blocks.isEmpty()) {
        return;
      }
      blocks.forEach(each -> bytes.get(at).remove(each.block()));
      var said = new NameCommand.Bury(at, blocks, sequence);
      if (random.nextInt(3) == 0) {
        late.add(said);
      }
      buried += blocks.size();
      apply(said, sequence);
    }

    private void lateOrForget() {
      if (!late.isEmpty() && random.nextBoolean()) {
        apply(late.remove(random.nextInt(late.size())), sequence);
      } else if (random.nextBoolean()) {
        view.buriedBefore(Long.MAX_VALUE, 1 + random.nextInt(3))
            .ifPresent(upTo -> apply(new NameCommand.ForgetBuried(upTo), sequence));
      } else {
        apply(new NameCommand.NoteOrphans(BLOCKS, sequence), sequence);
      }
    }

    List<String> missing() {
      var missing = new ArrayList<String>();
      for (Address block : BLOCKS) {
        for (String each : group) {
          if (view.isReferenced(block) && !bytes.get(each).contains(block)) {
            missing.add(block + " on " + each);
          }
        }
      }
      return missing;
    }
  }

  @Test
  void whatARowRefersToIsThereOnAllMachines() {
    int[] seen = new int[4];
    Seeds.forEach(
        300,
        (_, random) -> {
          var steps = new Steps(random, false);
          for (int i = 0; i < 400; i++) {
            steps.step();
            assertThat(steps.missing()).as("after step " + i).isEmpty();
          }
          seen[0] += steps.named;
          seen[1] += steps.refused;
          seen[2] += steps.buried;
          seen[3] += steps.former;
        });
    assertThat(IntStream.of(seen).limit(3))
        .as("names given, refused, deletes")
        .allMatch(it -> it > 1000);
    assertThat(seen[3]).as("deletes that a machine owed when it left").isGreaterThan(10);
  }

  /**
   * The test above can fail: without the rule about requests that began before a burial, it does.
   */
  @Test
  void withoutTheRuleBytesAreLost() {
    int[] lost = new int[1];
    Seeds.forEach(
        50,
        (_, random) -> {
          var steps = new Steps(random, true);
          for (int i = 0; i < 400 && steps.missing().isEmpty(); i++) {
            steps.step();
          }
          lost[0] += steps.missing().isEmpty() ? 0 : 1;
        });
    assertThat(lost[0]).isPositive();
  }

  /** A machine that left deletes nothing, and the same bytes can be stored and named again. */
  @Test
  void whatAMachineOwedThatLeftIsBuriedWithoutIt() {
    int[] owed = new int[1];
    Seeds.forEach(
        50,
        (_, random) -> {
          var steps = new Steps(random, false);
          for (int i = 0; i < 300; i++) {
            steps.step();
          }
          for (ObjectKey key : KEYS) {
            steps.let(key);
          }
          steps.apply(new NameCommand.NoteOrphans(BLOCKS, 1), steps.sequence);
          steps.condemn();
          steps.leave();
          steps.group.forEach(steps::delete);
          owed[0] += (int) BLOCKS.stream().filter(steps.view::isCondemned).count();
          for (int i = 0; i < BLOCKS.size(); i++) {
            steps.former();
          }
          assertThat(BLOCKS).noneMatch(steps.view::isCondemned);
          for (Address block : BLOCKS) {
            steps.group.forEach(each -> steps.bytes.get(each).add(block));
            assertThat(steps.apply(steps.put(KEYS.getFirst(), block), steps.sequence))
                .isInstanceOf(NameOutcome.Stored.class);
          }
          assertThat(steps.missing()).isEmpty();
        });
    assertThat(owed[0]).as("blocks that only the machine that left had to delete").isPositive();
  }

  /** When everything is let go and every machine does its part, no bytes are left. */
  @Test
  void whatNothingRefersToGoes() {
    Seeds.forEach(
        50,
        (_, random) -> {
          var steps = new Steps(random, false);
          for (int i = 0; i < 300; i++) {
            steps.step();
          }
          steps.puts.clear();
          for (ObjectKey key : KEYS) {
            steps.let(key);
            assertThat(steps.view.newest(1, key)).isEmpty();
          }
          steps.apply(new NameCommand.NoteOrphans(BLOCKS, 1), steps.sequence);
          steps.condemn();
          MACHINES.forEach(steps::delete);
          steps.apply(new NameCommand.NoteOrphans(BLOCKS, 1), steps.sequence);
          steps.condemn();
          MACHINES.forEach(steps::delete);
          assertThat(steps.group).allMatch(each -> steps.bytes.get(each).isEmpty());
          assertThat(BLOCKS).noneMatch(steps.view::isCondemned);
        });
  }
}
