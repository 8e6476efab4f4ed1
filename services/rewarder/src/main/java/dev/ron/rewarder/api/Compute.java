package dev.ron.rewarder.api;

import dev.ron.client.ServiceClient;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.epoch.PendingRun;
import dev.ron.rewarder.epoch.RunResult;
import dev.ron.rewarder.epoch.Runs;
import java.io.IOException;
import java.time.Duration;
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
record Compute(RewarderContext context) implements Verb<Compute.Request, RunAnswer> {
  static final String POLICY_EXAMPLE =
      "b3:ee9d18072b7314fec42bd95102f75c1607ff6d4b83d6edd9666cc3855e8786ee";

  static final Form FORM =
      Form.of(
          RewarderFault.Schema::new,
          Field.text("accounting")
              .about("Address of the lines that are added up.")
              .example("b3:12f932afbe2fe4a06b1f55062a19d4132fb474593e5829c984b297247c3cb41c"),
          Field.text("ledger")
              .about("Address of what there is to share out.")
              .example("b3:14f795b152537df01730c713151128542c7afdb71333cfb995d86b8e1fb875be"),
          Field.text("policy").about("Address of the policy.").example(POLICY_EXAMPLE),
          Field.flag("dry_run").nullable().about("Keeps the run and never pays it."));

  /** No request waits longer. */
  static final Duration WAIT_MAX = Duration.ofMinutes(10);

  private static final Pattern WAIT = Pattern.compile("(?:^|[,; ])wait=([0-9]{1,6})(?:$|[,; ])");

  /**
   * @param waitMax for the manifest
   * @param limit of the whole request
   */
  record Request(EpochName epoch, Inputs inputs, boolean dry, Duration waitMax, Duration limit) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    EpochName epoch = EpochName.of(exchange);
    Fields form = RewarderContext.form(exchange, FORM);
    var inputs =
        new Inputs(
            epoch.kept(),
            RewarderContext.address(form, "accounting"),
            RewarderContext.address(form, "ledger"),
            RewarderContext.address(form, "policy"),
            epoch.owner());
    Duration wait = wait(exchange.headers().first("Prefer"));
    return new Request(epoch, inputs, form.flag("dry_run"), wait, RewarderContext.limit(exchange));
  }

  @Override
  public RunAnswer handle(Request request) throws Refusal, InterruptedException {
    EpochName epoch = request.epoch();
    Runs.RunReply asked =
        RewarderContext.value(
            context.rewarder().ask(request.inputs(), request.dry()).await(Deadline.current()),
            "compute",
            request.limit());
    return switch (asked.decision()) {
      case RunBook.Decision.Start _, RunBook.Decision.Running _ ->
          running(epoch, asked.ticket(), request);
      case RunBook.Decision.Known(Manifest manifest) -> new RunAnswer.Finished(manifest);
      case RunBook.Decision.OtherInputs(String runKey) ->
          throw Refusal.of(new RewarderFault.OtherInputs(epoch.toString(), runKey));
      case RunBook.Decision.Quarantined(Manifest manifest) ->
          new RunAnswer.Finished(RewarderContext.unlessQuarantined(epoch, manifest));
    };
  }

  private RunAnswer running(EpochName epoch, Optional<PendingRun> ticket, Request request)
      throws Refusal, InterruptedException {
    RunResult<Manifest> ended =
        ticket.isEmpty()
            ? null
            : ticket.get().reply().await(Deadline.in(request.waitMax(), context.time()));
    return ended == null
        ? RunAnswer.Progress.of(epoch.toString(), ticket)
        : new RunAnswer.Finished(
            RewarderContext.unlessQuarantined(
                epoch, RewarderContext.value(ended, "compute", request.limit())));
  }

  @Override
  public Answer write(RunAnswer reply) {
    Answer answer = reply.answer();
    return reply instanceof RunAnswer.Progress progress
        ? answer.with("Location", "/rewarder/epochs/" + ServiceClient.escaped(progress.epoch()))
        : answer;
  }

  private static Duration wait(@Nullable String prefer) {
    Matcher wait = WAIT.matcher(prefer == null ? "" : prefer);
    Duration asked =
        wait.find() ? Duration.ofSeconds(Long.parseLong(wait.group(1))) : Duration.ZERO;
    return asked.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : asked;
  }
}
