package dev.ron.tilepack;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;

/** Why a pack, or a tile of one, is refused; in order of precedence. */
public sealed interface PackFault extends Fault {
  /** Whoever mounted the pack has to bring a better one; no request can help. */
  @Override
  default Blame blame() {
    return Blame.US;
  }

  /** The disk does not give the file, or the file changed under its reader. */
  record Unreadable(String detail) implements PackFault {
    @Override
    public String code() {
      return "pack-unreadable";
    }
  }

  /** Neither PMTiles nor MBTiles, or a version of them nobody here knows. */
  record Unknown(String detail) implements PackFault {
    @Override
    public String code() {
      return "pack-unknown";
    }
  }

  /** A field of the header cannot be. */
  record BadHeader(String field, String what) implements PackFault {
    @Override
    public String code() {
      return "pack-header";
    }

    @Override
    public String detail() {
      return "header field %s %s".formatted(field, what);
    }
  }

  /** A directory, or the table that stands for it, cannot be. */
  record BadDirectory(String detail) implements PackFault {
    @Override
    public String code() {
      return "pack-directory";
    }
  }

  /** The metadata is not the JSON it must be. */
  record BadMetadata(String detail) implements PackFault {
    @Override
    public String code() {
      return "pack-metadata";
    }
  }

  /** Compressed bytes are damaged, or grow beyond what they may become. */
  record BadCompression(String detail) implements PackFault {
    @Override
    public String code() {
      return "pack-compression";
    }
  }

  /** A good pack, but not the one that was asked for. */
  record OtherAddress(Address expected, Address actual) implements PackFault {
    @Override
    public String code() {
      return "pack-address";
    }

    @Override
    public String detail() {
      return "the bytes have the address %s, expected is %s".formatted(actual, expected);
    }
  }
}
