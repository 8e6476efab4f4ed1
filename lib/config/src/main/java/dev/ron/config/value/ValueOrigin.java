package dev.ron.config.value;

/**
 * Where a value came from, in the words an operator would use to find it again.
 *
 * <p>Threading: immutable.
 */
public sealed interface ValueOrigin {
  /**
   * {@code --set mailbox.shard_count}, {@code RON_MAILBOX__SHARD_COUNT}, {@code ron.toml:3:1},
   * {@code default}.
   */
  String place();

  /** A flag of the command line; one with a name of its own can be given so too. */
  record Flag(String path) implements ValueOrigin {
    @Override
    public String place() {
      return "--set " + Literal.printable(path);
    }
  }

  /** No one gave it: it follows from something that is above every source but the flags. */
  record Derived(String from) implements ValueOrigin {
    @Override
    public String place() {
      return from;
    }
  }

  /** An environment variable. */
  record Variable(String name) implements ValueOrigin {
    @Override
    public String place() {
      return Literal.printable(name);
    }
  }

  /** A line of the TOML file; line and column count from 1. */
  record Line(String file, int line, int column) implements ValueOrigin {
    @Override
    public String place() {
      return Literal.printable(file) + ":" + line + ":" + column;
    }
  }

  /** The TOML file as a whole, when it is the file that is wrong and no line in it. */
  record WholeFile(String file) implements ValueOrigin {
    @Override
    public String place() {
      return Literal.printable(file);
    }
  }

  /** No source sets it. */
  record Default() implements ValueOrigin {
    @Override
    public String place() {
      return "default";
    }
  }
}
