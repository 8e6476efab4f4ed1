package dev.ron.storage.s3.names;

import java.util.List;

/**
 * Which byte stands for which value of an enum in rows and the log.
 *
 * <p>The list is written out where it is used: the order in which an enum names its values may
 * change, what is stored may not. New values go behind the last.
 *
 * <p>Threading: immutable.
 */
record EnumCode<E extends Enum<E>>(List<E> values) {
  EnumCode {
    values = List.copyOf(values);
  }

  int code(E value) {
    int code = values.indexOf(value);
    if (code < 0) {
      throw new IllegalStateException(value + " has no code");
    }
    return code;
  }

  E value(int code) {
    if (code >= values.size()) {
      throw new IllegalStateException("no value has the code " + code);
    }
    return values.get(code);
  }
}
