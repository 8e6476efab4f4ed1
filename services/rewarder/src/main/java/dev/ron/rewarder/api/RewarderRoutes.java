package dev.ron.rewarder.api;

import dev.ron.http.json.Schema;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.rewarder.sign.PolicyForm;
import java.time.Duration;
import java.util.Arrays;

/** Every route of the rewarder, with what it takes and answers. */
public final class RewarderRoutes {
  /** The time a request may take besides its wait. */
  private static final Duration AFTER_WAIT = Duration.ofSeconds(5);

  private static final Duration LONGEST = Compute.WAIT_MAX.plus(AFTER_WAIT);
  private static final String EPOCH = "/rewarder/epochs/{epoch}";
  private static final String JSON = "application/json";
  private static final String JSON_LINES = "application/x-ndjson";

  private RewarderRoutes() {}

  public static Routes of(RewarderContext context) {
    return Routes.of(
            ofEpoch(
                    Route.post(EPOCH + "/compute"),
                    "compute",
                    "Starts a run, or answers the one there is.")
                .takes(Compute.FORM)
                .answers(200, JSON, RunAnswer.manifestSchema())
                .answers(202, RunAnswer.Progress.class)
                .answers(409, 422, 502)
                .within(LONGEST)
                .does(new Compute(context)),
            told(Route.get("/rewarder/epochs"), "epochs", "All runs.")
                .answers(200, Epochs.Reply.class)
                .does(new Epochs(context)),
            ofEpoch(Route.get(EPOCH), "manifest", "A run's manifest.")
                .answers(200, JSON, RunAnswer.manifestSchema())
                .answers(202, RunAnswer.Progress.class)
                .answers(422, 502)
                .does(new ShowManifest(context)),
            ofEpoch(Route.get(EPOCH + "/verify"), "verify", "Computes it again.")
                .answers(200, VerifyRun.Reply.class)
                .answers(409, 422, 502)
                .within(LONGEST)
                .does(new VerifyRun(context)),
            told(Route.post("/rewarder/simulate"), "simulate", "Past epochs under another policy.")
                .takes(Simulate.FORM)
                .answers(200, Simulate.Reply.class)
                .answers(422, 502)
                .within(LONGEST)
                .does(new Simulate(context)))
        .add(lines(context))
        .add(others(context));
  }

  private static Route[] lines(RewarderContext context) {
    return new Route[] {
      ofEpoch(
              Route.get(EPOCH + "/allocations"),
              "allocations",
              "A run's lines.",
              "from",
              "limit",
              "format")
          .answers(200, JSON_LINES, Schema.of(Allocations.Line.class))
          .answers(409)
          .within(LONGEST)
          .does(new Allocations(context)),
      ofEpoch(
              Route.get(EPOCH + "/allocations/{actor}").example("actor", "alice"),
              "explain",
              "One actor's line, why it is so, and its proof.")
          .answers(200, Explain.Reply.class)
          .answers(409)
          .does(new Explain(context)),
      ofEpoch(Route.get(EPOCH + "/held"), "held", "Amounts that are held.")
          .answers(200, JSON_LINES, Schema.of(HeldAmounts.Line.class))
          .answers(409)
          .does(new HeldAmounts(context)),
      ofEpoch(Route.get(EPOCH + "/settlement"), "settlement", "How far it is paid.")
          .answers(200, Settlement.Reply.class)
          .answers(409)
          .does(new Settlement(context))
    };
  }

  private static Route[] others(RewarderContext context) {
    return new Route[] {
      told(
              Route.get("/rewarder/policy/{id}").example("id", "even"),
              "policy",
              "A policy that was used.")
          .answers(200, JSON, PolicyForm.FORM.schema())
          .does(new ShowPolicy(context)),
      told(Route.get("/rewarder/keys"), "keys", "The keys that runs are signed with.")
          .answers(200, PublicKeys.Reply.class)
          .does(new PublicKeys(context)),
      told(Route.get("/rewarder/ledger"), "ledger", "The embedded ledger's sums.")
          .answers(200, ShowLedger.Reply.class)
          .does(new ShowLedger(context)),
      told(
              Route.get("/rewarder/ledger/{account}").example("account", "pool:ROC:2026-01"),
              "account",
              "One account.")
          .answers(200, ShowAccount.Reply.class)
          .does(new ShowAccount(context))
    };
  }

  private static Route ofEpoch(Route route, String op, String summary, String... query) {
    return told(route, op, summary, query).example("epoch", Simulate.EPOCH_EXAMPLE);
  }

  /**
   * Its name, and what any route may answer: about its form, token, names, rate, a shutdown. At any
   * of them an operator may act as a tenant.
   */
  private static Route told(Route route, String op, String summary, String... query) {
    String[] names = Arrays.copyOf(query, query.length + 1);
    names[query.length] = EpochName.TENANT;
    return route.op(op).summary(summary).query(names).answers(400, 401, 403, 404, 429, 503);
  }
}
