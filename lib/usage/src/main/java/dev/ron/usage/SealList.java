package dev.ron.usage;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Address;
import dev.ron.blake3.CheckResult;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The seals of one or more nodes over a span of time, as the accounting of an epoch.
 *
 * <p>Its text is a line {@code ron/usage-span/v1 FROM TO}, and the address of a seal in each line
 * behind it, in the order of nodes and numbers: the same seals are the same bytes. A seal belongs
 * to the span that it ends in, so of spans that follow each other every seal is in one.
 *
 * <p>Threading: immutable.
 *
 * @param withLost whether spans that were sealed as lost may be among them
 */
public record SealList(Instant from, Instant to, boolean withLost, List<Address> seals) {
  /** What such a list begins with. */
  public static final String TAG = "ron/usage-span/v1 ";

  /** Eleven nodes that seal every hour, for a month. */
  public static final int SEALS_MAX = 8192;

  private static final Pattern HEAD =
      Pattern.compile(Pattern.quote(TAG) + "([0-9TZ:.-]+) ([0-9TZ:.-]+)( with-lost)?");

  /** The order of the seals of a list. */
  public static final Comparator<Seal> ORDER =
      Comparator.comparing(Seal::node).thenComparingLong(Seal::number);

  public SealList {
    seals = List.copyOf(seals);
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("a span from %s to %s".formatted(from, to));
    }
    if (seals.size() > SEALS_MAX) {
      throw new IllegalArgumentException("more than %d seals".formatted(SEALS_MAX));
    }
  }

  /** Whether a seal belongs to the span. */
  public boolean has(Seal seal) {
    return seal.to().isAfter(from) && !seal.to().isAfter(to);
  }

  public byte[] bytes() {
    var text = new StringBuilder(TAG).append(from).append(' ').append(to);
    text.append(withLost ? " with-lost\n" : "\n");
    seals.forEach(seal -> text.append(seal).append('\n'));
    return text.toString().getBytes(US_ASCII);
  }

  /** Throws {@link IOException} for a text that {@link #bytes} does not write. */
  public static SealList parse(String text) throws IOException {
    List<String> lines = text.lines().toList();
    Matcher head = HEAD.matcher(lines.isEmpty() ? "" : lines.getFirst());
    if (!head.matches()) {
      throw new IOException("the first line is not %sFROM TO".formatted(TAG));
    }
    var seals = new ArrayList<Address>();
    for (String line : lines.subList(1, lines.size())) {
      if (!(Address.parse(line) instanceof CheckResult.Good<Address>(Address seal))) {
        throw new IOException("line %d is no address".formatted(seals.size() + 2));
      }
      seals.add(seal);
    }
    try {
      return new SealList(
          Instant.parse(head.group(1)), Instant.parse(head.group(2)), head.group(3) != null, seals);
    } catch (DateTimeException | IllegalArgumentException wrong) {
      throw new IOException(wrong.getMessage(), wrong);
    }
  }

  /**
   * Why these seals are no accounting of the span, in words that name the seal; empty if they are.
   *
   * @param read the seals of the list, in its order, each with the bytes of its address
   */
  public Optional<String> fault(List<Seal> read) {
    Seal before = null;
    for (Seal seal : read) {
      @Nullable String wrong = alone(seal);
      if (wrong == null) {
        wrong =
            before == null || !before.node().equals(seal.node())
                ? first(seal, before)
                : next(seal, before);
      }
      if (wrong != null) {
        return Optional.of(
            "seal %s, number %d of node %s: %s"
                .formatted(seal.address(), seal.number(), seal.node(), wrong));
      }
      before = seal;
    }
    return Optional.empty();
  }

  private @Nullable String alone(Seal seal) {
    if (seal.signer().isEmpty()) {
      return "the signature does not fit, or is not by the key of its node";
    }
    if (!has(seal)) {
      return "it ends at %s, which is not in the span".formatted(seal.to());
    }
    return seal.lost().isPresent() && !withLost ? SealChain.LOST + ": " + seal.lost().get() : null;
  }

  private @Nullable String first(Seal seal, @Nullable Seal before) {
    if (before != null && before.node().compareTo(seal.node()) > 0) {
      return "it is not in the order of nodes";
    }
    if (seal.previous().isPresent() && seal.from().isAfter(from)) {
      return "it begins at %s, and the seal before it is missing".formatted(seal.from());
    }
    return null;
  }

  private static @Nullable String next(Seal seal, Seal before) {
    if (seal.number() == before.number()) {
      return seal.equals(before) ? "it is given twice" : "another one has its number";
    }
    if (seal.number() < before.number()) {
      return "it is not in the order of numbers";
    }
    if (seal.number() != before.number() + 1) {
      return "seal %d is missing before it".formatted(seal.number() - 1);
    }
    if (!seal.previous().equals(Optional.of(before.address()))) {
      return "it does not follow seal %s".formatted(before.address());
    }
    return seal.from().equals(before.to())
        ? null
        : "it begins at %s, the one before ends at %s".formatted(seal.from(), before.to());
  }
}
