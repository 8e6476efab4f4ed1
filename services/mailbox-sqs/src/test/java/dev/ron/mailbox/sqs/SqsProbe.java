package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks to the door in one of its protocols, with members by the names of the model. It has its
 * own opinion of what a form looks like.
 *
 * <p>Threading: thread-safe.
 */
public final class SqsProbe {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Map<String, String> FLAT =
      Map.of(
          "AttributeNames", "AttributeName",
          "MessageAttributeNames", "MessageAttributeName",
          "MessageSystemAttributeNames", "MessageSystemAttributeName",
          "TagKeys", "TagKey",
          "Actions", "ActionName",
          "AWSAccountIds", "AWSAccountId",
          "Attributes", "Attribute",
          "MessageAttributes", "MessageAttribute",
          "MessageSystemAttributes", "MessageSystemAttribute",
          "Tags", "Tag");

  private final int port;
  private final boolean query;

  SqsProbe(int port, boolean query) {
    this.port = port;
    this.query = query;
  }

  /**
   * What the door said.
   *
   * @param code empty if it did as it was told
   */
  public record Said(int status, String code, String message, String body) {
    /** The first value of that name, in either form; fails if there is none. */
    public String value(String name) {
      List<String> all = values(name);
      if (all.isEmpty()) {
        throw new AssertionError("no %s in %d %s".formatted(name, status, body));
      }
      return all.getFirst();
    }

    /** All values of that name in their order. */
    public List<String> values(String name) {
      var pattern =
          Pattern.compile(
              "<%1$s>([^<]*)</%1$s>|\"%1$s\":(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([0-9a-z]+))"
                  .formatted(Pattern.quote(name)));
      var values = new ArrayList<String>();
      Matcher matcher = pattern.matcher(body);
      while (matcher.find()) {
        String xml = matcher.group(1);
        String text = matcher.group(2);
        values.add(xml != null ? unescaped(xml) : text != null ? unquoted(text) : matcher.group(3));
      }
      return values;
    }

    /** Of an attribute or a tag. */
    public String entry(String name) {
      var xml =
          Pattern.compile(
                  "<(?:Name|Key)>%s</(?:Name|Key)><Value>([^<]*)</Value>"
                      .formatted(Pattern.quote(name)))
              .matcher(body);
      return xml.find() ? unescaped(xml.group(1)) : value(name);
    }

    private static String unescaped(String xml) {
      return xml.replace("&lt;", "<")
          .replace("&gt;", ">")
          .replace("&quot;", "\"")
          .replace("&#xD;", "\r")
          .replace("&amp;", "&");
    }

    private static String unquoted(String json) {
      return JsonMapper.shared().readValue('"' + json + '"', String.class);
    }
  }

  public boolean isQuery() {
    return query;
  }

  /** The URL of a queue of the usual account. */
  public String url(String queue) {
    return "http://127.0.0.1:%d/000000000000/%s".formatted(port, queue);
  }

  public Said call(String action, Object... namesAndValues)
      throws IOException, InterruptedException {
    var members = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return query ? form(action, members) : json(action, members);
  }

  /** As an SDK asks, which repeats a call under one name. */
  Said invoked(String invocation, String action, Map<String, Object> members)
      throws IOException, InterruptedException {
    return json(action, members, "amz-sdk-invocation-id", invocation);
  }

  private Said json(String action, Map<String, Object> members, String... more)
      throws IOException, InterruptedException {
    byte[] body = JsonMapper.shared().writeValueAsBytes(members);
    var fields =
        new ArrayList<>(
            List.of(
                "Content-Type",
                "application/x-amz-json-1.0",
                "X-Amz-Target",
                "AmazonSQS." + action));
    fields.addAll(List.of(more));
    HttpResponse<String> answer = send("/", body, fields.toArray(String[]::new));
    String text = answer.body();
    if (answer.statusCode() == 200) {
      return new Said(200, "", "", text);
    }
    String error = answer.headers().firstValue("x-amzn-query-error").orElse("none;none");
    var said = new Said(answer.statusCode(), error.substring(0, error.indexOf(';')), "", text);
    List<String> message = said.values("message");
    return new Said(said.status(), said.code(), message.isEmpty() ? "" : message.getFirst(), text);
  }

  private Said form(String action, Map<String, Object> members)
      throws IOException, InterruptedException {
    var pairs = new ArrayList<String>();
    pairs.add("Action=" + action);
    pairs.add("Version=2012-11-05");
    members.forEach((name, value) -> flatten(pairs, action, name, value));
    byte[] body = String.join("&", pairs).getBytes(UTF_8);
    HttpResponse<String> answer =
        send("/", body, "Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    String text = answer.body();
    var said = new Said(answer.statusCode(), "", "", text);
    return answer.statusCode() == 200
        ? said
        : new Said(said.status(), said.value("Code"), said.value("Message"), text);
  }

  private static void flatten(List<String> pairs, String action, String name, Object value) {
    String flat = flat(action, name);
    switch (value) {
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          part(pairs, action, "%s.%d".formatted(flat, i + 1), list.get(i));
        }
      }
      case Map<?, ?> map -> {
        int i = 1;
        String key = flat.equals("Tag") ? "Key" : "Name";
        for (Map.Entry<?, ?> each : map.entrySet()) {
          pairs.add("%s.%d.%s=%s".formatted(flat, i, key, escaped(each.getKey())));
          part(pairs, action, "%s.%d.Value".formatted(flat, i), each.getValue());
          i++;
        }
      }
      default -> pairs.add(name + "=" + escaped(value));
    }
  }

  private static String flat(String action, String name) {
    return name.equals("Entries")
        ? action + "RequestEntry"
        : name.equals("tags") ? "Tag" : FLAT.getOrDefault(name, name);
  }

  private static void part(List<String> pairs, String action, String at, Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, inner) -> {
            var nested = new ArrayList<String>();
            flatten(nested, action, name.toString(), inner);
            nested.forEach(each -> pairs.add(at + "." + each));
          });
    } else {
      pairs.add(at + "=" + escaped(value));
    }
  }

  private static String escaped(Object value) {
    String text =
        value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : "" + value;
    return URLEncoder.encode(text, UTF_8);
  }

  /** A request as it is; GET without a body. */
  public HttpResponse<String> send(String target, byte[] body, String... fields)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
            .timeout(Duration.ofSeconds(60));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    if (body.length > 0) {
      request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
