package dev.ron.storage.cluster.member;

import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Threads;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.cluster.PeerTrust;
import dev.ron.storage.cluster.core.Member;
import dev.ron.storage.cluster.core.Membership;
import dev.ron.storage.cluster.node.PeerMessages;
import dev.ron.storage.cluster.object.ClusterStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this node's entry in etcd alive, and follows the entries of the others.
 *
 * <p>While etcd does not answer, everything stays as it was known last: no node leaves because the
 * registry is away.
 *
 * <p>A watch lasts for a third of the lease, so the talk with etcd has a thread, one at a time; a
 * step takes what was heard and never waits for it.
 *
 * <p>Threading: one step at a time; {@code lease} belongs to the thread that talks, of which the
 * next is started after the last was seen to be over, and {@code heard} is handed over atomically.
 */
public final class EtcdMembership implements Task {
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** A node that came is of use a moment later. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Members members;
  private final String self;
  private final Duration renewal;
  private final EtcdClient etcd;
  private final PeerTrust trust;
  private final Threads threads;
  private final Broadcast<StorageEvent> events;
  private final AtomicReference<@Nullable Heard> heard = new AtomicReference<>();
  private @Nullable Thread talk;
  private Instant notBefore = Instant.MIN;
  private long lease;
  private boolean answers;

  /** What came of a talk so far. */
  private sealed interface Heard {
    record Entries(EtcdClient.Listing listing) implements Heard {}

    record Nothing(String why) implements Heard {}
  }

  public EtcdMembership(
      ClusterStore cluster, EtcdClient etcd, Threads threads, Broadcast<StorageEvent> events) {
    this.members = cluster.members();
    this.self = cluster.local().name();
    this.renewal = cluster.config().etcd().etcdTtl().dividedBy(3);
    this.etcd = etcd;
    this.trust = cluster.config().tls();
    this.threads = threads;
    this.events = events;
  }

  @Override
  public Next run(Instant now) {
    Heard last = heard.getAndSet(null);
    if (last instanceof Heard.Entries(EtcdClient.Listing listing)) {
      listed(listing);
    } else if (last instanceof Heard.Nothing(String why)) {
      answers(false, "etcd is away: " + why);
      notBefore = now.plus(RETRY);
    }
    if ((talk == null || !talk.isAlive()) && !now.isBefore(notBefore)) {
      talk = threads.start("storage/membership", this::talk);
    }
    return Next.at(now.plus(LOOK));
  }

  @Override
  public void finish(Instant now) {
    if (talk != null) {
      talk.interrupt();
    }
  }

  private void listed(EtcdClient.Listing listing) {
    Seats seats = Seats.of(listing, trust);
    answers(true, seats.words());
    if (members.heard(seats.taken())) {
      events.publish(
          new StorageEvent.MembersChanged(members.now().membership().seats().keySet().toString()));
    }
  }

  /** Renews the entry, reads all of them, and stays until one changes or the next renewal. */
  private void talk() {
    try {
      if (lease == 0 || !etcd.keepAlive(lease)) {
        lease = etcd.grant();
        register();
      }
      EtcdClient.Listing listing = etcd.list();
      if (!listing.values().containsKey(self)) {
        register(); // an operator removed it by hand
      }
      heard.set(new Heard.Entries(listing));
      etcd.awaitChange(listing.revision(), renewal);
    } catch (IOException e) {
      heard.set(new Heard.Nothing(String.valueOf(e.getMessage())));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void answers(boolean now, String words) {
    boolean told = words.equals(members.registry());
    members.registry(words);
    if (answers != now || (now && !told)) {
      answers = now;
      events.publish(new StorageEvent.RegistryChanged(words));
    }
  }

  private void register() throws IOException, InterruptedException {
    Membership.Seat own =
        Objects.requireNonNull(members.now().membership().seats().get(self), "its own seat");
    etcd.put(
        self,
        Json.plain().write(new PeerMessages.Seat(own.url(), own.region(), own.weight())),
        lease);
  }

  /**
   * What the entries say. Any writer to the registry can write one, so an entry is a node only
   * where this one would speak to a node.
   *
   * @param refused by what is wrong with it, each name
   */
  record Seats(Map<String, Membership.Seat> taken, Map<String, String> refused) {
    private static final int SHOWN_CHARS_MAX = 200;

    static Seats of(EtcdClient.Listing listing, PeerTrust trust) {
      var seats = new Seats(new HashMap<>(), new TreeMap<>());
      listing.values().forEach((name, value) -> seats.add(name, value, trust));
      return seats;
    }

    private void add(String name, byte[] value, PeerTrust trust) {
      if (!(Json.tolerant().read(value, PeerMessages.Seat.class)
              instanceof JsonRead.Value<PeerMessages.Seat>(PeerMessages.Seat seat))
          || seat.weight() > Member.WEIGHT_MAX
          || name.isBlank()) {
        refused.put(name, "which is not understood");
        return;
      }
      trust
          .refusal(seat.url())
          .ifPresentOrElse(
              why -> refused.put(name, "at " + seat.url() + ", " + why),
              () -> taken.put(name, new Membership.Seat(seat.url(), seat.region(), seat.weight())));
    }

    String words() {
      if (refused.isEmpty()) {
        return "etcd";
      }
      Map.Entry<String, String> first = refused.entrySet().iterator().next();
      String words =
          "etcd, without %d entries: %s %s"
              .formatted(refused.size(), first.getKey(), first.getValue());
      return words.substring(0, Math.min(words.length(), SHOWN_CHARS_MAX));
    }
  }
}
