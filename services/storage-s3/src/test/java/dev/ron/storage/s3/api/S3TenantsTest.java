package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.api.SignedDoor.Caller;
import dev.ron.storage.s3.api.SignedDoor.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is in a tenant's bucket is to another as if it were not there: every method at every level
 * with every parameter that can name an operation, so every operation there is or will be, is asked
 * by another tenant at a bucket that has all there can be and at one that has nothing, and answers
 * the same. That there is a bucket of the name can be told: buckets have one name space.
 */
@Timeout(180)
final class S3TenantsTest {
  private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "POST", "DELETE");

  private static final Map<String, String> SETTINGS =
      Map.of(
          "tagging",
          "<Tagging><TagSet><Tag><Key>k</Key><Value>hush</Value></Tag></TagSet></Tagging>",
          "cors",
          "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod>"
              + "<AllowedOrigin>http://hush.example</AllowedOrigin></CORSRule></CORSConfiguration>",
          "versioning",
          "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>");

  private static String element(Told told, String name) {
    Matcher found = Pattern.compile("<%s>([^<]*)</%s>".formatted(name, name)).matcher(told.text());
    assertThat(found.find()).as(told.text()).isTrue();
    return found.group(1);
  }

  /** A request, and the fields of its head. */
  private record Attempt(String method, String target, String body, List<String> fields) {}

  private static List<Attempt> attempts(String upload) {
    var all = new ArrayList<Attempt>();
    var parts = new ArrayList<>(S3Operations.PARTS);
    parts.add("");
    for (String method : METHODS) {
      for (String part : parts) {
        String value = part.equals("uploadId") ? part + "=" + upload + "&partNumber=1" : part;
        String query = part.isEmpty() ? "" : "?" + value;
        String body = SETTINGS.getOrDefault(part, "");
        for (String path : List.of("/", "/secret", "/secret/doc", "/secret/none")) {
          all.add(new Attempt(method, path + query, body, List.of()));
        }
        for (String path : List.of("/secret/doc", "/theirs/doc")) {
          all.add(
              new Attempt(method, path + query, body, List.of("x-amz-copy-source", "/secret/doc")));
        }
      }
    }
    for (String field : List.of("If-None-Match", "If-Match")) {
      all.add(new Attempt("GET", "/secret/doc", "", List.of(field, "*")));
      all.add(new Attempt("PUT", "/secret/doc", "x", List.of(field, "*")));
    }
    all.add(new Attempt("GET", "/secret/doc?versionId=null", "", List.of()));
    all.add(new Attempt("GET", "/secret/doc", "", List.of("Range", "bytes=0-0")));
    return all;
  }

  private static String said(Caller caller, Attempt attempt) throws Exception {
    Told told =
        caller.send(
            attempt.method(),
            attempt.target(),
            attempt.body(),
            attempt.fields().toArray(String[]::new));
    return told.status()
        + " "
        + told.text()
            .replaceAll("<(RequestId|HostId|UploadId|LastModified|CreationDate)>[^<]*</", "<$1></")
        + told.answer().headers().allValues("etag")
        + told.answer().headers().allValues("content-length");
  }

  private static String view(Caller caller) throws Exception {
    var all = new StringBuilder();
    for (String target :
        List.of(
            "/secret?versions",
            "/secret?uploads",
            "/secret?tagging",
            "/secret?cors",
            "/secret/doc")) {
      Told told = caller.send("GET", target, "");
      all.append(told.status()).append(told.text()).append('\n');
    }
    return all.toString().replaceAll("<(RequestId|HostId)>[^<]*</", "");
  }

  @Test
  void noOperationTellsATenantWhatIsInAnothersBucket() throws Exception {
    try (var full = new SignedDoor();
        var bare = new SignedDoor()) {
      Caller acme = full.tenant("acme");
      assertThat(acme.put("/secret", "")).isEqualTo("200");
      assertThat(bare.tenant("acme").put("/secret", "")).isEqualTo("200");
      for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
        assertThat(acme.put("/secret?" + setting.getKey(), setting.getValue())).startsWith("20");
      }
      assertThat(acme.put("/secret/doc", "hush")).isEqualTo("200");
      assertThat(acme.put("/secret/doc", "hush again")).isEqualTo("200");
      String upload = element(acme.send("POST", "/secret/doc?uploads", ""), "UploadId");
      assertThat(acme.put("/secret/doc?partNumber=1&uploadId=" + upload, "hush")).isEqualTo("200");
      for (SignedDoor door : List.of(full, bare)) {
        assertThat(door.tenant("evil").put("/theirs", "")).isEqualTo("200");
      }
      String before = view(acme);
      assertThat(before).contains("hush");
      Caller evil = full.tenant("evil");
      Caller twin = bare.tenant("evil");
      for (Attempt attempt : attempts(upload)) {
        assertThat(said(evil, attempt))
            .as(attempt.toString())
            .isEqualTo(said(twin, attempt))
            .doesNotContain("hush");
      }
      assertThat(view(acme)).isEqualTo(before);
      assertThat(view(full.operator())).isEqualTo(before);
    }
  }
}
