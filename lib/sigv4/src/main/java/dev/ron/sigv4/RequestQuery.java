package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The parameters of a query, escapes decoded, a character for each byte.
 *
 * <p>A plus is a plus: queries of these clients are no forms. {@code ?uploads} is {@code
 * ?uploads=}.
 *
 * <p>Threading: immutable.
 */
record RequestQuery(List<Parameter> parameters) {
  private static final RequestQuery NONE = new RequestQuery(List.of());

  /** One parameter, with both its parts decoded. */
  record Parameter(String name, String value) {
    boolean isNamed(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  /** Escaped again; sorted by name and then by value, which is not the order of the whole text. */
  private record Escaped(String name, String value) {
    static final Comparator<Escaped> ORDER =
        Comparator.comparing(Escaped::name).thenComparing(Escaped::value);
  }

  static RequestQuery parse(String rawQuery) throws SignatureRefusal {
    if (rawQuery.isEmpty()) {
      return NONE;
    }
    var parameters = new ArrayList<Parameter>();
    int end;
    for (int from = 0; from < rawQuery.length(); from = end + 1) {
      int and = rawQuery.indexOf('&', from);
      end = and < 0 ? rawQuery.length() : and;
      if (end > from) {
        int equals = rawQuery.indexOf('=', from, end);
        int name = equals < 0 ? end : equals;
        int value = equals < 0 ? end : equals + 1;
        parameters.add(
            new Parameter(
                decoded(rawQuery.substring(from, name)), decoded(rawQuery.substring(value, end))));
      }
    }
    return new RequestQuery(List.copyOf(parameters));
  }

  boolean has(String name) {
    for (Parameter parameter : parameters) {
      if (parameter.isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  /** The value of a parameter that may come once, its name in any case. */
  Optional<String> single(String name) throws SignatureRefusal {
    return named(name).map(Parameter::value);
  }

  /** The same, in this spelling only: a parameter that is not signed itself has no second one. */
  Optional<String> exact(String name) throws SignatureRefusal {
    return named(name).filter(found -> found.name().equals(name)).map(Parameter::value);
  }

  private Optional<Parameter> named(String name) throws SignatureRefusal {
    Parameter found = null;
    for (Parameter parameter : parameters) {
      if (parameter.isNamed(name)) {
        if (found != null) {
          throw new SignatureRefusal(
              new SignatureFault.Malformed(SignaturePlace.QUERY, name + " comes twice"));
        }
        found = parameter;
      }
    }
    return Optional.ofNullable(found);
  }

  /** Writes the query as it is signed; {@code leftOut} is for the signature itself. */
  void canonical(Predicate<Parameter> leftOut, StringBuilder out) {
    var signed = new ArrayList<Escaped>(parameters.size());
    for (Parameter parameter : parameters) {
      if (!leftOut.test(parameter)) {
        signed.add(new Escaped(escaped(parameter.name()), escaped(parameter.value())));
      }
    }
    signed.sort(Escaped.ORDER);
    for (int i = 0; i < signed.size(); i++) {
      Escaped each = signed.get(i);
      out.append(i == 0 ? "" : "&").append(each.name()).append('=').append(each.value());
    }
  }

  static String escaped(String text) {
    return PercentText.isPlain(text, false)
        ? text
        : PercentText.encode(text.getBytes(ISO_8859_1), false);
  }

  private static String decoded(String text) throws SignatureRefusal {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes =
        PercentText.decode(text)
            .orElseThrow(
                () ->
                    new SignatureRefusal(
                        new SignatureFault.BadTarget(
                            "the query has an escape that stands for no byte")));
    return new String(bytes, ISO_8859_1);
  }
}
