package dev.ron.tilepack;

import static dev.ron.kernel.fault.Said.NO_STATUS;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;

/**
 * Why a pack, or a tile of one, is refused; in order of precedence.
 *
 * <p>The operator who mounted the pack has to bring a better one; no request can help. None has a
 * status: the edge answers with a fault of its own.
 */
public sealed interface PackFault extends Fault {
  /** The disk does not give the file, or the file changed under its reader. */
  record Unreadable(String why) implements PackFault {}

  /** Neither PMTiles nor MBTiles, or an unknown version of them. */
  record Unknown(String why) implements PackFault {}

  /** A field of the header cannot be. */
  record BadHeader(String field, String what) implements PackFault {}

  /** A directory, or the table that stands for it, cannot be. */
  record BadDirectory(String why) implements PackFault {}

  /** The metadata is not the JSON it must be. */
  record BadMetadata(String why) implements PackFault {}

  /** Compressed bytes are damaged, or grow beyond what they may become. */
  record BadCompression(String why) implements PackFault {}

  /** A good pack, but not the one that was asked for. */
  record OtherAddress(Address expected, Address actual) implements PackFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Unreadable(var why) -> us(NO_STATUS, "pack-unreadable", why);
      case Unknown(var why) -> us(NO_STATUS, "pack-unknown", why);
      case BadHeader(var field, var what) ->
          us(NO_STATUS, "pack-header", "header field " + field + " " + what);
      case BadDirectory(var why) -> us(NO_STATUS, "pack-directory", why);
      case BadMetadata(var why) -> us(NO_STATUS, "pack-metadata", why);
      case BadCompression(var why) -> us(NO_STATUS, "pack-compression", why);
      case OtherAddress(var expected, var actual) ->
          us(
              NO_STATUS,
              "pack-address",
              "the bytes have the address " + actual + ", expected is " + expected);
    };
  }
}
