package dev.ron.mailbox.cluster.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.cluster.ReplicatedShards;
import dev.ron.raft.RaftGroupStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/cluster}: who leads each group, and how far every machine is, as this one sees it.
 *
 * <p>Threading: immutable.
 */
record ShowGroups(MailboxContext context, ReplicatedShards cluster)
    implements GroupVerb<Verb.None, ShowGroups.Reply> {
  /**
   * @param node this machine
   */
  record Reply(String node, List<Group> groups) {}

  /** One log, and the shards that it keeps. */
  record Group(
      int group,
      List<Integer> shards,
      @Nullable String leader,
      boolean leads,
      boolean quorum,
      boolean alive,
      long term,
      long ageMs,
      long committed,
      long applied,
      List<Peer> peers) {}

  record Peer(String node, String address, long matched, long silenceMs) {}

  @Override
  public None parse(Exchange exchange) throws Refusal {
    requireOperator(exchange);
    return new None();
  }

  @Override
  public Reply handle(None request) {
    return new Reply(cluster.node().node(), cluster.status().stream().map(this::shown).toList());
  }

  private Group shown(RaftGroupStatus group) {
    return new Group(
        group.group(),
        cluster.replicas().get(group.group()).shards(),
        group.leader().orElse(null),
        group.leads(),
        group.quorum(),
        group.alive(),
        group.term(),
        group.sinceLeader().toMillis(),
        group.committed(),
        group.applied(),
        group.peers().stream().map(ShowGroups::shown).toList());
  }

  private static Peer shown(RaftGroupStatus.Peer peer) {
    return new Peer(peer.name(), peer.address(), peer.matched(), peer.silence().toMillis());
  }
}
