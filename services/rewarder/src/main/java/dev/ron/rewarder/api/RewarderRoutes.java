package dev.ron.rewarder.api;

import dev.ron.http.server.Handler;
import dev.ron.http.server.Route;
import dev.ron.http.server.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every route of the rewarder, with what it answers. */
public final class RewarderRoutes {
  /** What a request may take besides its wait. */
  private static final Duration AFTER_WAIT = Duration.ofSeconds(5);

  private static final String EPOCH = "/rewarder/epochs/{epoch}";

  private RewarderRoutes() {}

  public static Routes of(Desk desk) {
    var epochs = new Epochs(desk);
    var allocations = new Allocations(desk);
    Duration longest = Compute.WAIT_MAX.plus(AFTER_WAIT);
    return Routes.of()
        .add(
            route(
                    "POST",
                    EPOCH + "/compute",
                    "compute",
                    new Compute(desk).handler(),
                    "Starts a run, or answers the one there is.",
                    202,
                    409,
                    422,
                    502)
                .within(longest))
        .add(get("/rewarder/epochs", "epochs", epochs.all(), "All runs."))
        .add(get(EPOCH, "manifest", epochs.one(), "A run's manifest.", 202, 422, 502))
        .add(
            get(EPOCH + "/allocations", "allocations", allocations.page(), "A run's lines.", 409)
                .documented(
                    "A run's lines.",
                    List.of(200, 400, 401, 403, 404, 409),
                    "from",
                    "limit",
                    "format")
                .within(longest))
        .add(
            get(
                EPOCH + "/allocations/{actor}",
                "explain",
                allocations.one(),
                "One actor's line, why it is so, and its proof.",
                409))
        .add(get(EPOCH + "/held", "held", allocations.held(), "Amounts that are held.", 409))
        .add(get(EPOCH + "/settlement", "settlement", epochs.settlement(), "How far it is paid."))
        .add(
            get(EPOCH + "/verify", "verify", new Verify(desk).handler(), "Computes it again.", 409)
                .within(longest))
        .add(get("/rewarder/policy/{id}", "policy", epochs.policy(), "A policy that was used."))
        .add(get("/rewarder/keys", "keys", epochs.keys(), "The keys that runs are signed with."))
        .add(get("/rewarder/ledger", "ledger", epochs.ledger(), "The embedded ledger's sums."))
        .add(get("/rewarder/ledger/{account}", "account", epochs.account(), "One account."))
        .add(
            route(
                    "POST",
                    "/rewarder/simulate",
                    "simulate",
                    new Simulate(desk).handler(),
                    "Past epochs under another policy.",
                    422,
                    502)
                .within(longest));
  }

  private static Route get(
      String path, String op, Handler handler, String summary, Integer... more) {
    return route("GET", path, op, handler, summary, more);
  }

  private static Route route(
      String method, String path, String op, Handler handler, String summary, Integer... more) {
    var statuses = new ArrayList<>(List.of(200, 400, 401, 403, 404, 429, 503));
    statuses.addAll(List.of(more));
    return Route.of(method, path, op, handler)
        .documented(summary, statuses.stream().sorted().toList());
  }
}
