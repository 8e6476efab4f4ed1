package dev.ron.edge;

import dev.ron.kernel.log.Log;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Writes what happened at the edge to the log, each record with a hash over itself and the one
 * before, so that a record that is missing or changed is seen.
 *
 * <p>Threading: owned by the task that reads the events.
 */
final class AuditLog implements Consumer<EdgeEvent> {
  private final Log log;
  private final BooleanSupplier on;
  private String chain = "0".repeat(64);

  /**
   * @param on whether records are written; events are read all the same
   */
  AuditLog(Log log, BooleanSupplier on) {
    this.log = log;
    this.on = on;
  }

  @Override
  public void accept(EdgeEvent event) {
    if (on.getAsBoolean()) {
      chain = link(chain, event.toString());
      log.info("audit", "record", event.toString(), "chain", chain);
    }
  }

  /** SHA-256 over the link before and the record, in hexadecimal digits. */
  static String link(String before, String record) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest((before + record).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
