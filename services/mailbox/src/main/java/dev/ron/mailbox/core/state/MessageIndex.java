package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What memory holds of each message: three words, and no body.
 *
 * <pre>
 * word 0   48 bits of the id's time, 16 of its chance
 * word 1   48 bits of the journal's position of its record; attempts, state, queued
 * word 2   whether it ever waited; 31 bits of payload bytes, 32 of its lane
 * </pre>
 *
 * <p>Messages are named by the number in their id, which rises by one, so that 64 neighbours share
 * a page. A page is given up when its last message is gone. A page that was frozen is copied before
 * it is changed again: so a snapshot costs a list of pages, and no request waits for it.
 *
 * <p>Threading: owned by the shard's loop; a {@link IndexPage} that was frozen may be read by
 * another.
 */
public final class MessageIndex {
  private static final int PAGE_MESSAGES = IndexPage.MESSAGES;
  private static final int WORDS = IndexPage.WORDS;

  /** Page, its array, and its place in the map. */
  static final int PAGE_BYTES = PAGE_MESSAGES * WORDS * Long.BYTES + 112;

  private static final int POSITION_SHIFT = IndexPage.POSITION_SHIFT;
  private static final int ATTEMPTS_SHIFT = 4;
  private static final long ATTEMPTS_MASK = 0xfff;

  /** Where the count stands still, because the journal's position lies in the bits above it. */
  static final int ATTEMPTS_MAX = (int) ATTEMPTS_MASK;

  private static final int STATE_SHIFT = 1;
  private static final long STATE_MASK = 7;
  private static final long QUEUED = 1;

  /** The top of word 2, which payloads leave free. */
  private static final long WAITED = 1L << 63;

  private final int shard;

  /** In the order of their numbers, because the newest message has the highest. */
  private final Map<Long, Slot> pages = new LinkedHashMap<>();

  private long stamp;
  private int size;
  private long lastNumber;
  private @Nullable Slot last;

  /** A page and how much of it is used; zeros are no message. */
  private static final class Slot {
    private long[] words;
    private long stamp;
    private int used;

    Slot(long[] words, long stamp) {
      this.words = words;
      this.stamp = stamp;
    }
  }

  MessageIndex(int shard) {
    this.shard = shard;
  }

  /** One that takes over the pages of a snapshot, arrays and all. */
  MessageIndex(int shard, List<IndexPage> frozen) {
    this(shard);
    for (IndexPage page : frozen) {
      var slot = new Slot(page.words(), stamp);
      pages.put(page.number(), slot);
      for (int i = 1; i < page.words().length; i += WORDS) {
        if (page.words()[i] != 0) {
          page.words()[i] &= ~QUEUED;
          slot.used++;
          size++;
        }
      }
    }
  }

  void add(Ulid id, long position, int payloadBytes, int lane) {
    long number = id.number();
    Slot slot =
        pages.computeIfAbsent(
            number / PAGE_MESSAGES, _ -> new Slot(new long[PAGE_MESSAGES * WORDS], stamp));
    int at = at(number);
    if (slot.words[at + 1] != 0) {
      throw new IllegalStateException(id + " is here already");
    }
    long[] words = own(slot);
    words[at] = (id.millis() << 16) | (id.low() & 0xffff);
    // A state of its own for "here", so that no message is all zeros.
    words[at + 1] = (position << POSITION_SHIFT) | stateBits(IndexedMessage.State.LIFTED);
    words[at + 2] = ((long) payloadBytes << 32) | lane;
    slot.used++;
    size++;
  }

  void remove(long number) {
    Slot slot = slot(number);
    long[] words = own(slot);
    int at = at(number);
    words[at] = 0;
    words[at + 1] = 0;
    words[at + 2] = 0;
    size--;
    if (--slot.used == 0) {
      pages.remove(number / PAGE_MESSAGES);
      last = null;
    }
  }

  public boolean contains(long number) {
    Slot slot = page(number);
    return slot != null && slot.words[at(number) + 1] != 0;
  }

  /** True if this very id is here, not only one of its number. */
  boolean contains(Ulid id) {
    return contains(id.number()) && id(id.number()).equals(id);
  }

  Ulid id(long number) {
    long word = slot(number).words[at(number)];
    return new Ulid(((word >>> 16) << 16) | shard, (number << 16) | (word & 0xffff));
  }

  public long position(long number) {
    return slot(number).words[at(number) + 1] >>> POSITION_SHIFT;
  }

  void position(long number, long position) {
    change(number, ~(-1L << POSITION_SHIFT), position << POSITION_SHIFT);
  }

  int attempts(long number) {
    return (int) ((slot(number).words[at(number) + 1] >>> ATTEMPTS_SHIFT) & ATTEMPTS_MASK);
  }

  void attempts(long number, int attempts) {
    long counted = Math.clamp(attempts, 0, ATTEMPTS_MAX);
    change(number, ~(ATTEMPTS_MASK << ATTEMPTS_SHIFT), counted << ATTEMPTS_SHIFT);
  }

  IndexedMessage.State state(long number) {
    long word = slot(number).words[at(number) + 1];
    return IndexedMessage.State.of((int) ((word >>> STATE_SHIFT) & STATE_MASK));
  }

  void state(long number, IndexedMessage.State state) {
    change(number, ~(STATE_MASK << STATE_SHIFT), stateBits(state));
  }

  private static long stateBits(IndexedMessage.State state) {
    return (long) state.code() << STATE_SHIFT;
  }

  /** Whether a lane's queue has an entry for it. */
  boolean queued(long number) {
    return (slot(number).words[at(number) + 1] & QUEUED) != 0;
  }

  void queued(long number, boolean is) {
    change(number, ~QUEUED, is ? QUEUED : 0);
  }

  int payloadBytes(long number) {
    return (int) ((slot(number).words[at(number) + 2] & ~WAITED) >>> 32);
  }

  /** Whether it was ever delayed, by its sender or after a nack, or was dead for a while. */
  public boolean hasWaited(long number) {
    return (slot(number).words[at(number) + 2] & WAITED) != 0;
  }

  void waited(long number) {
    own(slot(number))[at(number) + 2] |= WAITED;
  }

  void lane(long number, int lane) {
    long[] words = own(slot(number));
    int at = at(number) + 2;
    words[at] = (words[at] & ~0xffff_ffffL) | lane;
  }

  int lane(long number) {
    return (int) slot(number).words[at(number) + 2];
  }

  private void change(long number, long keep, long set) {
    long[] words = own(slot(number));
    int at = at(number) + 1;
    words[at] = (words[at] & keep) | set;
  }

  private static int at(long number) {
    return (int) (number % PAGE_MESSAGES) * WORDS;
  }

  private Slot slot(long number) {
    return Objects.requireNonNull(page(number), "a message that is here");
  }

  /** Neighbours are asked for one after the other, and each several times: the last is at hand. */
  private @Nullable Slot page(long number) {
    long wanted = number / PAGE_MESSAGES;
    if (wanted != lastNumber || last == null) {
      last = pages.get(wanted);
      lastNumber = wanted;
    }
    return last;
  }

  /** The array to change: a copy if a snapshot may be reading the other. */
  private long[] own(Slot slot) {
    if (slot.stamp != stamp) {
      slot.words = slot.words.clone();
      slot.stamp = stamp;
    }
    return slot.words;
  }

  /** Gets the number of one message; false ends the walk. */
  public interface Visitor {
    boolean visit(long number);
  }

  /** Goes through all messages in the order they came in. */
  public void walk(Visitor visitor) {
    for (Map.Entry<Long, Slot> page : pages.entrySet()) {
      long[] words = page.getValue().words;
      for (int i = 0; i < words.length; i += WORDS) {
        if (words[i + 1] != 0 && !visitor.visit(page.getKey() * PAGE_MESSAGES + i / WORDS)) {
          return;
        }
      }
    }
  }

  /** All pages as they are now. */
  List<IndexPage> freeze() {
    stamp++;
    var frozen = new ArrayList<IndexPage>(pages.size());
    pages.forEach((number, slot) -> frozen.add(new IndexPage(number, slot.words)));
    return frozen;
  }

  int size() {
    return size;
  }

  long bytes() {
    return (long) pages.size() * PAGE_BYTES;
  }
}
