package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The parameters of a query, escapes decoded, a character for each byte.
 *
 * <p>A plus is a plus: queries of these clients are no forms. {@code ?uploads} is {@code
 * ?uploads=}.
 *
 * <p>Threading: immutable.
 */
record RequestQuery(List<Parameter> parameters) {
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
    var parameters = new ArrayList<Parameter>();
    if (!rawQuery.isEmpty()) {
      for (String piece : rawQuery.split("&", -1)) {
        if (!piece.isEmpty()) {
          int equals = piece.indexOf('=');
          parameters.add(
              equals < 0
                  ? new Parameter(decoded(piece), "")
                  : new Parameter(
                      decoded(piece.substring(0, equals)), decoded(piece.substring(equals + 1))));
        }
      }
    }
    return new RequestQuery(List.copyOf(parameters));
  }

  boolean has(String name) {
    return parameters.stream().anyMatch(parameter -> parameter.isNamed(name));
  }

  /** The value of a parameter that may come once, its name in any case. */
  Optional<String> single(String name) throws SignatureRefusal {
    List<Parameter> named = parameters.stream().filter(p -> p.isNamed(name)).toList();
    if (named.size() > 1) {
      throw new SignatureRefusal(
          new SignatureFault.Malformed(SignaturePlace.QUERY, name + " comes twice"));
    }
    return named.stream().findFirst().map(Parameter::value);
  }

  /** The same, in this spelling only: a parameter that is not signed itself has no second one. */
  Optional<String> exact(String name) throws SignatureRefusal {
    return single(name).filter(_ -> parameters.stream().anyMatch(p -> p.name().equals(name)));
  }

  /** The query as it is signed; {@code leftOut} is for the signature itself. */
  String canonical(Predicate<Parameter> leftOut) {
    return parameters.stream()
        .filter(leftOut.negate())
        .map(p -> new Escaped(escaped(p.name()), escaped(p.value())))
        .sorted(Escaped.ORDER)
        .map(p -> p.name() + "=" + p.value())
        .collect(Collectors.joining("&"));
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
