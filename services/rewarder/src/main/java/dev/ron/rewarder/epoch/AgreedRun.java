package dev.ron.rewarder.epoch;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.json.JsonTree;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunKey;
import dev.ron.usage.CanonicalJson;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The run that an epoch belongs to, as the machines of a cluster agree on it: what it was computed
 * from, and what came out. Any of them can compute it again from that.
 *
 * <p>Threading: immutable.
 *
 * @param epoch as it is kept, with its owner
 * @param root of its allocations, as the manifest has it
 */
public record AgreedRun(
    String epoch, Address accounting, Address ledger, Address policy, String root) {
  private static final long VERSION = 1;

  public static AgreedRun of(Manifest closed) {
    return new AgreedRun(
        closed.epoch(),
        Address.parse(closed.text("accounting")).orThrow(),
        Address.parse(closed.text("ledger")).orThrow(),
        Address.parse(closed.text("policy")).orThrow(),
        closed.text("root"));
  }

  /** Read with all rights: the caller that closed the epoch had the right to, and may be gone. */
  public Inputs inputs() {
    return new Inputs(epoch, accounting, ledger, policy, Owner.OPERATOR);
  }

  public String runKey() {
    return RunKey.of(inputs()).hex();
  }

  public byte[] bytes() {
    return CanonicalJson.bytes(
        new TreeMap<String, Object>(
            Map.of(
                "version",
                VERSION,
                "epoch",
                epoch,
                "accounting",
                accounting.toString(),
                "ledger",
                ledger.toString(),
                "policy",
                policy.toString(),
                "root",
                root)));
  }

  public static AgreedRun read(byte[] record) throws IOException {
    try {
      var fields = JsonTree.object(record);
      if (!Long.valueOf(VERSION).equals(fields.get("version"))) {
        throw new IOException("an agreed run of version " + fields.get("version"));
      }
      return new AgreedRun(
          String.valueOf(fields.get("epoch")),
          Address.parse(String.valueOf(fields.get("accounting"))).orThrow(),
          Address.parse(String.valueOf(fields.get("ledger"))).orThrow(),
          Address.parse(String.valueOf(fields.get("policy"))).orThrow(),
          String.valueOf(fields.get("root")));
    } catch (Refusal | IllegalArgumentException damaged) {
      throw new IOException("an agreed run that cannot be read: " + damaged.getMessage(), damaged);
    }
  }
}
