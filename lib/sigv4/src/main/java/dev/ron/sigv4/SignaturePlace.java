package dev.ron.sigv4;

/** Where a request carries its signature, and what S3 calls an error in it. */
public enum SignaturePlace {
  /** In the field {@code Authorization}. */
  HEADER("AuthorizationHeaderMalformed"),
  /** In the query: a presigned request. */
  QUERY("AuthorizationQueryParametersError");

  private final String code;

  SignaturePlace(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }
}
