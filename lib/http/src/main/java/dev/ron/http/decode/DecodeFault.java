package dev.ron.http.decode;

import dev.ron.http.field.ContentCoding;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;

/** Why a body was not decoded, in order of precedence. */
public sealed interface DecodeFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** A coding nobody here knows, too many of them, or one that asks for too large a window. */
  record Unsupported(String detail) implements DecodeFault {
    @Override
    public String code() {
      return "unsupported";
    }
  }

  record DecodedCap(long bytesMax) implements DecodeFault {
    @Override
    public String code() {
      return "decoded-cap";
    }

    @Override
    public String detail() {
      return "the body has more than %d bytes when decoded".formatted(bytesMax);
    }
  }

  record DecodedRatio(int ratioMax) implements DecodeFault {
    @Override
    public String code() {
      return "decoded-ratio";
    }

    @Override
    public String detail() {
      return "the body expands to more than %d times its size".formatted(ratioMax);
    }
  }

  /** Damaged, cut short, or with more behind its end. */
  record Malformed(ContentCoding coding, String what) implements DecodeFault {
    @Override
    public String code() {
      return "malformed";
    }

    @Override
    public String detail() {
      return "the %s body is %s".formatted(coding.token(), what);
    }
  }
}
