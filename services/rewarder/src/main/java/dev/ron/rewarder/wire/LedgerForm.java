package dev.ron.rewarder.wire;

import dev.ron.rewarder.core.LedgerInput;

/**
 * What there is to share out, as a document: {@code pool_minor}, {@code asset}, {@code epoch}.
 *
 * <p>Threading: stateless.
 */
public final class LedgerForm {
  private LedgerForm() {}

  public static LedgerInput parse(byte[] json) throws JsonTree.Malformed {
    Fields fields = Fields.of(json);
    var input = new LedgerInput(fields.wide("pool_minor"), asset(fields), fields.text("epoch"));
    fields.end();
    return input;
  }

  private static String asset(Fields fields) throws JsonTree.Malformed {
    String asset = fields.text("asset");
    if (!asset.matches("[A-Za-z0-9._-]{1,32}")) {
      throw fields.wrong("asset", "must be 1 to 32 of A-Z a-z 0-9 . _ -");
    }
    return asset;
  }
}
