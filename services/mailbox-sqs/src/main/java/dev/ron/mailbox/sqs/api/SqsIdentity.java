package dev.ron.mailbox.sqs.api;

import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.sqs.MailboxSqsConfig;
import dev.ron.mailbox.sqs.SqsFault;
import dev.ron.mailbox.sqs.protocol.SqsErrorFormat;
import dev.ron.sigv4.CapabilityKeys;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignatureVerifier;
import dev.ron.sigv4.SignedRequest;
import dev.ron.sigv4.Verification;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sent a request: by its signature, by a token that it shows, or, where every key is
 * taken, by what it says.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param verifier null takes every key
 */
record SqsIdentity(
    MailboxSqsConfig config, @Nullable Verifier verifier, CapabilityRates rates, Time time) {
  private static final String BEARER = "Bearer ";

  /** Where a signature says who made it, in the field or in the query. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "Credential=([^/&, ]+)(?:/|%2F)[^/&,% ]*(?:/|%2F)([^/&,% ]*)(?:/|%2F)([^/&,% ]*)",
          Pattern.CASE_INSENSITIVE);

  /** Who it is, and for which region it asks. */
  record Known(SqsCaller caller, String region) {}

  Known of(Exchange exchange, byte[] body) throws Refusal {
    String field = Optional.ofNullable(exchange.headers().first("Authorization")).orElse("");
    String query = Optional.ofNullable(exchange.head().query()).orElse("");
    Matcher said = CREDENTIAL.matcher(field.isEmpty() ? query : field);
    boolean signed = said.find();
    if (verifier == null) {
      return signed
          ? new Known(SqsCaller.unchecked(said.group(1), config.account()), region(said.group(2)))
          : new Known(SqsCaller.unchecked("", config.account()), config.region());
    }
    if (field.startsWith(BEARER)) {
      return new Known(
          bearer(verifier, exchange, field.substring(BEARER.length())), config.region());
    }
    // Some old clients sign for this name of the same service.
    boolean old = signed && said.group(3).equals("sqs_query");
    ServiceRules rules = old ? ServiceRules.of("sqs_query") : ServiceRules.SQS;
    return signature(verifier, exchange, body, rules);
  }

  private Known signature(Verifier known, Exchange exchange, byte[] body, ServiceRules rules)
      throws Refusal {
    Instant now = time.wall();
    long version = known.version();
    var keys = new CapabilityKeys(known, now);
    String hash = sha256(body);
    return switch (new SignatureVerifier(rules, keys).verify(request(exchange), hash, now)) {
      case Verification.Verified verified -> {
        if (verified.mode() instanceof PayloadMode.Hashed(var announced)
            && !announced.equalsIgnoreCase(hash)) {
          throw Refusal.of(new SqsFault.SignatureDoesNotMatch());
        }
        Capability capability = keys.proven().capability();
        watch(
            exchange, known, capability, version, at -> CapabilityKeys.fault(known, verified, at));
        charge(capability);
        yield new Known(
            SqsCaller.holder(capability, config.account()), region(verified.scope().region()));
      }
      case Verification.Anonymous _ -> throw Refusal.of(new SqsFault.MissingAuthenticationToken());
      case Verification.Refused(var fault) -> throw Refusal.of(SqsErrorFormat.fault(fault));
    };
  }

  private SqsCaller bearer(Verifier known, Exchange exchange, String token) throws Refusal {
    long version = known.version();
    return switch (known.authenticate(token, time.wall())) {
      case Authentication.Authentic(Capability capability) -> {
        watch(exchange, known, capability, version, at -> fault(known, token, at));
        charge(capability);
        yield SqsCaller.holder(capability, config.account());
      }
      case Authentication.Refused(CapabilityFault fault) ->
          throw Refusal.of(SqsErrorFormat.capability(fault));
    };
  }

  private static Optional<CapabilityFault> fault(Verifier known, String token, Instant at) {
    return known.authenticate(token, at) instanceof Authentication.Refused(CapabilityFault fault)
        ? Optional.of(fault)
        : Optional.empty();
  }

  /** A long poll ends when its key is revoked or expires. */
  private void watch(
      Exchange exchange,
      Verifier known,
      Capability capability,
      long version,
      Function<Instant, Optional<CapabilityFault>> check) {
    var bearer =
        new Bearer(
            known,
            time,
            check,
            capability,
            version,
            fault -> Refusal.of(SqsErrorFormat.capability(fault)));
    exchange.loop().execute(() -> exchange.put(Bearer.class, bearer));
  }

  private void charge(Capability capability) throws Refusal {
    CapabilityRates.Excess excess = rates.charge(capability);
    if (excess != null) {
      throw Refusal.of(
          new SqsFault.RequestThrottled(
              "this key may make %d requests a second".formatted(excess.perSecond()),
              excess.rest()));
    }
  }

  private String region(String said) {
    return QueueAddress.isRegion(said) ? said : config.region();
  }

  /** HTTP/2 says its host apart from the fields. */
  private static SignedRequest request(Exchange exchange) {
    List<SignedRequest.Header> headers = new ArrayList<>();
    exchange.headers().forEach((name, value) -> headers.add(new SignedRequest.Header(name, value)));
    if (!exchange.headers().has("Host")) {
      headers.add(new SignedRequest.Header("host", exchange.head().authority()));
    }
    String query = exchange.head().query();
    return new SignedRequest(
        exchange.method(), exchange.head().rawPath(), query == null ? "" : query, headers);
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
