package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.api.SignedDoor.Caller;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What of a document would not be read is refused: it may be what keeps the rest from more. */
final class DocumentElementsTest {
  /**
   * @param taken a document that is right
   * @param refused what makes it a wrong one: an old part, and the part in its place
   */
  private record Row(String target, String taken, List<String[]> refused) {
    Row(String target, String taken, String[]... refused) {
      this(target, taken, List.of(refused));
    }
  }

  private static String[] with(String old, String other) {
    return new String[] {old, other};
  }

  private static final String GRANTEE =
      "<Grantee xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='CanonicalUser'>"
          + "<ID>main</ID></Grantee>";

  private static List<Row> rows() {
    return List.of(
        new Row(
            "PUT /b12?lifecycle",
            "<LifecycleConfiguration><Rule><ID>r</ID><Status>Disabled</Status><Filter><And>"
                + "<Prefix>a</Prefix><Tag><Key>t</Key><Value>1</Value></Tag></And></Filter>"
                + "<Expiration><Days>9</Days></Expiration></Rule></LifecycleConfiguration>",
            with("<Filter>", "<Filter/><Filter>"),
            with("<Expiration>", "<Expiration><Days>1</Days></Expiration><Expiration>"),
            with("<Days>9</Days>", "<Days>9</Days><Days>1</Days>"),
            with("<Status>Disabled</Status>", "<Status>Enabled</Status><Status>Disabled</Status>"),
            with("<ID>r</ID>", "<ID>r</ID><ID>s</ID>"),
            with("<Prefix>a</Prefix>", "<And><Prefix>a</Prefix></And>"),
            with("<Prefix>a</Prefix>", "<Prefix/><Prefix>a</Prefix>"),
            with("<Prefix>a</Prefix>", "<Prefix><Prefix>a</Prefix></Prefix>"),
            with("<And>", "<And><Tag><Key>t</Key><Value>1</Value></Tag></And><And>"),
            with("<Value>1</Value>", "<Value>1</Value><Value>2</Value>"),
            with("<Value>1</Value>", "<Worth>1</Worth>")),
        new Row(
            "PUT /b12?cors",
            "<CORSConfiguration><CORSRule><AllowedOrigin>http://a</AllowedOrigin>"
                + "<AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>5</MaxAgeSeconds></CORSRule>"
                + "</CORSConfiguration>",
            with("<MaxAgeSeconds>", "<MaxAgeSeconds>9</MaxAgeSeconds><MaxAgeSeconds>"),
            with("<MaxAgeSeconds>5", "<MaxAgeSeconds>2147483648"),
            with("<MaxAgeSeconds>5", "<MaxAgeSeconds>-1"),
            with("http://a", "http://a<Not>http://b</Not>")),
        new Row(
            "PUT /b12?publicAccessBlock",
            "<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls>"
                + "</PublicAccessBlockConfiguration>",
            with("<BlockPublicAcls>", "<BlockPublicAcls>false</BlockPublicAcls><BlockPublicAcls>")),
        new Row(
            "PUT /b12?tagging",
            "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>",
            with("<TagSet>", "<TagSet/><TagSet>"),
            with("<Key>", "<Key>c</Key><Key>"),
            with("<Tag>", "<Tags>c</Tags><Tag>")),
        new Row(
            "PUT /b12?versioning",
            "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>",
            with("<Status>", "<Status>Suspended</Status><Status>")),
        new Row(
            "PUT /b13?object-lock",
            "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>"
                + "<DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention>"
                + "</Rule></ObjectLockConfiguration>",
            with("<Rule>", "<Rule/><Rule>"),
            with("<Days>", "<Days>2</Days><Days>"),
            with("<Mode>", "<Mode>COMPLIANCE</Mode><Mode>"),
            with("Rule>", "Rules>")),
        new Row(
            "PUT /b13/k?legal-hold",
            "<LegalHold><Status>ON</Status></LegalHold>",
            with("<Status>", "<Status>OFF</Status><Status>")),
        new Row(
            "PUT /b13/k?retention",
            "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2099-01-01T00:00:00Z"
                + "</RetainUntilDate></Retention>",
            with("<Mode>", "<Mode>COMPLIANCE</Mode><Mode>"),
            with("Retention>", "Retention><Until/>")),
        new Row(
            "PUT /b12/k?acl",
            "<AccessControlPolicy><Owner><ID>main</ID></Owner><AccessControlList><Grant>"
                + GRANTEE
                + "<Permission>READ</Permission></Grant></AccessControlList></AccessControlPolicy>",
            with("<AccessControlList>", "<AccessControlList/><AccessControlList>"),
            with("<Permission>", "<Permission>FULL_CONTROL</Permission><Permission>"),
            with("<Grant>", "<Grant><Grant/>"),
            with("<ID>main</ID></Owner>", "<ID>main</ID><ID>alt</ID></Owner>")),
        new Row(
            "POST /b12?delete",
            "<Delete><Quiet>true</Quiet><Object><Key>k</Key><Size>1</Size></Object></Delete>",
            with("<Quiet>", "<Quiet>false</Quiet><Quiet>"),
            with("<Key>k</Key>", "<Key>k</Key><Key>m</Key>"),
            with("<Key>k</Key>", "<Key>k<Not>m</Not></Key>"),
            with("<Size>", "<Size>2</Size><Size>"),
            with("<Size>1</Size>", "<Version>1</Version>"),
            with("<Object>", "<Object><Object><Key>m</Key></Object>")),
        new Row(
            "POST /b12/up?uploadId=%s",
            "<CompleteMultipartUpload><Part><ETag>%s</ETag><PartNumber>1</PartNumber></Part>"
                + "</CompleteMultipartUpload>",
            with("<PartNumber>", "<PartNumber>2</PartNumber><PartNumber>"),
            with("<ETag>", "<ETag>x</ETag><ETag>")));
  }

  @Test
  void whatIsThereTwiceOrDeeperThanItIsReadIsRefused() throws Exception {
    try (var door = new SignedDoor()) {
      Caller main = door.tenant("main");
      assertThat(main.put("/b12", "")).isEqualTo("200");
      assertThat(main.put("/b12/k", "x")).isEqualTo("200");
      assertThat(main.put("/b13", "", "x-amz-bucket-object-lock-enabled", "true")).isEqualTo("200");
      assertThat(main.put("/b13/k", "x")).isEqualTo("200");
      String upload =
          main.send("POST", "/b12/up?uploads", "")
              .text()
              .replaceFirst("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
      String etag =
          main.send("PUT", "/b12/up?partNumber=1&uploadId=" + upload, "part").header("ETag");
      var soft = new SoftAssertions();
      for (Row row : rows()) {
        String[] words = row.target().formatted(upload).split(" ", 2);
        String taken = row.taken().formatted(etag);
        for (String[] each : row.refused()) {
          String document = taken.replace(each[0], each[1]);
          assertThat(document).isNotEqualTo(taken);
          soft.assertThat(main.send(words[0], words[1], document).brief())
              .as("%s %s", row.target(), document)
              .isEqualTo("400 MalformedXML");
        }
        soft.assertThat(main.send(words[0], words[1], taken).brief()).as(taken).isIn("200", "204");
      }
      soft.assertAll();
    }
  }
}
