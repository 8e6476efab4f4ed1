package dev.ron.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Field names and values in the order they were given; names compare without regard to case.
 *
 * <p>A flat array and a linear search: a message has a dozen fields, and at that size this beats
 * any hash table and keeps the order for forwarding.
 *
 * <p>Threading: owned by the thread that builds it; handed over whole, and not changed after that.
 */
public final class Headers {
  private String[] pairs;
  private int size;

  public Headers() {
    this(8);
  }

  public Headers(int fields) {
    pairs = new String[fields * 2];
  }

  /** Names and values in turn. */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("names and values are not in turn");
    }
    var headers = new Headers(Math.max(1, namesAndValues.length / 2));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return headers;
  }

  /** Adds a field; a name or value that could break out of its line is a bug of the caller. */
  public Headers add(String name, String value) {
    if (!FieldText.isToken(name)) {
      throw new IllegalArgumentException("not a field name: " + name);
    }
    if (!FieldText.isValue(value)) {
      throw new IllegalArgumentException("control character in the value of " + name);
    }
    return addParsed(name, value);
  }

  /** Adds a field that a strict parser has checked already. */
  public Headers addParsed(String name, String value) {
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, Math.max(8, size * 2));
    }
    pairs[size++] = name;
    pairs[size++] = value;
    return this;
  }

  public Headers set(String name, String value) {
    return remove(name).add(name, value);
  }

  public Headers addAll(Headers other) {
    other.forEach(this::addParsed);
    return this;
  }

  public Headers remove(String name) {
    int kept = 0;
    for (int i = 0; i < size; i += 2) {
      if (!pairs[i].equalsIgnoreCase(name)) {
        pairs[kept] = pairs[i];
        pairs[kept + 1] = pairs[i + 1];
        kept += 2;
      }
    }
    Arrays.fill(pairs, kept, size, null);
    size = kept;
    return this;
  }

  /** The value of the first field of that name. */
  public @Nullable String first(String name) {
    for (int i = 0; i < size; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** Every value of that name, in order. */
  public List<String> all(String name) {
    var values = new ArrayList<String>(2);
    for (int i = 0; i < size; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        values.add(pairs[i + 1]);
      }
    }
    return values;
  }

  public boolean has(String name) {
    return first(name) != null;
  }

  public int count(String name) {
    int count = 0;
    for (int i = 0; i < size; i += 2) {
      if (pairs[i].equalsIgnoreCase(name)) {
        count++;
      }
    }
    return count;
  }

  public int size() {
    return size / 2;
  }

  public String nameAt(int index) {
    return pairs[index * 2];
  }

  public String valueAt(int index) {
    return pairs[index * 2 + 1];
  }

  public void forEach(BiConsumer<String, String> each) {
    for (int i = 0; i < size; i += 2) {
      each.accept(pairs[i], pairs[i + 1]);
    }
  }

  public Headers copy() {
    var copy = new Headers(Math.max(4, size()));
    return copy.addAll(this);
  }

  @Override
  public String toString() {
    var names = new ArrayList<String>();
    forEach((name, _) -> names.add(name));
    return "Headers" + names; // values may hold tokens, so they are not shown
  }
}
