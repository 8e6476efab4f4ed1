package dev.ron.storage.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FormPolicyTest {
  private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");
  private static final String LATER = "'expiration':'2026-11-17T12:00:01Z'";

  private static FormPolicy policy(String json) throws Refusal {
    return FormPolicy.parse(
        Base64.getEncoder().encodeToString(json.replace('\'', '"').getBytes(UTF_8)));
  }

  /** Fields as {@code name=value;name=value}. */
  private static PostedForm form(String text) {
    var fields = new LinkedHashMap<String, String>();
    for (String field : text.split(";", -1)) {
      int equals = field.indexOf('=');
      fields.put(field.substring(0, equals), field.substring(equals + 1));
    }
    return new PostedForm(fields, "cat.png", InputStream.nullInputStream());
  }

  private static String verdict(String conditions, String fields) throws Refusal {
    FormPolicy policy = policy("{" + LATER + ",'conditions':[" + conditions + "]}");
    try {
      policy.require(form(fields), "photos", NOW);
      return "allowed";
    } catch (Refusal refusal) {
      return refusal.fault().getClass().getSimpleName();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'bucket':'photos'},{'key':'a'}                                 | key=a                          | allowed
          {'bucket':'photos'},['eq','$key','a']                           | key=a                          | allowed
          {'bucket':'photos'},['eq','$Key','a']                           | key=a                          | allowed
          {'bucket':'photos'},['starts-with','$key','user/']              | key=user/${filename}           | allowed
          {'bucket':'photos'},['starts-with','$key','user/']              | key=other/x                    | AccessDenied
          {'bucket':'photos'},['eq','$key','a']                           | key=A                          | AccessDenied
          {'bucket':'other'},['eq','$key','a']                            | key=a                          | AccessDenied
          ['eq','$key','a']                                               | key=a                          | AccessDenied
          {'bucket':'photos'}                                             | key=a                          | AccessDenied
          {'bucket':'photos'},{'key':'a'}                                 | key=a;acl=public-read          | AccessDenied
          {'bucket':'photos'},{'key':'a'}                                 | key=a;tagging=x                | AccessDenied
          {'bucket':'photos'},{'key':'a'},{'acl':'private'}               | key=a;acl=public-read          | AccessDenied
          {'bucket':'photos'},{'key':'a'},{'acl':'private'}               | key=a                          | AccessDenied
          {'bucket':'photos'},{'key':'a'}                                 | key=a;x-amz-meta-a=b           | AccessDenied
          {'bucket':'photos'},{'key':'a'},['starts-with','$x-amz-meta-a',''] | key=a;x-amz-meta-a=b        | allowed
          {'bucket':'photos'},{'key':'a'}                                 | key=a;x-ignore-me=b;policy=x;x-amz-signature=y | allowed
          {'bucket':'photos'},{'key':'a'}                                 | key=a;bucket=other             | AccessDenied
          """)
  void everyFieldIsCoveredAndEveryConditionMet(String conditions, String fields, String verdict)
      throws Refusal {
    assertThat(verdict(conditions, fields)).isEqualTo(verdict);
  }

  @Test
  void aPolicyEndsAtItsTime() throws Refusal {
    FormPolicy policy = policy("{" + LATER + ",'conditions':[{'bucket':'photos'},{'key':'a'}]}");
    policy.require(form("key=a"), "photos", NOW);
    assertThatThrownBy(() -> policy.require(form("key=a"), "photos", NOW.plusSeconds(1)))
        .isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'expiration':'2026-11-17T12:00:01Z'}",
        "{'conditions':[]}",
        "{'Expiration':'2026-11-17T12:00:01Z','conditions':[]}",
        "{'expiration':'2026-11-17','conditions':[]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[{}]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':['eq']}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[['ends-with','$key','a']]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[['eq','key','a']]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[['content-length-range',1]]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[['content-length-range',-1,2]]}",
        "{'expiration':'2026-11-17T12:00:01Z','conditions':[],'more':1}",
      })
  void whatIsNoPolicyIsRefused(String json) {
    assertThatThrownBy(() -> policy(json)).isInstanceOf(Refusal.class);
  }

  @Test
  void rangesOfLengthNarrowEachOther() throws Refusal {
    FormPolicy policy =
        policy(
            "{"
                + LATER
                + ",'conditions':[['content-length-range',1,9],['content-length-range',0,5]]}");
    assertThat(policy.bytesMin()).isEqualTo(1);
    assertThat(policy.bytesMax()).isEqualTo(5);
  }

  private static PostedForm read(String body, int step) throws IOException {
    var in =
        new ByteArrayInputStream(body.getBytes(ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(step, length));
          }
        };
    return PostedForm.read(in, "B");
  }

  private static String part(String head, String value) {
    return "--B\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + value + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100_000})
  void aFormIsReadInWhicheverPiecesItComes(int step) throws IOException {
    String file = "x\r\n--A\r\n-\r\n--\r\r\n--" + "y".repeat(70_000);
    PostedForm form =
        read(
            part("name=\"key\"", "a;b")
                + part("name=\"empty\"; filename=\"f\"", "")
                + part("name=file; filename=\"C:\\\\dir\\\\c;at.png\"", file)
                + part("name=\"late\"", "1")
                + "--B--\r\n",
            step);
    assertThat(form.fields()).containsEntry("key", "a;b").containsEntry("empty", "").hasSize(2);
    assertThat(form.filename()).isEqualTo("c;at.png");
    assertThat(new String(form.file().readAllBytes(), ISO_8859_1)).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--B",
        "--B--",
        "junk\r\n--B\r\n",
        "--Bx\r\n",
        "--B\r\nContent-Disposition: form-data\r\n\r\n\r\n--B--",
        "--B\r\n\r\n\r\n--B--",
        "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--B--",
        "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1",
      })
  void whatIsNoFormWithAFileIsRefused(String body) {
    assertThatThrownBy(() -> read(body, 10)).isInstanceOf(Refusal.class);
  }

  @Test
  void fieldsHaveALimitTogetherAndNoTwoHaveOneName() {
    String file = part("name=file", "x") + "--B--";
    String long1 = part("name=a", "1".repeat(11 << 10));
    String long2 = part("name=b", "1".repeat(11 << 10));
    assertThatThrownBy(() -> read(long1 + long2 + file, 5000)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> read(part("name=a", "1") + part("name=A", "2") + file, 50))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> read("--B\r\n" + "x: y\r\n".repeat(20) + file, 50))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void aFileThatIsCutIsNoFile() throws IOException {
    PostedForm form = read("--B\r\nContent-Disposition: form-data; name=file\r\n\r\nabc\r\n--", 4);
    assertThatThrownBy(() -> form.file().readAllBytes()).isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @CsvSource({
    "multipart/form-data; boundary=abc, abc",
    "'multipart/form-data; charset=utf-8; boundary=\"a-b\"', a-b",
    "multipart/form-data, -",
    "multipart/mixed; boundary=abc, -",
    "multipart/form-data; boundary=, -",
  })
  void theBoundaryIsInTheType(String type, String boundary) {
    assertThat(FormParts.boundary(type).orElse("-")).isEqualTo(boundary);
  }
}
