package dev.ron.rewarder.core;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.usage.CanonicalJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run in one page of JSON: what went in, what came out, and a hash over both.
 *
 * <p>Nothing in it depends on when, where or by how many workers the run was computed.
 *
 * <p>Threading: immutable.
 */
public final class Manifest {
  /** Of the format; a reader that knows another one refuses this. */
  public static final long VERSION = 1;

  private final Map<String, @Nullable Object> fields;

  private Manifest(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /**
   * @param seals that the accounting came from; empty where it came from elsewhere
   */
  public static Manifest closed(
      Inputs inputs,
      boolean dry,
      Policy policy,
      LedgerInput ledger,
      Totals totals,
      Hash root,
      List<Address> seals) {
    var fields = begun(inputs, dry ? RunStatus.DRY : RunStatus.CLOSED);
    fields.put("policy_id", policy.id());
    fields.put("policy_version", policy.version());
    fields.put("rounding", policy.rounding().word());
    fields.put("asset", ledger.asset());
    fields.put("pool_minor", totals.pool().toString());
    fields.put("paid_minor", totals.paid().toString());
    fields.put("held_minor", totals.held().toString());
    fields.put("residual_minor", totals.residual().sum().toString());
    fields.put("residual", residual(totals.residual()));
    fields.put("pools", pools(policy, totals));
    fields.put("score_total", totals.scoreTotal().toString());
    fields.put("actors", totals.actors());
    fields.put("held_actors", totals.heldActors());
    fields.put("lines", totals.lines());
    fields.put("root", "b3:" + root.hex());
    if (!seals.isEmpty()) {
      fields.put("seals", seals.stream().map(Address::toString).toList());
    }
    return sealed(fields);
  }

  public static Manifest quarantined(Inputs inputs, Quarantine quarantine) {
    var fields = begun(inputs, RunStatus.QUARANTINED);
    var reason = new LinkedHashMap<String, Object>();
    reason.put("code", quarantine.reason().code());
    reason.put("detail", quarantine.detail());
    fields.put("reason", reason);
    return sealed(fields);
  }

  /** One that was read, as it was read. */
  public static Manifest read(Map<String, @Nullable Object> fields) {
    return new Manifest(new LinkedHashMap<>(fields));
  }

  private static Map<String, @Nullable Object> begun(Inputs inputs, RunStatus status) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("version", VERSION);
    fields.put("status", status.word());
    fields.put("epoch", inputs.epoch());
    fields.put("accounting", inputs.accounting().toString());
    fields.put("ledger", inputs.ledger().toString());
    fields.put("policy", inputs.policy().toString());
    fields.put("run_key", RunKey.of(inputs).hex());
    return fields;
  }

  private static Manifest sealed(Map<String, @Nullable Object> fields) {
    fields.put("commitment", Commitment.of(fields).hex());
    return new Manifest(fields);
  }

  private static Map<String, Object> residual(Residual residual) {
    var parts = new LinkedHashMap<String, Object>();
    parts.put("pool_cap", residual.poolCap().toString());
    parts.put("unscored", residual.unscored().toString());
    parts.put("rounding", residual.rounding().toString());
    parts.put("minimum", residual.minimum().toString());
    parts.put("actor_cap", residual.actorCap().toString());
    return parts;
  }

  private static List<Object> pools(Policy policy, Totals totals) {
    List<Wide> budgets = policy.budgets(totals.pool());
    var pools = new ArrayList<Object>();
    for (int i = 0; i < budgets.size(); i++) {
      var pool = new LinkedHashMap<String, Object>();
      pool.put("name", policy.pools().get(i).name());
      pool.put("budget_minor", budgets.get(i).toString());
      pool.put("score_total", totals.scores().get(i).toString());
      pools.add(pool);
    }
    return pools;
  }

  /** The same with signatures beside it; the commitment does not cover them. */
  public Manifest attested(List<Map<String, String>> attestations) {
    var more = new LinkedHashMap<String, @Nullable Object>(fields);
    more.put("attestations", attestations);
    return new Manifest(more);
  }

  public Map<String, @Nullable Object> fields() {
    return java.util.Collections.unmodifiableMap(fields);
  }

  public String text(String field) {
    return String.valueOf(fields.get(field));
  }

  public Wide wide(String field) {
    return Wide.parse(text(field))
        .orElseThrow(() -> new IllegalArgumentException(field + " is no amount"));
  }

  public long number(String field) {
    return fields.get(field) instanceof Long number ? number : 0;
  }

  public int poolCount() {
    return fields.get("pools") instanceof List<?> all ? all.size() : 1;
  }

  public RunStatus status() {
    return RunStatus.of(text("status"))
        .orElseThrow(() -> new IllegalArgumentException("status " + text("status")));
  }

  public String epoch() {
    return text("epoch");
  }

  public String runKey() {
    return text("run_key");
  }

  /** What is signed. */
  public byte[] commitment() {
    return Hash.ofHex(text("commitment")).bytes();
  }

  /** The commitment is that of the fields. */
  public boolean intact() {
    return text("commitment").equals(Commitment.of(fields).hex());
  }

  /** {@code run.json}, byte for byte. */
  public byte[] bytes() {
    return CanonicalJson.bytes(fields);
  }
}
