package dev.ron.rewarder.input;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.sign.PolicyForm;
import java.util.regex.Pattern;

/**
 * What there is to share out, as a document: {@code pool_minor}, {@code asset}, {@code epoch}.
 *
 * <p>Threading: stateless.
 */
public final class LedgerForm {
  private static final Form FORM =
      Form.of(
          RewarderFault.BadInput::new,
          PolicyForm.amount("pool_minor"),
          Field.text(
              "asset",
              Pattern.compile("[A-Za-z0-9._-]{1,32}"),
              "must be 1 to 32 of A-Z a-z 0-9 . _ -"),
          Field.text("epoch"));

  private LedgerForm() {}

  public static LedgerInput parse(byte[] json) throws Refusal {
    Fields fields = FORM.read(json);
    return new LedgerInput(
        fields.value("pool_minor", Wide.class), fields.text("asset"), fields.text("epoch"));
  }
}
