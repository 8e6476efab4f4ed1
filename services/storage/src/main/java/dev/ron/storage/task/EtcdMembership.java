package dev.ron.storage.task;

import dev.ron.http.json.JsonRead;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.core.Member;
import dev.ron.storage.core.Membership;
import dev.ron.storage.wire.JsonAnswer;
import dev.ron.storage.wire.PeerWire;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Keeps this node's entry in etcd alive, and follows the entries of the others.
 *
 * <p>While etcd does not answer, everything stays as it was known last: nobody leaves because the
 * registry is away.
 *
 * <p>Threading: one step at a time.
 */
public final class EtcdMembership implements Task {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Members members;
  private final String self;
  private final Duration renewal;
  private final Etcd etcd;
  private final Broadcast<StorageEvent> events;
  private long lease;
  private boolean answers;

  EtcdMembership(Cluster cluster, Etcd etcd, Broadcast<StorageEvent> events) {
    this.members = cluster.members();
    this.self = cluster.local().name();
    this.renewal = cluster.config().etcd().ttl().dividedBy(3);
    this.etcd = etcd;
    this.events = events;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    try {
      if (lease == 0 || !etcd.keepAlive(lease)) {
        lease = etcd.grant();
        register();
      }
      Etcd.Listing listing = etcd.list();
      if (!listing.values().containsKey(self)) {
        register(); // somebody removed it by hand
      }
      answers(true, "etcd");
      if (members.heard(seats(listing))) {
        events.publish(
            new StorageEvent.MembersChanged(
                members.now().membership().seats().keySet().toString()));
      }
      etcd.awaitChange(listing.revision(), renewal);
      return Next.again();
    } catch (IOException e) {
      answers(false, "etcd is away: " + e.getMessage());
      return Next.at(now.plus(RETRY));
    }
  }

  private void answers(boolean now, String words) {
    members.registry(words);
    if (answers != now) {
      answers = now;
      events.publish(new StorageEvent.RegistryChanged(words));
    }
  }

  private void register() throws IOException, InterruptedException {
    Membership.Seat own =
        Objects.requireNonNull(members.now().membership().seats().get(self), "its own seat");
    etcd.put(
        self,
        JsonAnswer.JSON.write(new PeerWire.Seat(own.url(), own.region(), own.weight())),
        lease);
  }

  /** Entries that are not understood are no nodes; whoever wrote them finds that out. */
  private static Map<String, Membership.Seat> seats(Etcd.Listing listing) {
    var seats = new HashMap<String, Membership.Seat>();
    listing
        .values()
        .forEach(
            (name, value) -> {
              if (JsonAnswer.JSON.read(value, PeerWire.Seat.class)
                      instanceof JsonRead.Value<PeerWire.Seat>(PeerWire.Seat seat)
                  && seat.weight() <= Member.WEIGHT_MAX
                  && !name.isBlank()) {
                seats.put(name, new Membership.Seat(seat.url(), seat.region(), seat.weight()));
              }
            });
    return seats;
  }
}
