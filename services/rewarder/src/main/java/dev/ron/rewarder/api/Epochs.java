package dev.ron.rewarder.api;

import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Account;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.Settlements;
import dev.ron.rewarder.disk.LedgerBook;
import dev.ron.rewarder.task.Settling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /rewarder/epochs}, one epoch's manifest, its settlement, its policy, and the ledger.
 *
 * <p>Threading: immutable.
 */
record Epochs(Desk desk) {
  Blocking all() {
    return _ -> {
      var epochs = new ArrayList<Object>();
      for (RunBook.Entry entry : desk.rewarder().runs().all()) {
        Manifest manifest = entry.manifest();
        epochs.add(
            Map.of(
                "epoch",
                entry.epoch(),
                "run_key",
                entry.runKey(),
                "status",
                manifest == null ? "computing" : manifest.text("status")));
      }
      return Answer.json(200, Desk.json(Map.of("epochs", epochs)));
    };
  }

  /** The manifest, byte for byte; 202 while it is computed; the fault if the last try failed. */
  Blocking one() {
    return exchange -> {
      String epoch = Desk.epoch(exchange.param("epoch"));
      Optional<RunBook.Entry> entry = desk.rewarder().runs().shown(epoch);
      if (entry.isEmpty()) {
        throw Problems.refusal(
            desk.rewarder()
                .runs()
                .failure(epoch)
                .orElse(new RewarderFault.Unknown("run of epoch " + epoch)));
      }
      Manifest manifest = entry.get().manifest();
      return manifest == null
          ? Answer.json(202, Compute.progress(epoch, desk.rewarder().runs().ticket(entry.get())))
              .with("Retry-After", "1")
          : Compute.manifest(manifest);
    };
  }

  Blocking settlement() {
    return exchange -> {
      Desk.Shown run = desk.run(exchange);
      Settling settling = desk.rewarder().settling();
      String runKey = run.manifest().runKey();
      boolean paid = run.manifest().status() == RunStatus.CLOSED;
      long lines = run.manifest().number("lines");
      Settlements.Progress at =
          settling.outbox().of(runKey).orElse(new Settlements.Progress(runKey, 1, lines));
      var fields = new LinkedHashMap<String, Object>();
      fields.put("epoch", run.manifest().epoch());
      fields.put("run_key", runKey);
      fields.put("lines", lines);
      fields.put("settled_before", at.next());
      String stalled = settling.stalled().get(runKey);
      fields.put(
          "state",
          !paid ? "never" : at.done() ? "settled" : stalled != null ? "stalled" : "settling");
      if (stalled != null && !at.done()) {
        fields.put("reason", stalled);
      }
      return Answer.json(200, Desk.json(fields));
    };
  }

  /** By its id, of the latest run that used it; or by its address. */
  Blocking policy() {
    return exchange -> {
      String wanted = exchange.param("id");
      RunBook.Entry found = null;
      for (RunBook.Entry entry : desk.rewarder().runs().all()) {
        Manifest manifest = entry.manifest();
        if (manifest != null
            && (manifest.text("policy").equals(wanted)
                || manifest.text("policy_id").equals(wanted))) {
          found = entry;
        }
      }
      if (found == null) {
        throw Problems.unknown("policy of that name in any run");
      }
      return Answer.bytes(
          200, "application/json", desk.rewarder().artifacts().policy(found.runKey(), found.dry()));
    };
  }

  Blocking keys() {
    return _ -> Answer.json(200, Desk.json(Map.of("keys", desk.attestor().publicKeys())));
  }

  /** The embedded ledger's sums: credits and debits are always the same. */
  Blocking ledger() {
    return _ -> {
      LedgerBook ledger = embedded();
      Account sums = ledger.sums();
      return Answer.json(
          200,
          Desk.json(
              Map.of(
                  "accounts",
                  ledger.accountCount(),
                  "credits_minor",
                  sums.credits().toString(),
                  "debits_minor",
                  sums.debits().toString(),
                  "sum_minor",
                  sums.balance())));
    };
  }

  Blocking account() {
    return exchange -> {
      String name = exchange.param("account");
      Account account =
          embedded().account(name).orElseThrow(() -> Problems.unknown("account of that name"));
      return Answer.json(
          200,
          Desk.json(
              Map.of(
                  "account",
                  name,
                  "balance_minor",
                  account.balance(),
                  "credits_minor",
                  account.credits().toString(),
                  "debits_minor",
                  account.debits().toString())));
    };
  }

  private LedgerBook embedded() throws dev.ron.http.Refusal {
    return desk.rewarder()
        .settling()
        .ledger()
        .orElseThrow(() -> Problems.unknown("embedded ledger"));
  }
}
