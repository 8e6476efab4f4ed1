package dev.ron.rewarder.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.CheckResult;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderTasks;
import dev.ron.rewarder.artifact.AllocationReader;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.epoch.RunResult;
import dev.ron.rewarder.sign.Attestor;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every verb works with, and the rules for values that several of them take.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record RewarderContext(RewarderTasks rewarder, Attestor attestor, Time time) {
  private static final int FORM_BYTES_MAX = 64 << 10;

  /** A run that can be shown: closed, or dry. */
  record Shown(EpochName epoch, Manifest manifest, boolean dry) {}

  static Fields form(Exchange exchange, Form form) throws IOException {
    return form.read(exchange.body().collect(FORM_BYTES_MAX));
  }

  static Address address(Fields form, String field) throws Refusal {
    return switch (Address.parse(form.text(field))) {
      case CheckResult.Good<Address>(Address address) -> address;
      case CheckResult.Bad<Address>(Blake3Fault.AddressMalformed(String reason)) ->
          throw form.wrong(field, "is not an address: " + reason);
      case CheckResult.Bad<Address>(Blake3Fault other) ->
          throw form.wrong(field, "is not an address: " + other.code());
    };
  }

  static Refusal schema(String detail) {
    return Refusal.of(new RewarderFault.Schema(detail));
  }

  static Refusal unknown(String what) {
    return Refusal.of(new RewarderFault.Unknown(what));
  }

  /** How long the request may take, for the answer when it takes longer. */
  static Duration limit(Exchange exchange) {
    return Duration.between(exchange.begun(), exchange.deadline().at());
  }

  /**
   * The value of a result; a fault is thrown.
   *
   * @param result null if it did not come in time
   */
  static <T> T value(@Nullable RunResult<T> result, String op, Duration limit) throws Refusal {
    return switch (result) {
      case RunResult.Done<T>(T value) -> value;
      case RunResult.Failed<T>(RewarderFault fault) -> throw Refusal.of(fault);
      case null -> throw Refusal.of(new KernelFault.Timeout(op, limit));
    };
  }

  /** The run that an epoch shows, once it has allocations. */
  Shown run(EpochName epoch) throws Refusal {
    RunBook.Entry entry =
        rewarder.runs().shown(epoch.kept()).orElseThrow(() -> unknown("run of epoch " + epoch));
    Manifest manifest = entry.manifest();
    if (manifest == null) {
      throw unknown("finished run of epoch " + epoch);
    }
    return new Shown(epoch, unlessQuarantined(epoch, manifest), entry.dry());
  }

  static Manifest unlessQuarantined(EpochName epoch, Manifest manifest) throws Refusal {
    if (manifest.status() == RunStatus.QUARANTINED) {
      String reason =
          manifest.fields().get("reason") instanceof Map<?, ?> fields
              ? String.valueOf(fields.get("detail"))
              : "unknown";
      throw Refusal.of(new RewarderFault.Quarantined(epoch.toString(), reason));
    }
    return manifest;
  }

  AllocationReader lines(Shown run) throws IOException {
    return rewarder
        .artifacts()
        .allocations(run.manifest().runKey(), run.dry(), run.manifest().poolCount());
  }

  /** The inputs a run was computed from, for one who may read them. */
  static Inputs inputs(Manifest manifest, Owner reader) {
    return new Inputs(
        manifest.epoch(),
        Address.parse(manifest.text("accounting")).orThrow(),
        Address.parse(manifest.text("ledger")).orThrow(),
        Address.parse(manifest.text("policy")).orThrow(),
        reader);
  }
}
