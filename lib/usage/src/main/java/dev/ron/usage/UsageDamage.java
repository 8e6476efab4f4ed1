package dev.ron.usage;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A file of usage that is not what was written: which one, why, and what is missing without it.
 *
 * <p>Threading: immutable.
 *
 * @param span the number of the span it is of
 * @param file its name in the folder of spans
 * @param lost the sums that its seal has of it; empty where no seal tells
 */
public record UsageDamage(long span, String file, String why, SortedMap<String, String> lost) {
  public UsageDamage {
    lost = Collections.unmodifiableSortedMap(new TreeMap<>(lost));
  }

  /** For a log and an operator. */
  public String words() {
    return "span %d, %s: %s%s"
        .formatted(
            span,
            file,
            why,
            lost.isEmpty()
                ? ""
                : lost.entrySet().stream()
                    .map(each -> each.getKey() + " " + each.getValue())
                    .collect(Collectors.joining(", ", "; missing: ", "")));
  }
}
