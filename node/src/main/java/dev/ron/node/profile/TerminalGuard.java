package dev.ron.node.profile;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What a command prints, as a terminal may get it: without the control codes that a key, a topic or
 * a server's answer may hold, which the terminal would obey.
 *
 * <p>Every command prints through it, so that none can forget to. Lines, tabs and colours pass.
 * What draws over itself, and bytes that a person asked for, go to {@link #raw}.
 *
 * <p>Threading: as a {@link PrintStream}.
 */
public final class TerminalGuard extends PrintStream {
  private final PrintStream raw;

  public TerminalGuard(PrintStream raw) {
    super(new Codes(raw), true, raw.charset());
    this.raw = raw;
  }

  /** Puts it before the streams that lead to a terminal. */
  public static void install() {
    if (Terminal.out()) {
      System.setOut(new TerminalGuard(System.out));
    }
    if (Terminal.err()) {
      System.setErr(new TerminalGuard(System.err));
    }
  }

  /** The stream that control codes of ours pass. */
  public static PrintStream raw(PrintStream stream) {
    return stream instanceof TerminalGuard guard ? guard.raw : stream;
  }

  /** Threading: guarded by the lock of the print stream before it. */
  private static final class Codes extends FilterOutputStream {
    private static final int ESCAPE = 0x1b;
    private static final int DELETE = 0x7f;

    /** The first byte in UTF-8 of the control codes from 0x80 to 0x9f. */
    private static final int HIGH = 0xc2;

    /** Longer ones are no colour of ours. */
    private static final int COLOUR_BYTES_MAX = 16;

    private final byte[] held = new byte[COLOUR_BYTES_MAX];
    private int holds;

    Codes(OutputStream to) {
      super(to);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int i = offset; i < offset + length; i++) {
        write(bytes[i]);
      }
    }

    @Override
    public void write(int value) throws IOException {
      int code = value & 0xff;
      if (holds == 0) {
        first(code);
      } else if (held[0] == ESCAPE) {
        escaped(code);
      } else {
        holds = 0;
        if (code >= 0x80 && code <= 0x9f) {
          out.write('?');
        } else {
          out.write(HIGH);
          first(code);
        }
      }
    }

    private void first(int code) throws IOException {
      if (code == ESCAPE || code == HIGH) {
        held[holds++] = (byte) code;
      } else {
        boolean passes = code == '\n' || code == '\t' || (code >= ' ' && code != DELETE);
        out.write(passes ? code : '?');
      }
    }

    /** Passes a colour: ESC, a bracket, figures and semicolons, m. */
    private void escaped(int code) throws IOException {
      boolean goesOn =
          holds == 1 ? code == '[' : code == ';' || code == 'm' || (code >= '0' && code <= '9');
      if (goesOn && holds < COLOUR_BYTES_MAX) {
        held[holds++] = (byte) code;
        if (code == 'm') {
          out.write(held, 0, holds);
          holds = 0;
        }
        return;
      }
      out.write('?');
      out.write(held, 1, holds - 1);
      holds = 0;
      first(code);
    }
  }
}
