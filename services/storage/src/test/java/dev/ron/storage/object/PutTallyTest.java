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
    assertThat(refusal(shelf("/a", Volume.State.FULL), shelf("/b", Volume.State.FULL)))
        .isInstanceOf(StorageFault.Full.class);
    assertThat(refusal(shelf("/a", Volume.State.FULL), shelf("/b", Volume.State.GONE)))
        .isInstanceOf(StorageFault.Unavailable.class);
    assertThat(refusal(shelf("/a", Volume.State.READ_ONLY)))
        .isInstanceOf(StorageFault.Unavailable.class);
  }

  @Test
  void theWordsOfAReasonDecideNothing() {
    assertThat(refusal(shelf("/data/full", Volume.State.GONE)))
        .isEqualTo(
            new StorageFault.Unavailable(
                "0 of the 1 copies a write needs could be stored: /data/full: /data/full is free no"
                    + " more"));
  }

  @Test
  void aDiskThatRefusedIsNamedOnce() {
    Volume shelf = shelf("/a", Volume.State.FULL);
    var tally = new PutTally(null, 1);
    tally.add(shelf, new PutResult.Refused(new ContentFault.Full("the disk is full")));
    assertThat(tally.outcome(List.of(shelf)))
        .isEqualTo(
            new ObjectStore.Written.Refused(
                new StorageFault.Full(
                    "0 of the 1 copies a write needs could be stored: /a: the disk is full;"
                        + " free some space, what is stored can be read")));
  }

  private static StorageFault refusal(Volume... shelves) {
    var written = new PutTally(null, 1).outcome(List.of(shelves));
    assertThat(written).isInstanceOf(ObjectStore.Written.Refused.class);
    return ((ObjectStore.Written.Refused) written).fault();
  }

  private static Volume shelf(String label, Volume.State state) {
    var shelf = new Volume(label, label, new AmnesiaStore(1, 1, 1), Optional::empty);
    shelf.condition(new Volume.Condition(state, label + " is free no more"));
    return shelf;
  }
}
