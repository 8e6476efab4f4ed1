package dev.ron.mailbox.sqs.api;

import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.KeyPair;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.RefusalLimit;
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
import java.time.Duration;
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
 * <p>An address whose requests are refused is slowed down before a body is read for it, unless the
 * key that it names was proven lately: many clients may share an address.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param verifier null takes every key
 * @param rps of the node, which the bound on refusals is a part of; 0 for no bound
 */
record SqsIdentity(
    MailboxSqsConfig config,
    @Nullable Verifier verifier,
    CapabilityRates rates,
    RefusalLimit refusals,
    int rps,
    Time time) {
  private static final String BEARER = "Bearer ";
  private static final String SESSION = "X-Amz-Security-Token";

  /** Where a signature says who made it, in the field or in the query. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "Credential=([^/&,% ]+)(?:/|%2F)[^/&,% ]*(?:/|%2F)([^/&,% ]*)(?:/|%2F)([^/&,% ]*)",
          Pattern.CASE_INSENSITIVE);

  /** Who it is, and for which region it asks. */
  record Known(SqsCaller caller, String region) {}

  /**
   * The account of the address; a refusal if too many of its requests were refused, or if it shows
   * no key that is good, whatever its body is: only for those who have one is a body read.
   */
  RefusalLimit.Account admit(Exchange exchange) throws Refusal {
    RefusalLimit.Account account = refusals.of(exchange.peer(), true, verifier == null ? 0 : rps);
    Duration rest = account.rest();
    if (rest.isPositive() && verifier != null && !recalls(verifier, exchange)) {
      throw Refusal.of(
          new SqsFault.RequestThrottled(
              "too many requests of this address were refused; keys that were proven lately pass",
              rest));
    }
    if (verifier != null) {
      Optional<SqsFault> fault = withoutBody(verifier, exchange);
      if (fault.isPresent()) {
        account.refused();
        throw Refusal.of(fault.get());
      }
    }
    return account;
  }

  private boolean recalls(Verifier known, Exchange exchange) throws Refusal {
    String field = authorization(exchange);
    if (field.startsWith(BEARER)) {
      return known.recognize(field.substring(BEARER.length()), time.wall())
          instanceof Verifier.Recognition.Recalled;
    }
    Matcher said = credential(exchange, field);
    return said.find() && known.recalls(said.group(1), session(exchange, field), time.wall());
  }

  /** Why the key that is shown lets in no body at all; empty if it may. */
  private Optional<SqsFault> withoutBody(Verifier known, Exchange exchange) throws Refusal {
    String field = authorization(exchange);
    if (field.startsWith(BEARER)) {
      return fault(known, field.substring(BEARER.length()), time.wall())
          .map(SqsErrorFormat::capability);
    }
    Matcher said = credential(exchange, field);
    if (!said.find()) {
      return Optional.of(
          field.isEmpty()
              ? new SqsFault.MissingAuthenticationToken()
              : new SqsFault.IncompleteSignature("Authorization must name a Credential."));
    }
    return known.find(said.group(1), session(exchange, field), time.wall())
            instanceof KeyPair.Lookup.Refused(CapabilityFault fault)
        ? Optional.of(SqsErrorFormat.fault(CapabilityKeys.refused(fault)))
        : Optional.empty();
  }

  private static Optional<String> session(Exchange exchange, String field) throws Refusal {
    return Optional.ofNullable(
        field.isEmpty() ? exchange.query().first(SESSION) : exchange.headers().first(SESSION));
  }

  private static String authorization(Exchange exchange) {
    return Optional.ofNullable(exchange.headers().first("Authorization")).orElse("");
  }

  private static Matcher credential(Exchange exchange, String field) {
    String query = Optional.ofNullable(exchange.head().query()).orElse("");
    return CREDENTIAL.matcher(field.isEmpty() ? query : field);
  }

  /**
   * @param account charged if the request is refused
   */
  Known of(Exchange exchange, byte[] body, RefusalLimit.Account account) throws Refusal {
    try {
      return of(exchange, body);
    } catch (Refusal refusal) {
      if (!(refusal.fault() instanceof SqsFault.RequestThrottled
          || refusal.fault() instanceof SqsFault.OverLimit)) {
        account.refused();
      }
      throw refusal;
    }
  }

  private Known of(Exchange exchange, byte[] body) throws Refusal {
    Known known = known(exchange, body);
    Refusal overLimit = exchange.enter();
    if (overLimit != null) {
      throw Refusal.of(SqsErrorFormat.fault(overLimit.fault()));
    }
    return known;
  }

  private Known known(Exchange exchange, byte[] body) throws Refusal {
    String field = authorization(exchange);
    Matcher said = credential(exchange, field);
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
        // The body says what is to be done: a signature that leaves it out lets in any other.
        if (!(verified.mode() instanceof PayloadMode.Hashed(var announced)
            && announced.equalsIgnoreCase(hash))) {
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
    new Bearer(
            known,
            time,
            check,
            capability,
            version,
            fault -> Refusal.of(SqsErrorFormat.capability(fault)))
        .admit(exchange);
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
