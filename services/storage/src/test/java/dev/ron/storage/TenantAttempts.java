package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a tenant tries at each route, with the tokens of some tenants. */
final class TenantAttempts {
  private static final SplittableRandom RANDOM = new SplittableRandom(24);
  static final KeyRing RING = KeyRing.generate(RANDOM);
  static final String ACME = token(new Caveat.Tenant("acme"));
  static final String EVIL = token(new Caveat.Tenant("evil"));
  static final String DEFAULT = token(new Caveat.Tenant("default"));
  static final String OPERATOR = token();
  static final String NONE = "";

  private static final Set<String> OF_THE_SERVER =
      Set.of("healthz", "readyz", "version", "openapi");

  static final byte[] SECRET = bytes(1, 5000);
  static final byte[] BOTH = bytes(2, 100_000);
  static final byte[] WRONG = bytes(3, 77);

  static String token(Caveat... caveats) {
    return new TokenMint(RING, RANDOM).mint(List.of(caveats)).token();
  }

  static HttpResponse<byte[]> ask(
      Rig rig, String token, String method, String path, byte[] body, String... headers)
      throws Exception {
    String[] all = headers;
    if (!token.isEmpty()) {
      all = new String[headers.length + 2];
      System.arraycopy(headers, 0, all, 2, headers.length);
      all[0] = "Authorization";
      all[1] = "Bearer " + token;
    }
    return rig.send(method, path, body, all);
  }

  static int status(Rig rig, String token, String method, byte[] object, String query)
      throws Exception {
    byte[] body = method.equals("PUT") ? object : new byte[0];
    return ask(rig, token, method, "/o/" + address(object) + query, body).statusCode();
  }

  static String list(Rig rig, String token, String query) throws Exception {
    HttpResponse<byte[]> answer = ask(rig, token, "GET", "/o" + query, new byte[0]);
    return Rig.words(answer);
  }

  /** One thing that a tenant tries, with fields of the head. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Attempt(String method, String path, byte[] body, String... headers) {
    @Override
    public String toString() {
      return method + " " + path + " " + List.of(headers);
    }
  }

  static Map<String, List<Attempt>> attempts(String upload) {
    byte[] none = new byte[0];
    String path = "/o/" + address(SECRET);
    String part = "/o/uploads/" + upload;
    byte[] form = ("{\"address\":\"" + address(SECRET) + "\"}").getBytes(UTF_8);
    var rows = new LinkedHashMap<String, List<Attempt>>();
    rows.put(
        "get",
        List.of(
            new Attempt("GET", path, none),
            new Attempt("GET", path, none),
            new Attempt("HEAD", path, none),
            new Attempt("GET", path, none, "Range", "bytes=0-9"),
            new Attempt("GET", path, none, "Range", "bytes=0-9,20-29"),
            new Attempt("GET", path, none, "If-None-Match", "*"),
            new Attempt("GET", path, none, "If-None-Match", "\"" + address(SECRET) + "\""),
            new Attempt("GET", path, none, "If-Match", "\"" + address(SECRET) + "\""),
            new Attempt("GET", path + "?proof=bao", none),
            new Attempt("HEAD", path + "?proof=bao", none),
            new Attempt("GET", path + "?tenant=acme", none),
            new Attempt("GET", path + "?tenant=default", none),
            new Attempt("GET", "/o/~acme%2F" + address(SECRET), none)));
    rows.put("metrics", List.of(new Attempt("GET", "/metrics", none)));
    rows.put(
        "list",
        List.of(
            new Attempt("GET", "/o", none),
            new Attempt("GET", "/o?limit=1", none),
            new Attempt("GET", "/o?tenant=acme", none)));
    rows.put(
        "delete",
        List.of(
            new Attempt("DELETE", path, none),
            new Attempt("DELETE", path + "?tenant=acme", none),
            new Attempt("DELETE", path, none)));
    // With bytes of another object it must not become an owner.
    rows.put(
        "put",
        List.of(
            new Attempt("PUT", path, WRONG),
            new Attempt("PUT", path + "?tenant=acme", SECRET),
            new Attempt("GET", path, none)));
    rows.put("repair", List.of(new Attempt("GET", "/repair", none)));
    rows.put("upload-status", List.of(new Attempt("GET", part, none)));
    rows.put("upload-part", List.of(new Attempt("PUT", part + "/0", WRONG)));
    rows.put("upload-complete", List.of(new Attempt("POST", part + "/complete", none)));
    rows.put("upload-abort", List.of(new Attempt("DELETE", part, none)));
    rows.put(
        "upload",
        List.of(new Attempt("POST", "/o/uploads", form), new Attempt("POST", "/o/uploads", form)));
    // What both have: told neither when it is stored nor when it is dropped, twice.
    String shared = "/o/" + address(BOTH);
    rows.put(
        "post",
        List.of(
            new Attempt("GET", shared, none),
            new Attempt("POST", "/o", BOTH),
            new Attempt("POST", "/o", BOTH),
            new Attempt("GET", "/o", none),
            new Attempt("GET", shared, none, "Range", "bytes=5-9"),
            new Attempt("DELETE", shared, none),
            new Attempt("DELETE", shared, none),
            new Attempt("GET", shared, none),
            new Attempt("PUT", shared, BOTH),
            new Attempt("PUT", shared, BOTH),
            new Attempt("DELETE", shared, none)));
    return rows;
  }

  static String answer(Rig rig, Attempt attempt, String token) throws Exception {
    HttpResponse<byte[]> answer =
        ask(rig, token, attempt.method(), attempt.path(), attempt.body(), attempt.headers());
    if (attempt.path().equals("/metrics")) {
      return namesAlone(Rig.words(answer));
    }
    var said = new StringBuilder(Rig.words(answer));
    for (String name :
        List.of("etag", "location", "cache-control", "content-length", "ron-durability", "vary")) {
      said.append('\n').append(name).append(answer.headers().allValues(name));
    }
    return said.toString().replaceAll("\"corr_id\":\"[^\"]*\"", "CORR");
  }

  /** Of metrics what names a tenant or an object; how much the server did differs. */
  private static String namesAlone(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.matches(".*(tenant=|acme|b3:).*"))
        .collect(Collectors.joining("\n"));
  }

  /** All that a tenant sees of what it has. */
  static String view(Rig rig, String token, String query, String upload) throws Exception {
    var all = new StringBuilder();
    for (String path :
        List.of("/o", "/o/uploads/" + upload, "/o/" + address(SECRET), "/o/" + address(BOTH))) {
      HttpResponse<byte[]> answer = ask(rig, token, "GET", path + query, new byte[0]);
      all.append(answer.statusCode()).append(' ').append(address(answer.body())).append('\n');
    }
    return all.toString();
  }

  static Set<String> operations(Rig rig) throws Exception {
    String document = Rig.words(rig.get("/openapi.json"));
    var found = new TreeSet<String>();
    Matcher each = Pattern.compile("\"operationId\":\"([^\"]+)\"").matcher(document);
    while (each.find()) {
      if (!OF_THE_SERVER.contains(each.group(1))) {
        found.add(each.group(1));
      }
    }
    return found;
  }

  static Verifier verifier() {
    return new Verifier(new Trust(RING, new Revocations(Set.of())));
  }

  private TenantAttempts() {}
}
