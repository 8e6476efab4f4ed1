package dev.ron.sigv4;

/**
 * What a signing key is good for: one day, one region, one service.
 *
 * <p>Threading: immutable.
 *
 * @param date the day as eight digits
 */
public record CredentialScope(String date, String region, String service) {
  private static final String END = "aws4_request";

  /** Checks that it can be written and read back. */
  public CredentialScope {
    if (date.length() != 8 || !date.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException("the date of a scope is eight digits");
    }
    requirePart(region);
    requirePart(service);
  }

  private static void requirePart(String part) {
    if (part.isEmpty() || !part.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '/')) {
      throw new IllegalArgumentException("region and service are printable, without a slash");
    }
  }

  /** The text that is signed. */
  public String text() {
    return date + "/" + region + "/" + service + "/" + END;
  }

  /** The access key id and the scope in the text of a {@code Credential}. */
  record Credential(String accessKeyId, CredentialScope scope) {}

  /** Reads {@code id/date/region/service/aws4_request}; the id is what is left of the last four. */
  static Credential parse(SignaturePlace place, String text) throws SignatureRefusal {
    String[] parts = text.split("/", -1);
    int count = parts.length;
    if (count == 5 && parts[4].equals(END) && isId(parts[0])) {
      try {
        return new Credential(parts[0], new CredentialScope(parts[1], parts[2], parts[3]));
      } catch (IllegalArgumentException _) {
        // Said below, with the form that it should have.
      }
    }
    throw new SignatureRefusal(
        new SignatureFault.Malformed(
            place, "a credential is ID/yyyymmdd/REGION/SERVICE/" + END + ", with no part empty"));
  }

  private static boolean isId(String id) {
    return !id.isEmpty() && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
