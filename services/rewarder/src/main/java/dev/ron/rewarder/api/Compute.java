package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.task.Runs;
import dev.ron.rewarder.task.Ticket;
import dev.ron.rewarder.task.Wish;
import dev.ron.rewarder.wire.Fields;
import dev.ron.rewarder.wire.JsonTree;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /rewarder/epochs/{epoch}/compute}: starts a run, or answers the one there is.
 *
 * <p>{@code Prefer: wait=n} waits up to n seconds for the manifest.
 *
 * <p>Threading: immutable.
 */
record Compute(Desk desk) {
  /** No request waits longer. */
  static final Duration WAIT_MAX = Duration.ofMinutes(10);

  private static final Pattern WAIT = Pattern.compile("(?:^|[,; ])wait=([0-9]{1,6})(?:$|[,; ])");

  Blocking handler() {
    return exchange -> {
      String epoch = Desk.epoch(exchange.param("epoch"));
      Duration wait = wait(exchange.headers().first("Prefer"));
      Wish wish = wish(epoch, Desk.form(exchange));
      Runs.Asked asked =
          wish.await(exchange.deadline()).orElseThrow(() -> desk.late(exchange, wish.fault()));
      return switch (asked.decision()) {
        case RunBook.Decision.Start _, RunBook.Decision.Running _ ->
            running(epoch, asked.ticket(), wait);
        case RunBook.Decision.Known(Manifest manifest) -> manifest(manifest);
        case RunBook.Decision.OtherInputs(String runKey) ->
            throw Problems.refusal(new RewarderFault.OtherInputs(epoch, runKey));
        case RunBook.Decision.Quarantined(Manifest manifest) ->
            throw Problems.refusal(Desk.quarantined(manifest));
      };
    };
  }

  private Wish wish(String epoch, Fields form) throws Refusal {
    try {
      var inputs =
          new Inputs(
              epoch,
              Desk.address(form, "accounting"),
              Desk.address(form, "ledger"),
              Desk.address(form, "policy"));
      boolean dry = form.bool("dry_run", false);
      form.end();
      return desk.rewarder().wish(inputs, dry);
    } catch (JsonTree.Malformed malformed) {
      throw Problems.schema(malformed.words());
    }
  }

  private Answer running(String epoch, Optional<Ticket> ticket, Duration wait)
      throws IOException, InterruptedException {
    if (ticket.isPresent() && ticket.get().await(Deadline.in(wait, desk.time()))) {
      Optional<RewarderFault> fault = ticket.get().fault();
      if (fault.isPresent()) {
        throw Problems.refusal(fault.get());
      }
      Manifest manifest = ticket.get().manifest().orElseThrow();
      if (manifest.status() == RunStatus.QUARANTINED) {
        throw Problems.refusal(Desk.quarantined(manifest));
      }
      return manifest(manifest);
    }
    return Answer.json(202, progress(epoch, ticket))
        .with("Location", "/rewarder/epochs/" + epoch)
        .with("Retry-After", "1");
  }

  static String progress(String epoch, Optional<Ticket> ticket) {
    return Desk.json(
        Map.of(
            "epoch",
            epoch,
            "status",
            "computing",
            "step",
            ticket.map(Ticket::step).orElse("artifacts"),
            "lines_read",
            ticket.map(each -> each.lines().get()).orElse(0L),
            "run_key",
            ticket.map(Ticket::runKey).orElse("")));
  }

  static Answer manifest(Manifest manifest) {
    return Answer.bytes(200, "application/json", manifest.bytes())
        .with("ETag", "\"" + manifest.text("commitment") + "\"");
  }

  private static Duration wait(@Nullable String prefer) {
    Matcher wait = WAIT.matcher(prefer == null ? "" : prefer);
    Duration asked =
        wait.find() ? Duration.ofSeconds(Long.parseLong(wait.group(1))) : Duration.ZERO;
    return asked.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : asked;
  }
}
