package dev.ron.http.json;

import static dev.ron.kernel.fault.Said.caller;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;

/**
 * What is wrong with a JSON body, and where: {@code place} is a path like {@code
 * messages[2].topic}, or {@code $} for the whole. Only names of fields are repeated to the caller,
 * cut and without controls; values never are, since they may be secrets.
 */
public sealed interface JsonFault extends Fault {
  String place();

  /** Not JSON at all. */
  record Syntax(String place, String thing) implements JsonFault {}

  record UnknownField(String place) implements JsonFault {}

  record DuplicateKey(String place) implements JsonFault {}

  record Trailing(String place) implements JsonFault {}

  /** A value of another type than asked for, out of its range, missing or null. */
  record WrongType(String place, String thing) implements JsonFault {}

  record TooDeep(String place, int depthMax) implements JsonFault {}

  /** A string, number, name or document beyond its limit. */
  record TooLong(String place, String thing) implements JsonFault {}

  @Override
  default Said said() {
    String thing =
        switch (this) {
          case Syntax(_, var what) -> what;
          case UnknownField _ -> "is not a known field";
          case DuplicateKey _ -> "is there twice";
          case Trailing _ -> "is followed by more";
          case WrongType(_, var what) -> what;
          case TooDeep(_, var depthMax) -> "is nested deeper than " + depthMax;
          case TooLong(_, var what) -> what;
        };
    return caller(400, "malformed", place() + ": " + thing);
  }
}
