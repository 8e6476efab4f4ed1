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
    if (date.length() != 8 || !isWithin(date, '0', '9')) {
      throw new IllegalArgumentException("the date of a scope is eight digits");
    }
    requirePart(region);
    requirePart(service);
  }

  private static void requirePart(String part) {
    if (part.isEmpty() || !isWithin(part, '!', '~') || part.indexOf('/') >= 0) {
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
    int date = text.indexOf('/') + 1;
    int region = text.indexOf('/', date) + 1;
    int service = text.indexOf('/', region) + 1;
    int end = text.indexOf('/', service) + 1;
    // A slash that is not there leaves a place that is not behind the one before it.
    if (1 < date
        && date < region
        && region < service
        && service < end
        && END.equals(text.substring(end))
        && isWithin(text, '!', '~')) {
      try {
        var scope =
            new CredentialScope(
                text.substring(date, region - 1),
                text.substring(region, service - 1),
                text.substring(service, end - 1));
        return new Credential(text.substring(0, date - 1), scope);
      } catch (IllegalArgumentException _) {
        // Said below, with the form that it should have.
      }
    }
    throw new SignatureRefusal(
        new SignatureFault.Malformed(
            place, "a credential is ID/yyyymmdd/REGION/SERVICE/" + END + ", with no part empty"));
  }

  private static boolean isWithin(String text, char first, char last) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < first || text.charAt(i) > last) {
        return false;
      }
    }
    return true;
  }
}
