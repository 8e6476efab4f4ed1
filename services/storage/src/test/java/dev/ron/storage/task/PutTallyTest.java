package dev.ron.storage.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.ContentFault;
import dev.ron.content.MemoryStore;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.disk.Shelf;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What copies that could not be stored amount to: too little room, or something else. */
final class PutTallyTest {
  @Test
  void onlyFullDisksMakeTheStorageFull() {
    assertThat(refusal(shelf("/a", Shelf.State.FULL), shelf("/b", Shelf.State.FULL)))
        .isInstanceOf(StorageFault.Full.class);
    assertThat(refusal(shelf("/a", Shelf.State.FULL), shelf("/b", Shelf.State.GONE)))
        .isInstanceOf(StorageFault.Unavailable.class);
    assertThat(refusal(shelf("/a", Shelf.State.READ_ONLY)))
        .isInstanceOf(StorageFault.Unavailable.class);
  }

  @Test
  void theWordsOfAReasonDecideNothing() {
    assertThat(refusal(shelf("/data/full", Shelf.State.GONE)))
        .isEqualTo(
            new StorageFault.Unavailable(
                "0 of the 1 copies a write needs could be stored: /data/full: /data/full is free no"
                    + " more"));
  }

  @Test
  void aDiskThatRefusedIsNamedOnce() {
    Shelf shelf = shelf("/a", Shelf.State.FULL);
    var tally = new PutTally(null, 1);
    tally.add(shelf, new PutResult.Refused(new ContentFault.Full("the disk is full")));
    assertThat(tally.outcome(List.of(shelf)))
        .isEqualTo(
            new Stock.Written.Refused(
                new StorageFault.Full(
                    "0 of the 1 copies a write needs could be stored: /a: the disk is full;"
                        + " free some space, what is stored can be read")));
  }

  private static StorageFault refusal(Shelf... shelves) {
    var written = new PutTally(null, 1).outcome(List.of(shelves));
    assertThat(written).isInstanceOf(Stock.Written.Refused.class);
    return ((Stock.Written.Refused) written).fault();
  }

  private static Shelf shelf(String label, Shelf.State state) {
    var shelf = new Shelf(label, label, new MemoryStore(1, 1, 1), Optional::empty);
    shelf.condition(new Shelf.Condition(state, label + " is free no more"));
    return shelf;
  }
}
