package dev.ron.storage.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.AmnesiaStore;
import dev.ron.content.ContentFault;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What copies that could not be stored amount to: too little room, or something else. */
final class PutTallyTest {
  @Test
  void onlyFullDisksMakeTheStorageFull() {
    assertThat(refusal(volume("/a", Volume.State.FULL), volume("/b", Volume.State.FULL)))
        .isInstanceOf(StorageFault.Full.class);
    assertThat(refusal(volume("/a", Volume.State.FULL), volume("/b", Volume.State.GONE)))
        .isInstanceOf(StorageFault.Unavailable.class);
    assertThat(refusal(volume("/a", Volume.State.READ_ONLY)))
        .isInstanceOf(StorageFault.Unavailable.class);
  }

  @Test
  void theWordsOfAReasonDecideNothing() {
    assertThat(refusal(volume("/data/full", Volume.State.GONE)))
        .isEqualTo(
            new StorageFault.Unavailable(
                "0 of the 1 copies a write needs could be stored: /data/full: /data/full is free no"
                    + " more"));
  }

  @Test
  void aDiskThatRefusedIsNamedOnce() {
    Volume volume = volume("/a", Volume.State.FULL);
    var tally = new PutTally(null, 1);
    tally.add(volume, new PutResult.Refused(new ContentFault.Full("the disk is full")));
    assertThat(tally.outcome(List.of(volume)))
        .isEqualTo(
            new ObjectStore.Written.Refused(
                new StorageFault.Full(
                    "0 of the 1 copies a write needs could be stored: /a: the disk is full;"
                        + " free some space, what is stored can be read")));
  }

  private static StorageFault refusal(Volume... volumes) {
    var written = new PutTally(null, 1).outcome(List.of(volumes));
    assertThat(written).isInstanceOf(ObjectStore.Written.Refused.class);
    return ((ObjectStore.Written.Refused) written).fault();
  }

  private static Volume volume(String label, Volume.State state) {
    var volume = new Volume(label, label, new AmnesiaStore(1, 1, 1), Optional::empty);
    volume.condition(new Volume.Condition(state, label + " is free no more"));
    return volume;
  }
}
