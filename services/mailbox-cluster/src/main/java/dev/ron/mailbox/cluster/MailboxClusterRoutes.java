package dev.ron.mailbox.cluster;

import static dev.ron.kernel.registry.RegistryJson.quoted;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.api.Caller;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.api.MailboxJsonAnswer;
import dev.ron.raft.RaftGroupStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * {@code /v1/cluster}: an operator sees who leads what, takes machines in and out, and hands
 * leadership over.
 *
 * <p>Threading: immutable.
 */
public record MailboxClusterRoutes(MailboxContext context, ReplicatedShards cluster) {
  private static final String OP = "cluster";
  private static final Form JOIN = MailboxContext.form(Field.text("node"), Field.text("address"));
  private static final Form LEAVE = MailboxContext.form(Field.text("node"));
  private static final Form TRANSFER =
      MailboxContext.form(
          Field.number("group", 0, Integer.MAX_VALUE).optional(), Field.text("node"));

  /** A machine that joins is brought up to date first. */
  private static final Duration CHANGE_LIMIT = Duration.ofMinutes(2);

  /** Adds the routes. */
  public void into(Routes routes) {
    routes
        .add(route("GET", "", "cluster-status", status(), "Who leads, and how far everybody is."))
        .add(route("POST", "/join", "cluster-join", join(), "Takes a machine in."))
        .add(route("POST", "/leave", "cluster-leave", leave(), "Lets a machine go."))
        .add(route("POST", "/transfer", "cluster-transfer", transfer(), "Hands a group over."));
  }

  private static Route route(
      String method, String path, String op, Blocking handler, String summary) {
    return Route.of(method, "/v1/cluster" + path, op, handler)
        .documented(summary, List.of(200, 400, 401, 403, 503))
        .within(CHANGE_LIMIT);
  }

  private Blocking status() {
    return exchange -> {
      require(exchange);
      return Answer.json(200, json(cluster.status()));
    };
  }

  private Blocking join() {
    return exchange -> {
      require(exchange);
      Fields form = context.form(exchange, JOIN);
      return done(() -> cluster.join(form.text("node"), form.text("address")));
    };
  }

  private Blocking leave() {
    return exchange -> {
      require(exchange);
      Fields form = context.form(exchange, LEAVE);
      return done(() -> cluster.leave(form.text("node")));
    };
  }

  private Blocking transfer() {
    return exchange -> {
      require(exchange);
      Fields form = context.form(exchange, TRANSFER);
      int group = (int) form.number("group", 0);
      int last = cluster.status().size() - 1;
      if (group > last) {
        throw form.wrong("group", "must be a whole number from 0 to " + last);
      }
      return done(() -> cluster.transfer(group, form.text("node")));
    };
  }

  private void require(Exchange exchange) throws Refusal {
    context.rights().requireOperator(Caller.of(exchange), OP);
  }

  /** What an operator asks of the groups. */
  private interface Change {
    void make() throws IOException, InterruptedException;
  }

  private static Answer done(Change change) throws Refusal, InterruptedException {
    try {
      change.make();
      return Answer.json(200, MailboxJsonAnswer.OK);
    } catch (IOException failed) {
      throw Refusal.of(
          new MailboxFault.Unavailable("the groups did not agree: " + failed.getMessage()));
    }
  }

  private String json(List<RaftGroupStatus> groups) {
    return "{\"node\":%s,\"groups\":%s}"
        .formatted(quoted(cluster.node().node()), list(groups, this::json));
  }

  private String json(RaftGroupStatus group) {
    return """
    {"group":%d,"shards":%s,"leader":%s,"leads":%s,"quorum":%s,"alive":%s,"term":%d,\
    "age_ms":%d,"committed":%d,"applied":%d,"peers":%s}\
    """
        .formatted(
            group.group(),
            cluster.replicas().get(group.group()).shards(),
            group.leader().map(leader -> quoted(leader)).orElse("null"),
            group.leads(),
            group.quorum(),
            group.alive(),
            group.term(),
            group.sinceLeader().toMillis(),
            group.committed(),
            group.applied(),
            list(group.peers(), MailboxClusterRoutes::json));
  }

  private static String json(RaftGroupStatus.Peer peer) {
    return "{\"node\":%s,\"address\":%s,\"matched\":%d,\"silence_ms\":%d}"
        .formatted(
            quoted(peer.name()), quoted(peer.address()), peer.matched(), peer.silence().toMillis());
  }

  private static <T> String list(List<T> all, Function<T, String> form) {
    return all.stream().map(form).collect(Collectors.joining(",", "[", "]"));
  }
}
