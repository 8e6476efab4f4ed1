package dev.ron.capability.registered;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Access key ids of 20 characters, each standing for the long one of a key pair. There is no secret
 * here: it is computed from the long id, as it is for every pair.
 *
 * <pre>
 * RONKABCDEFGH234567AB RON1... 2026-11-15T10:00:00Z
 * </pre>
 *
 * <p>Threading: immutable.
 */
public final class RegisteredKeys {
  /** An installation with more programs than this has one that makes keys by itself. */
  public static final int KEYS_MAX = 10_000;

  /** Nothing is registered. */
  public static final RegisteredKeys NONE = new RegisteredKeys(List.of());

  /** What a short id begins with; a long one begins otherwise. */
  static final String ID_START = "RONK";

  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int RANDOM_LETTERS = 16;

  private final Map<String, RegisteredKey> keys;

  /**
   * One of them.
   *
   * @param pairId the long id
   */
  public record RegisteredKey(String id, String pairId, Instant created) {
    /** Checks that it can be written and read back. */
    public RegisteredKey {
      if (!isId(id)) {
        throw new IllegalArgumentException("a registered key id is RONK and 16 of A-Z and 2-7");
      }
      if (pairId.isEmpty() || !pairId.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        throw new IllegalArgumentException("the key pair of %s cannot be read".formatted(id));
      }
    }
  }

  /** Refuses an id that is there twice. */
  public RegisteredKeys(Collection<RegisteredKey> all) {
    if (all.size() > KEYS_MAX) {
      throw new IllegalArgumentException("more than %d registered keys".formatted(KEYS_MAX));
    }
    var byId = new LinkedHashMap<String, RegisteredKey>();
    for (RegisteredKey key : all) {
      if (byId.put(key.id(), key) != null) {
        throw new IllegalArgumentException("the key %s is registered twice".formatted(key.id()));
      }
    }
    this.keys = Map.copyOf(byId);
  }

  /** Reads the lines of {@link #text}; any other line is refused. */
  public static RegisteredKeys parse(String text) {
    return new RegisteredKeys(
        text.lines()
            .map(
                line -> {
                  String[] parts = line.split(" ", -1);
                  if (parts.length != 3) {
                    throw new IllegalArgumentException("a line that is no registered key");
                  }
                  return new RegisteredKey(parts[0], parts[1], time(parts[2]));
                })
            .toList());
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException bad) {
      throw new IllegalArgumentException("a registered key without the time it was made", bad);
    }
  }

  /** All of them, one a line. */
  public String text() {
    return all().stream()
        .map(key -> key.id() + " " + key.pairId() + " " + key.created() + "\n")
        .collect(Collectors.joining());
  }

  /** The oldest first. */
  public List<RegisteredKey> all() {
    return keys.values().stream()
        .sorted(Comparator.comparing(RegisteredKey::created).thenComparing(RegisteredKey::id))
        .toList();
  }

  /** A new id; {@code random} only has to make it unlikely that two are the same. */
  public static String newId(RandomGenerator random) {
    var id = new StringBuilder(ID_START);
    for (int i = 0; i < RANDOM_LETTERS; i++) {
      id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return id.toString();
  }

  public static boolean isId(String text) {
    return text.length() == ID_START.length() + RANDOM_LETTERS
        && text.startsWith(ID_START)
        && text.chars().allMatch(c -> LETTERS.indexOf(c) >= 0);
  }

  public Optional<RegisteredKey> find(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  /** The long id behind any id; a long one stands for itself. */
  public String pairId(String id) {
    RegisteredKey key = keys.get(id);
    return key == null ? id : key.pairId();
  }

  /** These and one more. */
  public RegisteredKeys with(RegisteredKey key) {
    var more = new ArrayList<>(keys.values());
    more.add(key);
    return new RegisteredKeys(more);
  }

  /** These without one. */
  public RegisteredKeys without(String id) {
    return new RegisteredKeys(keys.values().stream().filter(key -> !key.id().equals(id)).toList());
  }

  @Override
  public String toString() {
    return "RegisteredKeys[" + keys.size() + "]";
  }
}
