package dev.ron.storage.s3.policy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/** How a condition compares what a policy says with what a request has. */
enum PolicyOperator {
  STRING_EQUALS("StringEquals"),
  STRING_NOT_EQUALS("StringNotEquals"),
  STRING_EQUALS_IGNORE_CASE("StringEqualsIgnoreCase"),
  STRING_NOT_EQUALS_IGNORE_CASE("StringNotEqualsIgnoreCase"),
  STRING_LIKE("StringLike"),
  STRING_NOT_LIKE("StringNotLike"),
  BOOL("Bool"),
  IP_ADDRESS("IpAddress"),
  NOT_IP_ADDRESS("NotIpAddress"),
  NUMERIC_EQUALS("NumericEquals"),
  NUMERIC_LESS_THAN("NumericLessThan"),
  NUMERIC_LESS_THAN_EQUALS("NumericLessThanEquals"),
  NUMERIC_GREATER_THAN("NumericGreaterThan"),
  NUMERIC_GREATER_THAN_EQUALS("NumericGreaterThanEquals"),
  /** Whether the request has none; asked apart from the others. */
  NULL("Null");

  private final String text;

  PolicyOperator(String text) {
    this.text = text;
  }

  static Optional<PolicyOperator> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }

  /** Whether it holds where none of the values fits. */
  boolean negated() {
    return switch (this) {
      case STRING_NOT_EQUALS, STRING_NOT_EQUALS_IGNORE_CASE, STRING_NOT_LIKE, NOT_IP_ADDRESS ->
          true;
      default -> false;
    };
  }

  /** Whether what a request has fits what is said, before it is negated. */
  boolean test(String said, String has) {
    return switch (this) {
      case STRING_EQUALS, STRING_NOT_EQUALS -> said.equals(has);
      case STRING_EQUALS_IGNORE_CASE, STRING_NOT_EQUALS_IGNORE_CASE, BOOL ->
          said.equalsIgnoreCase(has);
      case STRING_LIKE, STRING_NOT_LIKE -> new WildcardText(said).matches(has);
      case IP_ADDRESS, NOT_IP_ADDRESS ->
          AddressRange.parse(said).map(range -> range.contains(has)).orElse(false);
      case NUMERIC_EQUALS -> compares(said, has, sign -> sign == 0);
      case NUMERIC_LESS_THAN -> compares(said, has, sign -> sign < 0);
      case NUMERIC_LESS_THAN_EQUALS -> compares(said, has, sign -> sign <= 0);
      case NUMERIC_GREATER_THAN -> compares(said, has, sign -> sign > 0);
      case NUMERIC_GREATER_THAN_EQUALS -> compares(said, has, sign -> sign >= 0);
      case NULL -> throw new IllegalStateException("whether there is a value was asked before");
    };
  }

  /** Whether a policy may say this; a value that could never fit is a mistake of its author. */
  boolean takes(String said) {
    return switch (this) {
      case BOOL, NULL -> {
        String flag = said.toLowerCase(Locale.ROOT);
        yield flag.equals("true") || flag.equals("false");
      }
      case IP_ADDRESS, NOT_IP_ADDRESS -> AddressRange.parse(said).isPresent();
      case NUMERIC_EQUALS,
          NUMERIC_LESS_THAN,
          NUMERIC_LESS_THAN_EQUALS,
          NUMERIC_GREATER_THAN,
          NUMERIC_GREATER_THAN_EQUALS ->
          number(said).isPresent();
      default -> true;
    };
  }

  /** What is no number compares with none. */
  private static boolean compares(String said, String has, IntPredicate sign) {
    Optional<BigDecimal> wanted = number(said);
    Optional<BigDecimal> there = number(has);
    return wanted.isPresent()
        && there.isPresent()
        && sign.test(there.get().compareTo(wanted.get()));
  }

  private static Optional<BigDecimal> number(String text) {
    try {
      return text.length() > 20 ? Optional.empty() : Optional.of(new BigDecimal(text.strip()));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
