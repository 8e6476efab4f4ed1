package dev.ron.ordered.rocks;

import dev.ron.ordered.OrderedException;
import dev.ron.ordered.OrderedFault;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Tells apart what RocksDB reports: corruption, a full disk, and the rest. */
final class RocksFaults {
  private RocksFaults() {}

  static OrderedException exception(String store, RocksDBException said) {
    return new OrderedException(fault(store, said), said);
  }

  static OrderedFault fault(String store, RocksDBException said) {
    String why = String.valueOf(said.getMessage());
    Status status = said.getStatus();
    if (status == null) {
      return new OrderedFault.Failed(store, why);
    }
    if (status.getCode() == Status.Code.Corruption) {
      return new OrderedFault.CorruptRows(store, why);
    }
    return status.getSubCode() == Status.SubCode.NoSpace
        ? new OrderedFault.Full(store, why)
        : new OrderedFault.Failed(store, why);
  }

  /** Whether a write was turned back because the disk has to catch up first. */
  static boolean isStall(RocksDBException said) {
    Status status = said.getStatus();
    return status != null && status.getCode() == Status.Code.Incomplete;
  }
}
