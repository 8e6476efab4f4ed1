package dev.ron.node;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Deadline;

/**
 * {@code POST /reload}: what SIGHUP does, for an operator who cannot send signals to the process.
 *
 * <p>Threading: immutable.
 */
record ReloadConfig(NodeReload reloads) implements Verb<Verb.None, NodeReload.Outcome> {
  @Override
  public None parse(Exchange exchange) {
    return new None();
  }

  @Override
  public NodeReload.Outcome handle(None request) throws Refusal, InterruptedException {
    NodeReload.Outcome outcome = reloads.ask().await(Deadline.current());
    if (outcome == null) {
      throw Refusal.of(new HttpFault.Internal());
    }
    return outcome;
  }

  /** With the two fields that every refusal has, for clients that know no more of a reload. */
  record Rejection(
      boolean isRefused, int changed, int needsRestart, String report, String code, String detail) {
    static Rejection of(NodeReload.Outcome outcome) {
      String report = outcome.report();
      return new Rejection(true, 0, 0, report, "reload-refused", report.strip());
    }
  }

  /** Unsound settings are the operator's, who reads the report: 409 says that nothing changed. */
  @Override
  public Answer write(NodeReload.Outcome outcome) {
    return outcome.isRefused()
        ? Answer.json(409, Rejection.of(outcome))
        : Answer.json(200, outcome);
  }
}
