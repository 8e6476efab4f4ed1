package dev.ron.decode;

import static dev.ron.kernel.fault.Said.caller;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;

/** Why a body was not decoded, in order of precedence. */
public sealed interface DecodeFault extends Fault {
  /** An unknown coding, too many of them, or one that asks for too large a window. */
  record Unsupported(String detail) implements DecodeFault {}

  record DecodedCap(long bytesMax) implements DecodeFault {}

  record DecodedRatio(int ratioMax) implements DecodeFault {}

  /** Damaged, cut short, or with more behind its end. */
  record Malformed(ContentCoding coding, String what) implements DecodeFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Unsupported(var detail) -> caller(415, "unsupported", detail);
      case DecodedCap(var bytesMax) ->
          caller(413, "decoded-cap", "the body has more than " + bytesMax + " bytes when decoded");
      case DecodedRatio(var ratioMax) ->
          caller(
              413,
              "decoded-ratio",
              "the body expands to more than " + ratioMax + " times its size");
      case Malformed(var coding, var what) ->
          caller(400, "malformed", "the " + coding.token() + " body is " + what);
    };
  }
}
