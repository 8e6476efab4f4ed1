package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A tenant's queues are to another as if they were not there: every action of the door is asked by
 * another tenant, with all that it may know of a queue, at a door that has the queue and at one
 * that has none, and answers the same.
 */
@Timeout(180)
final class SqsTenantsTest {
  private static final KeyRing RING = KeyRing.generate(new SplittableRandom(7));
  private static final TokenMint MINT = new TokenMint(RING, new SplittableRandom(8));
  private static final KeyPair ACME = pair(new Caveat.Tenant("acme"));
  private static final KeyPair EVIL = pair(new Caveat.Tenant("evil"));
  private static final KeyPair OPERATOR = pair();

  private static KeyPair pair(Caveat... caveats) {
    return KeyPair.of(MINT.mint(List.of(caveats)));
  }

  private static String said(SqsRig rig, KeyPair pair, String action, Map<String, String> form)
      throws Exception {
    var text = new StringBuilder("Action=" + action);
    form.forEach((name, value) -> text.append('&').append(name).append('=').append(value));
    byte[] body = text.toString().getBytes(UTF_8);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    var signer =
        new RequestSigner(
            ServiceRules.SQS, pair.accessKeyId(), pair.secret(), pair.sessionToken(), "us-east-1");
    var request =
        new SignedRequest(
            "POST",
            "/",
            "",
            List.of(
                new SignedRequest.Header("host", "127.0.0.1:" + rig.port()),
                new SignedRequest.Header("content-type", "application/x-www-form-urlencoded")));
    SignedRequest done =
        signer.sign(request, new PayloadMode.Hashed(hash), Instant.now()).request();
    var fields = new ArrayList<String>();
    for (SignedRequest.Header header : done.headers()) {
      if (!header.name().equals("host")) {
        fields.add(header.name());
        fields.add(header.value());
      }
    }
    HttpResponse<String> answer = rig.query().send("/", body, fields.toArray(String[]::new));
    return answer.statusCode()
        + " "
        + answer
            .body()
            .replaceAll("<(RequestId|MessageId)>[^<]*</", "<$1></")
            .replace(":" + rig.port() + "/", ":PORT/");
  }

  private static String element(String text, String name) {
    Matcher found = Pattern.compile("<%s>([^<]*)</%s>".formatted(name, name)).matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return found.group(1);
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** Everything that any action takes; each takes what it knows. */
  private static Map<String, String> form(String url, String account, String handle, String queue) {
    var form = new LinkedHashMap<String, String>();
    String arn = "arn:aws:sqs:us-east-1:" + account + ":orders";
    form.put("QueueUrl", escaped(url));
    form.put("QueueName", queue);
    form.put("QueueOwnerAWSAccountId", account);
    form.put("QueueNamePrefix", "o");
    form.put("ReceiptHandle", escaped(handle));
    form.put("MessageBody", "planted");
    form.put("VisibilityTimeout", "0");
    form.put("Label", "l");
    form.put("AWSAccountId.1", "1");
    form.put("ActionName.1", "*");
    form.put("SourceArn", escaped(arn));
    form.put("DestinationArn", escaped(arn));
    form.put("TaskHandle", escaped(handle));
    form.put("AttributeName.1", "All");
    form.put("TagKey.1", "k");
    form.put("Tag.1.Key", "k");
    form.put("Tag.1.Value", "planted");
    form.put("SendMessageBatchRequestEntry.1.Id", "a");
    form.put("SendMessageBatchRequestEntry.1.MessageBody", "planted");
    form.put("DeleteMessageBatchRequestEntry.1.Id", "a");
    form.put("DeleteMessageBatchRequestEntry.1.ReceiptHandle", escaped(handle));
    form.put("ChangeMessageVisibilityBatchRequestEntry.1.Id", "a");
    form.put("ChangeMessageVisibilityBatchRequestEntry.1.ReceiptHandle", escaped(handle));
    form.put("ChangeMessageVisibilityBatchRequestEntry.1.VisibilityTimeout", "0");
    return form;
  }

  private static String view(SqsRig rig, KeyPair pair, String url) throws Exception {
    Map<String, String> form = Map.of("QueueUrl", escaped(url), "AttributeName.1", "All");
    return said(rig, pair, "GetQueueAttributes", form) + said(rig, pair, "ListQueueTags", form);
  }

  /** The table is what the door has; the actions keep what they are given for later. */
  @SuppressWarnings("NullAway")
  private static Set<String> actions() {
    return SqsActionTable.of(null).keySet();
  }

  @Test
  void noActionTellsATenantOfAnothersQueues() throws Exception {
    var verifier = new Verifier(new Trust(RING, Revocations.NONE));
    try (var full = new SqsRig(null, verifier);
        var empty = new SqsRig(null, verifier)) {
      String made =
          said(
              full,
              ACME,
              "CreateQueue",
              Map.of("QueueName", "orders", "Tag.1.Key", "k", "Tag.1.Value", "hush"));
      String url = element(made, "QueueUrl").replace("PORT", String.valueOf(full.port()));
      String account = url.split("/", -1)[3];
      for (String body : List.of("hush", "hush")) {
        said(full, ACME, "SendMessage", Map.of("QueueUrl", escaped(url), "MessageBody", body));
      }
      String received =
          said(
              full,
              ACME,
              "ReceiveMessage",
              Map.of("QueueUrl", escaped(url), "VisibilityTimeout", "600"));
      String handle = element(received, "ReceiptHandle");
      String before = view(full, ACME, url);
      assertThat(before).contains("hush");
      String there = url.replace(":" + full.port(), ":" + empty.port());
      for (String action : actions()) {
        for (String queue : List.of("orders", "~acme/orders")) {
          String told = said(full, EVIL, action, form(url, account, handle, escaped(queue)));
          assertThat(told)
              .as(action)
              .isEqualTo(said(empty, EVIL, action, form(there, account, handle, escaped(queue))))
              .doesNotContain("hush");
        }
        assertThat(view(full, ACME, url)).as("after " + action).isEqualTo(before);
      }
      assertThat(view(full, OPERATOR, url)).isEqualTo(before);
    }
  }
}
