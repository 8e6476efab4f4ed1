package dev.ron.rewarder.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Checked;
import dev.ron.http.Refusal;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.CanonicalJson;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.disk.AllocationReader;
import dev.ron.rewarder.disk.Attestor;
import dev.ron.rewarder.task.Rewarder;
import dev.ron.rewarder.wire.Fields;
import dev.ron.rewarder.wire.JsonTree;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What every verb works with, and the rules for values that several of them take.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record Desk(Rewarder rewarder, Attestor attestor, Time time) {
  private static final int FORM_BYTES_MAX = 64 << 10;

  /** A run that can be looked at: closed, or dry. */
  record Shown(Manifest manifest, boolean dry) {}

  static Fields form(Exchange exchange) throws IOException {
    try {
      return Fields.of(exchange.body().collect(FORM_BYTES_MAX));
    } catch (JsonTree.Malformed malformed) {
      throw Problems.schema(malformed.words());
    }
  }

  static String epoch(String text) throws Refusal {
    if (!Inputs.isEpoch(text)) {
      throw Problems.schema("epoch: must be 1 to 64 of A-Z a-z 0-9 . _ -");
    }
    return text;
  }

  static Address address(Fields form, String field) throws Refusal, JsonTree.Malformed {
    return switch (Address.parse(form.text(field))) {
      case Checked.Good<Address>(Address address) -> address;
      case Checked.Bad<Address> bad ->
          throw Problems.schema(field + ": is not an address, " + bad.fault());
    };
  }

  /** Why there is no result: the fault it came to, or else the request's time is up. */
  Refusal late(Exchange exchange, Optional<RewarderFault> fault) {
    return fault
        .map(Problems::refusal)
        .orElseGet(
            () ->
                Refusal.of(
                    new KernelFault.Timeout(
                        exchange.route().op(),
                        Duration.between(exchange.begun(), exchange.deadline().at()))));
  }

  /** The run that an epoch shows, once it has allocations. */
  Shown run(Exchange exchange) throws Refusal {
    String epoch = epoch(exchange.param("epoch"));
    RunBook.Entry entry =
        rewarder.runs().shown(epoch).orElseThrow(() -> Problems.unknown("run of epoch " + epoch));
    Manifest manifest = entry.manifest();
    if (manifest == null) {
      throw Problems.unknown("finished run of epoch " + epoch);
    }
    if (manifest.status() == RunStatus.QUARANTINED) {
      throw Problems.refusal(quarantined(manifest));
    }
    return new Shown(manifest, entry.dry());
  }

  static RewarderFault quarantined(Manifest manifest) {
    String reason =
        manifest.fields().get("reason") instanceof Map<?, ?> fields
            ? String.valueOf(fields.get("detail"))
            : "unknown";
    return new RewarderFault.Quarantined(manifest.epoch(), reason);
  }

  AllocationReader lines(Shown run) throws IOException {
    return rewarder
        .artifacts()
        .allocations(run.manifest().runKey(), run.dry(), run.manifest().poolCount());
  }

  /** The inputs a run was computed from. */
  static Inputs inputs(Manifest manifest) {
    return new Inputs(
        manifest.epoch(),
        Address.parse(manifest.text("accounting")).orThrow(),
        Address.parse(manifest.text("ledger")).orThrow(),
        Address.parse(manifest.text("policy")).orThrow());
  }

  static String json(Map<String, ? extends @Nullable Object> fields) {
    return CanonicalJson.text(fields);
  }
}
