package dev.ron.mailbox.api;

import dev.ron.kernel.fault.Fault;

/**
 * One entry of a batch that was refused; the others are not touched by it.
 *
 * <p>Threading: immutable.
 */
public record RefusedEntry(String code, String detail)
    implements SendBatch.Result, SettleBatch.Result {
  static RefusedEntry of(Fault fault) {
    return new RefusedEntry(fault.code(), fault.detail());
  }
}
