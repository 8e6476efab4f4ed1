package dev.ron.testkit;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.Charset;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the version of our own class files when they are loaded, before any other transformer sees
 * them.
 *
 * <p>The fuzzer's instrumentation reads class files of Java 24 and refuses those of Java 25; then
 * it mutates without seeing what a mutation reached. Between the two versions the format got no
 * attribute and no instruction, so the number alone is changed. A JVM runs both alike.
 *
 * <p>Threading: stateless.
 */
public final class ClassVersionAgent implements ClassFileTransformer {
  private static final int MAJOR_AT = 6;
  private static final int KNOWN = 68;

  private ClassVersionAgent() {}

  /** Called by the JVM, before {@code main}. */
  public static void premain(@Nullable String words, Instrumentation instrumentation) {
    // The fuzzer encodes strings while it transforms classes, and cannot load its encoder then.
    var _ = Charset.forName("CESU-8").newEncoder();
    instrumentation.addTransformer(new ClassVersionAgent());
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (name == null || !name.startsWith("dev/ron/") || lowered(file) == null) {
      return null;
    }
    return lowered(file);
  }

  /** The same class with a version that is known; null if it has one. */
  static byte @Nullable [] lowered(byte[] file) {
    int major = ((file[MAJOR_AT] & 0xff) << 8) | (file[MAJOR_AT + 1] & 0xff);
    if (major <= KNOWN) {
      return null;
    }
    byte[] copy = file.clone();
    copy[MAJOR_AT] = 0;
    copy[MAJOR_AT + 1] = KNOWN;
    return copy;
  }
}
