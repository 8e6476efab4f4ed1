package dev.ron.storage.s3.xml;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that ask for more than they are worth. */
final class XmlReaderTest {
  @Test
  void aDocumentIsItsElements() throws Refusal {
    XmlNode root = XmlReader.read("<Delete><Quiet>true</Quiet></Delete>".getBytes(UTF_8), "Delete");
    assertThat(root.text("Quiet")).contains("true");
    assertThat(XmlReader.read("<Delete/>".getBytes(UTF_16), "Delete").children()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<Delete>",
        "<Delete></Delet>",
        "<Delete/><Delete/>",
        "<Other/>",
        "<Delete>&unknown;</Delete>",
        "<Delete>\u0001</Delete>",
        "<?xml version=\"1.0\" encoding=\"nonsense\"?><Delete/>",
        "<!DOCTYPE Delete SYSTEM \"file:///etc/passwd\"><Delete/>",
        """
        <!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete>&x;</Delete>\
        """,
        """
        <!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><Delete>&b;</Delete>\
        """,
        """
        <!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x">%p;]><Delete/>\
        """,
      })
  void whatIsNoDocumentIsRefused(String document) {
    assertThatThrownBy(() -> XmlReader.read(document.getBytes(UTF_8), "Delete"))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void depthAndNumberHaveLimits() {
    String deep = "<Delete>" + "<a>".repeat(100_000);
    String wide = "<Delete>" + "<a/>".repeat(100_000) + "</Delete>";
    var attributes = new StringBuilder("<Delete");
    for (int i = 0; i < 20_000; i++) {
      attributes.append(" a").append(i).append("=\"1\"");
    }
    attributes.append("/>");
    for (String document : new String[] {deep, wide, attributes.toString()}) {
      assertThatThrownBy(() -> XmlReader.read(document.getBytes(UTF_8), "Delete"))
          .isInstanceOf(Refusal.class);
    }
  }
}
