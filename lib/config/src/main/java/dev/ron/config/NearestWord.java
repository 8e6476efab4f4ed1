package dev.ron.config;

import java.util.Collection;
import java.util.Optional;

/**
 * The known word nearest to an unknown one, by edit distance: the fewest insertions, deletions,
 * replacements and swaps of neighbours that turn one into the other.
 */
public final class NearestWord {
  /** Longer words are compared by their beginnings: the work grows with the square. */
  private static final int CHARACTERS_MAX = 128;

  private NearestWord() {}

  /** Ties go to the first in the alphabet, so that the same mistake gives the same message. */
  public static Optional<String> to(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known.stream().sorted().toList()) {
      int distance = distance(word, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  static int distance(String from, String to) {
    String a = from.substring(0, Math.min(from.length(), CHARACTERS_MAX));
    String b = to.substring(0, Math.min(to.length(), CHARACTERS_MAX));
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replace, Math.min(last[j], row[j - 1]) + 1);
        if (isSwap(a, i, b, j)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
    }
    return last[b.length()];
  }

  private static boolean isSwap(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
