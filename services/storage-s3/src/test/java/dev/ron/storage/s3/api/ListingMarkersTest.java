package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.caveat.Caveat;
import dev.ron.capability.caveat.KeyPrefix;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page begins behind widens no listing: it shows what its prefix and its rights allow. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ListingMarkersTest {
  private static final String ENABLED =
      "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";

  private SignedDoor door;
  private Caller main;

  @BeforeAll
  void open() throws Exception {
    door = new SignedDoor();
    main = door.tenant("main");
    assertThat(main.put("/b12", "")).isEqualTo("200");
    for (String key : List.of("a/1", "m/1", "z/1")) {
      assertThat(main.put("/b12/" + key, "first")).isEqualTo("200");
    }
    assertThat(main.put("/b12?versioning", ENABLED)).isEqualTo("200");
    for (String key : List.of("a/1", "m/1", "z/1")) {
      assertThat(main.put("/b12/" + key, "second")).isEqualTo("200");
      for (int i = 0; i < 2; i++) {
        assertThat(main.send("POST", "/b12/" + key + "?uploads", "").brief()).isEqualTo("200");
      }
    }
  }

  @AfterAll
  void close() {
    door.close();
  }

  /** Keys and common prefixes of a page, in turn. */
  private static String shown(Caller caller, String target) throws Exception {
    return String.join(
        " ",
        Pattern.compile("<Key>([^<]+)</Key>|<CommonPrefixes><Prefix>([^<]+)<")
            .matcher(caller.send("GET", target, "").text())
            .results()
            .map(ListingMarkersTest::name)
            .toList());
  }

  private static String name(MatchResult found) {
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  /** The first id of a key that a listing tells. */
  private String first(String listing, String key, String element) throws Exception {
    return Pattern.compile(element + ">([^<]+)<")
        .matcher(main.send("GET", "/b12?" + listing + "&prefix=" + key, "").text())
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the listing, the key of the marker, what the page shows behind its newest version
        "versions                        | a/1 | a/1 m/1 m/1 z/1 z/1",
        "versions&prefix=m%2F            | m/1 | m/1",
        "versions&prefix=m%2F            | a/1 | m/1 m/1",
        "versions&prefix=m%2F            | z/1 | ''",
        "versions&delimiter=%2F          | a/1 | m/ z/",
        "versions&delimiter=%2F          | m/1 | z/",
        "versions&prefix=m&delimiter=%2F | a/1 | m/",
        "versions&prefix=m&delimiter=%2F | m/1 | ''",
      })
  void aVersionThatIsAMarkerLeadsOutOfNoPrefix(String listing, String key, String shows)
      throws Exception {
    String id = first("versions", key, "VersionId");
    assertThat(
            shown(main, "/b12?%s&key-marker=%s&version-id-marker=%s".formatted(listing, key, id)))
        .isEqualTo(shows);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uploads                        | a/1 | a/1 m/1 m/1 z/1 z/1",
        "uploads&prefix=m%2F            | m/1 | m/1",
        "uploads&prefix=m%2F            | a/1 | m/1 m/1",
        "uploads&prefix=m%2F            | z/1 | ''",
        "uploads&delimiter=%2F          | a/1 | m/ z/",
        "uploads&delimiter=%2F          | m/1 | z/",
        "uploads&prefix=m&delimiter=%2F | a/1 | m/",
        "uploads&prefix=m&delimiter=%2F | m/1 | ''",
      })
  void anUploadThatIsAMarkerLeadsOutOfNoPrefix(String listing, String key, String shows)
      throws Exception {
    String id = first("uploads", key, "UploadId");
    assertThat(shown(main, "/b12?%s&key-marker=%s&upload-id-marker=%s".formatted(listing, key, id)))
        .isEqualTo(shows);
  }

  /** A prefix that a caveat or a policy holds a caller to holds the marker too. */
  @Test
  void aMarkerShowsNothingOutsideOfTheCallersKeys() throws Exception {
    Caller inside = door.tenant("main", new Caveat.Key(KeyPrefix.of("m/")));
    String theirs = first("versions", "a/1", "VersionId");
    String behind = "&key-marker=a/1&version-id-marker=" + theirs;
    assertThat(shown(inside, "/b12?versions&prefix=m%2F" + behind)).isEqualTo("m/1 m/1");
    String statement =
        "{'Version':'2012-10-17','Statement':[{'Effect':'Allow','Principal':'*',"
            + "'Action':'s3:ListBucketVersions','Resource':'arn:aws:s3:::b12',"
            + "'Condition':{'StringEquals':{'s3:prefix':'m/'}}}]}";
    assertThat(main.put("/b12?policy", statement.replace('\'', '"'))).isEqualTo("204");
    Caller other = door.tenant("alt");
    assertThat(other.get("/b12?versions&prefix=a%2F")).isEqualTo("403 AccessDenied");
    assertThat(shown(other, "/b12?versions&prefix=m%2F" + behind)).isEqualTo("m/1 m/1");
    assertThat(main.delete("/b12?policy")).isEqualTo("204");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a marker of 1,100 bytes is no key, and is a place in the order like any other text
        "versions&key-marker=LONG&version-id-marker=null | 400 InvalidArgument",
        "versions&key-marker=LONG                        | 200",
        "versions&version-id-marker=null                 | 400 InvalidArgument",
        "versions&key-marker=k&version-id-marker=LONG    | 400 InvalidArgument",
        "uploads&key-marker=LONG&upload-id-marker=ID     | 400 InvalidArgument",
        "uploads&key-marker=LONG                         | 200",
        "uploads&key-marker=k&upload-id-marker=LONG      | 400 InvalidArgument",
        "list-type=2&start-after=LONG                    | 200",
        "list-type=2&continuation-token=LONG             | 200",
        "list-type=2&continuation-token=LONG%2B          | 400 InvalidArgument",
        "marker=LONG                                     | 200",
        "prefix=LONG                                     | 200",
        "versions&prefix=LONG&delimiter=LONG             | 200",
      })
  void aMarkerThatIsTooLongIsRefusedOrAPlace(String query, String told) throws Exception {
    String target = query.replace("LONG", "k".repeat(1100)).replace("ID", "0".repeat(32));
    assertThat(main.get("/b12?" + target)).isEqualTo(told);
  }

  /**
   * A client that deletes what each page showed meets all versions, and is told which is latest.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aPageGoesOnBehindAVersionThatIsGone(int max) throws Exception {
    assertThat(main.put("/b13", "")).isEqualTo("200");
    assertThat(main.put("/b13/k", "null")).isEqualTo("200");
    assertThat(main.put("/b13?versioning", ENABLED)).isEqualTo("200");
    for (int i = 0; i < 4; i++) {
      assertThat(main.put("/b13/k", "more")).isEqualTo("200");
    }
    assertThat(main.delete("/b13/k")).isEqualTo("204");
    assertThat(main.put("/b13/l", "another")).isEqualTo("200");
    String next = "";
    int pages = 0;
    while (next != null) {
      assertThat(++pages).isLessThan(8);
      String page = main.send("GET", "/b13?versions&max-keys=" + max + next, "").text();
      assertThat(page).contains("<IsLatest>true</IsLatest>");
      for (MatchResult each :
          Pattern.compile("<Key>([^<]+)</Key><VersionId>([^<]+)<")
              .matcher(page)
              .results()
              .toList()) {
        assertThat(main.delete("/b13/" + each.group(1) + "?versionId=" + each.group(2)))
            .isEqualTo("204");
      }
      next =
          page.contains("<IsTruncated>true<")
              ? "&key-marker=%s&version-id-marker=%s"
                  .formatted(text(page, "NextKeyMarker"), text(page, "NextVersionIdMarker"))
              : null;
    }
    assertThat(main.delete("/b13")).isEqualTo("204");
  }

  private static String text(String page, String element) {
    return page.replaceFirst("(?s).*<" + element + ">([^<]*)<.*", "$1");
  }
}
