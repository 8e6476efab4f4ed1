package dev.ron.storage.s3.cors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CorsRulesTest {
  private static CorsRules rules(String rule) throws Refusal {
    String document = "<CORSConfiguration>" + rule + "</CORSConfiguration>";
    return CorsRules.read(document.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example, http://a.example, GET, GET, , , true",
    "http://a.example, http://A.example, GET, GET, , , false",
    "http://a.example, http://a.example.evil, GET, GET, , , false",
    "http://*.example, http://a.example, GET, GET, , , true",
    "http://*.example, http://.example, GET, GET, , , true",
    "http://*.example, http://a.example.evil, GET, GET, , , false",
    "start*end, startend, GET, GET, , , true",
    "aba*ba, aba, GET, GET, , , false",
    "*, null, GET, GET, , , true",
    "*, x, GET, PUT, , , false",
    "*, x, GET, GET, , x-amz-date, false",
    "*, x, GET, GET, X-Amz-*, x-amz-date, true",
    "*, x, GET, GET, x-amz-*, content-type, false",
    "*, x, GET, GET, '*', Content-Type, true",
  })
  void aRuleFitsOriginMethodAndFields(
      String allowed,
      String origin,
      String methods,
      String method,
      String headers,
      String asked,
      boolean fits)
      throws Refusal {
    String header = headers == null ? "" : "<AllowedHeader>" + headers + "</AllowedHeader>";
    CorsRules rules =
        rules(
            "<CORSRule><AllowedOrigin>%s</AllowedOrigin><AllowedMethod>%s</AllowedMethod>%s</CORSRule>"
                .formatted(allowed, methods, header));
    List<String> wanted = asked == null ? List.of() : List.of(asked);
    assertThat(rules.of(origin, method, wanted).isPresent()).isEqualTo(fits);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<Rule/>",
        "<CORSRule/>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PATCH</AllowedMethod></CORSRule>",
        "<CORSRule><AllowedOrigin>*a*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><X/></CORSRule>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
            + "<MaxAgeSeconds>-1</MaxAgeSeconds></CORSRule>",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
            + "<ExposeHeader>a b</ExposeHeader></CORSRule>",
      })
  void whatIsNoRuleIsRefused(String rule) {
    assertThatThrownBy(() -> rules(rule)).isInstanceOf(Refusal.class);
  }
}
