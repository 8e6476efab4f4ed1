package dev.ron.storage.s3.listing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.api.S3Query;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whatever a listing's query says, its token included, is a page in order or refused; and pages
 * that follow each other show what one page would.
 *
 * <p>An input is a query as it goes over the wire.
 */
class ListingFuzzTest {
  private static final Bucket BUCKET =
      new Bucket(1, new BucketName("bucket"), "owner", 0, Bucket.Versioning.OFF, false, Acl.NONE);
  private static final List<String> KEYS =
      List.of("a", "a/", "a/b", "a/b/c", "a/c", "a//", "b", "ä/ö", "z%", "\uffff", "\uffff/\uffff");

  private static NavigableMap<byte[], String> keys() {
    var keys = new TreeMap<byte[], String>(Arrays::compareUnsigned);
    KEYS.forEach(key -> keys.put(key.getBytes(UTF_8), key));
    return keys;
  }

  private static ObjectListing.Entry.@Nullable Key<String> atOrAfter(
      NavigableMap<byte[], String> keys, byte[] from) {
    var entry = keys.ceilingEntry(from);
    return entry == null ? null : new ObjectListing.Entry.Key<>(entry.getKey(), entry.getValue());
  }

  private static ObjectListing<String> page(ListRequest request) {
    NavigableMap<byte[], String> keys = keys();
    return ObjectListing.of(request, from -> atOrAfter(keys, from));
  }

  private static List<String> shown(ObjectListing<String> listing) {
    return listing.entries().stream()
        .map(
            entry ->
                switch (entry) {
                  case ObjectListing.Entry.Key<String>(_, var key) -> key;
                  case ObjectListing.Entry.CommonPrefix<String>(byte[] prefix) ->
                      "prefix " + new String(prefix, UTF_8);
                })
        .toList();
  }

  @FuzzTest(maxDuration = "40s")
  void anyPageIsInOrderAndFollowsItsToken(byte[] bytes) {
    try {
      S3Query query = S3Query.parse(new String(bytes, ISO_8859_1));
      ListQuery list = ListQuery.of(query, "max-keys");
      var asked =
          new ListBucketObjects.Request(
              BUCKET,
              list,
              true,
              query.value("start-after").orElse(""),
              query.value("continuation-token").orElse(null),
              false);
      check(list.after(asked.after()));
    } catch (Refusal refusal) {
      assertThat(refusal.status()).isEqualTo(400);
    }
  }

  private static void check(ListRequest request) {
    ObjectListing<String> page = page(request);
    assertThat(page.entries()).hasSizeLessThanOrEqualTo(request.max());
    for (var entry : page.entries()) {
      byte[] at =
          switch (entry) {
            case ObjectListing.Entry.Key<String>(byte[] key, _) -> key;
            case ObjectListing.Entry.CommonPrefix<String>(byte[] prefix) -> prefix;
          };
      assertThat(Arrays.mismatch(at, request.prefix())).isIn(-1, request.prefix().length);
      assertThat(Arrays.compareUnsigned(at, request.after())).isPositive();
    }
    var whole = new ListRequest(request.prefix(), request.delimiter(), request.after(), 1000);
    assertThat(stepped(whole)).isEqualTo(shown(page(whole)));
  }

  /** All entries, one a page. */
  private static List<String> stepped(ListRequest whole) {
    var shown = new ArrayList<String>();
    byte[] after = whole.after();
    boolean more = true;
    while (more) {
      ObjectListing<String> page =
          page(new ListRequest(whole.prefix(), whole.delimiter(), after, 1));
      shown.addAll(shown(page));
      assertThat(shown).hasSizeLessThanOrEqualTo(KEYS.size());
      more = page.isTruncated();
      after = page.last();
    }
    return shown;
  }
}
