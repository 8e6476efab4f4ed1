package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.rewarder.artifact.AllocationReader;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.MerkleProof;
import dev.ron.rewarder.core.score.BadLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /rewarder/epochs/{epoch}/allocations/{actor}}: one actor's line, why it is so, and its
 * proof.
 *
 * <p>Threading: immutable.
 */
record Explain(RewarderContext context) implements Verb<Explain.Request, Explain.Reply> {
  record Request(EpochName epoch, String actor) {}

  record Step(String hash, String side) {}

  /** A line that is paid has its number, root and proof; one that is held has its reasons. */
  record Reply(
      String actor,
      @Nullable String amountMinor,
      String epoch,
      List<String> explanation,
      @Nullable String heldMinor,
      @Nullable Long line,
      @Nullable List<Step> proof,
      @Nullable List<String> reasons,
      @Nullable String root,
      String score) {}

  @Override
  public Request parse(Exchange exchange) throws Refusal {
    return new Request(EpochName.of(exchange), exchange.param("actor"));
  }

  @Override
  public Reply handle(Request request) throws IOException {
    RewarderContext.Shown run = context.run(request.epoch());
    try (AllocationReader lines = context.lines(run)) {
      Optional<AllocationReader.Proven> found = lines.find(request.actor());
      if (found.isPresent()) {
        return proven(run, found.get());
      }
      var held = new ArrayList<Allocation>();
      lines.held(
          line -> {
            if (line.actor().equals(request.actor())) {
              held.add(line);
            }
            return held.isEmpty();
          });
      if (held.isEmpty()) {
        throw RewarderContext.unknown("line of that actor in epoch " + run.epoch());
      }
      return held(run, held.getFirst());
    }
  }

  private Reply proven(RewarderContext.Shown run, AllocationReader.Proven found)
      throws IOException {
    Allocation line = found.allocation();
    return new Reply(
        line.actor(),
        line.amount().toString(),
        run.epoch().toString(),
        explanation(run.manifest(), line),
        null,
        line.line(),
        found.proof().steps().stream().map(Explain::step).toList(),
        null,
        run.manifest().text("root"),
        line.score().toString());
  }

  private static Step step(MerkleProof.Step step) {
    return new Step("b3:" + step.hash().hex(), step.left() ? "left" : "right");
  }

  private Reply held(RewarderContext.Shown run, Allocation line) throws IOException {
    return new Reply(
        line.actor(),
        null,
        run.epoch().toString(),
        explanation(run.manifest(), line),
        line.amount().toString(),
        null,
        null,
        BadLine.codes(line.badLines()),
        null,
        line.score().toString());
  }

  private List<String> explanation(Manifest manifest, Allocation line) throws IOException {
    byte[] policy =
        context
            .rewarder()
            .artifacts()
            .policy(manifest.runKey(), manifest.text("status").equals("dry-run"));
    return Explanation.of(manifest, policy, line);
  }
}
