package dev.ron.http.json;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;

/**
 * What is wrong with a JSON body, and where: {@code place} is a path like {@code
 * messages[2].topic}, or {@code $} for the whole. Only names of fields are repeated to the caller,
 * cut and without controls; values never are, since they may be secrets.
 */
public sealed interface JsonFault extends Fault {
  String place();

  /** The thing that is wrong at the place. */
  String thing();

  @Override
  default String code() {
    return "malformed";
  }

  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  @Override
  default String detail() {
    return place() + ": " + thing();
  }

  /** Not JSON at all. */
  record Syntax(String place, String thing) implements JsonFault {}

  record UnknownField(String place) implements JsonFault {
    @Override
    public String thing() {
      return "is not a known field";
    }
  }

  record DuplicateKey(String place) implements JsonFault {
    @Override
    public String thing() {
      return "is there twice";
    }
  }

  record Trailing(String place) implements JsonFault {
    @Override
    public String thing() {
      return "is followed by more";
    }
  }

  /** A value of another type than asked for, out of its range, missing or null. */
  record WrongType(String place, String thing) implements JsonFault {}

  record TooDeep(String place, int depthMax) implements JsonFault {
    @Override
    public String thing() {
      return "is nested deeper than " + depthMax;
    }
  }

  /** A string, number, name or document beyond its limit. */
  record TooLong(String place, String thing) implements JsonFault {}
}
