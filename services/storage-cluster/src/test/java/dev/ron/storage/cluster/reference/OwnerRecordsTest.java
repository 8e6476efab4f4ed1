package dev.ron.storage.cluster.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.storage.Rig;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.StoredBytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a machine finds of its records when it starts again. */
final class OwnerRecordsTest {
  private static final Address OBJECT = address("object");

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final Volumes volumes = volumes();

  private Volumes volumes() {
    StorageConfig config = Rig.config(Rig.table(Path.of("unused")), StorageConfig::read);
    Broadcast<StorageEvent> events = Broadcast.of(scope, "events", 16);
    var damage = new DamageTracker(events, StorageMetrics.in(scope));
    return new Volumes(List.of(DataDirectories.memory(config)), 1, 1, damage);
  }

  private static Address address(String text) {
    return new Address(Blake3.hash(text.getBytes(UTF_8)));
  }

  private static OwnerRecord record(long counter, Map<String, String> tenants) {
    return new OwnerRecord(OBJECT, new Ballot(counter, "a b"), new Owners(7, tenants, false));
  }

  private OwnerRecords records() {
    return new OwnerRecords("a", volumes, volumes);
  }

  private void store(String text) throws Exception {
    volumes.put(address(text), ObjectStore.Source.of(text.getBytes(UTF_8)));
  }

  @Test
  void theLastRecordCountsWhetherOrNotTheOneBeforeIsGone() throws Exception {
    OwnerRecords records = records();
    OwnerRecord first = record(10, Map.of("acme", "a-1"));
    OwnerRecord last = record(11, Map.of("acme", ""));
    records.level();
    records.ceiling(500);
    records.ceiling(1500);
    records.put(first, null);
    records.put(last, first);
    var loaded = records().load();
    assertThat(loaded.records()).containsExactly(last);
    assertThat(loaded.ceiling()).isEqualTo(1500);
    assertThat(loaded.level()).isTrue();
    records.sweep(loaded.records());
    assertThat(volumes.list(null, 10)).as("the record, the ceiling and the mark").hasSize(3);
    assertThat(records().load()).isEqualTo(loaded);
  }

  @Test
  void whatCannotBeReadIsToBeCopiedFromTheOthers() throws Exception {
    records().level();
    assertThat(records().load().level()).isTrue();
    store("r1 half a record");
    OwnerRecords damaged = records();
    assertThat(damaged.load().level()).isFalse();
    damaged.sweep(List.of());
    assertThat(volumes.list(null, 10)).as("it is gone, and so is the mark").isEmpty();
    assertThat(records().load().level()).as("nothing was copied yet").isFalse();
  }

  @Test
  void aRecordThatIsCopiedBeforeItsVoteComesStaysOnTheDisk() throws Exception {
    records().level();
    var bytes = new StoredBytes(scope, new ByteSeconds(scope.meter()));
    var local = new LocalReferences("a", records(), bytes, scope);
    OwnerRecord record = record(10, Map.of("acme", ""));
    assertThat(local.prepare(OBJECT, record.ballot()).granted()).isTrue();
    local.learn(record);
    assertThat(local.accept(record).granted()).isTrue();
    local.sweep();
    assertThat(records().load().records()).containsExactly(record);
  }

  @Test
  void referencesOfAMachineAloneAreWhatItBeginsWith() throws Exception {
    store("~acme/" + OBJECT);
    store(OBJECT.toString());
    store("~/" + address("dropped"));
    var loaded = records().load();
    assertThat(loaded.level()).as("the others are asked first").isFalse();
    assertThat(loaded.records())
        .allMatch(each -> each.ballot().equals(new Ballot(Ballot.FOUNDING, "a")));
    for (OwnerRecord each : loaded.records()) {
      boolean kept = each.address().equals(OBJECT);
      assertThat(each.owners().owns("acme")).isEqualTo(kept);
      assertThat(each.owners().owns(Owner.DEFAULT)).isEqualTo(kept);
      assertThat(each.owners().isCollectable()).isEqualTo(!kept);
    }
    records().put(record(20, Map.of("evil", "")), null);
    assertThat(records().load().records())
        .as("a later record counts")
        .contains(record(20, Map.of("evil", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r1",
        "r2 b3:00 1:a 7 kept",
        "r1 b3:00 1:a 7 kept",
        "r1 %s a 7 kept",
        "r1 %s 1:a -7 kept",
        "r1 %s 1:a 7 perhaps",
        "r1 %s 1:a 7 kept acme",
        "r1 %s 1:a 7 kept /a-1",
        "r1 %s 1:a 7 kept ../a-1",
      })
  void whatIsNoRecordIsNotTakenForOne(String text) {
    assertThat(OwnerRecord.parse(text.formatted(OBJECT))).isEmpty();
  }

  @Test
  void aMachineKeepsItsPromisesOverAStart() {
    var votes = new OwnerVotes(10, 0);
    OwnerRecord taken = record(10, Map.of("acme", ""));
    assertThat(votes.prepare(taken.key(), taken.ballot()).granted()).isTrue();
    assertThat(votes.prepare(taken.key(), new Ballot(9, "b")).granted()).isFalse();
    assertThat(votes.accept(taken).granted()).isTrue();
    votes.learn(taken);
    assertThat(votes.prepare(taken.key(), new Ballot(12, "b")).record()).isEqualTo(taken);
    assertThat(votes.accept(record(11, Map.of())).granted()).as("below the promise").isFalse();
    var again = new OwnerVotes(10, 100);
    again.learn(taken);
    assertThat(again.accept(record(12, Map.of())).granted()).as("below the ceiling").isFalse();
    assertThat(again.prepare(taken.key(), new Ballot(100, "b")).highest()).isEqualTo(100);
    assertThat(again.prepare(taken.key(), new Ballot(101, "b")).granted()).isTrue();
  }

  @Test
  void promisesThatAreForgottenAreKeptToo() {
    var votes = new OwnerVotes(1, 0);
    OwnerRecord first = record(10, Map.of());
    votes.prepare(first.key(), new Ballot(50, "b"));
    votes.prepare(
        new OwnerRecord(address("other"), first.ballot(), first.owners()).key(), first.ballot());
    assertThat(votes.accept(first).granted()).as("50 was promised").isFalse();
  }
}
