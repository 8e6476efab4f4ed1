package dev.ron.mailbox.cluster.api;

import dev.ron.http.server.route.Route;
import dev.ron.mailbox.api.MailboxContext;
import dev.ron.mailbox.cluster.ReplicatedShards;
import java.time.Duration;

/**
 * {@code /v1/cluster}: an operator sees who leads what, takes machines in and out, and hands
 * leadership over.
 */
public final class MailboxClusterRoutes {
  private static final String ROOT = "/v1/cluster";

  /** A machine that joins is brought up to date first. */
  private static final Duration CHANGE_LIMIT = Duration.ofMinutes(2);

  private MailboxClusterRoutes() {}

  public static Route[] of(MailboxContext context, ReplicatedShards cluster) {
    return new Route[] {
      told(Route.get(ROOT), "cluster-status", "Who leads, and how far everybody is.")
          .answers(200, ShowGroups.Reply.class)
          .does(new ShowGroups(context, cluster)),
      told(Route.post(ROOT + "/join"), "cluster-join", "Takes a machine in.")
          .takes(JoinGroups.FORM)
          .answers(200, GroupChange.Reply.class)
          .does(new JoinGroups(context, cluster)),
      told(Route.post(ROOT + "/leave"), "cluster-leave", "Lets a machine go.")
          .takes(LeaveGroups.FORM)
          .answers(200, GroupChange.Reply.class)
          .does(new LeaveGroups(context, cluster)),
      told(Route.post(ROOT + "/transfer"), "cluster-transfer", "Hands a group over.")
          .takes(TransferGroup.FORM)
          .answers(200, GroupChange.Reply.class)
          .does(new TransferGroup(context, cluster))
    };
  }

  /** Its name, and what any of them may answer: about its form, token, rate, no agreement. */
  private static Route told(Route route, String op, String summary) {
    return route.op(op).summary(summary).answers(400, 401, 403, 429, 503).within(CHANGE_LIMIT);
  }
}
