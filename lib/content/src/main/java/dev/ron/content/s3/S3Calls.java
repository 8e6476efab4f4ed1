package dev.ron.content.s3;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentFault.RemoteFailed;
import dev.ron.content.ContentFault.RemoteFailed.Trouble;
import dev.ron.content.ContentMetrics;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.limit.CircuitBreaker;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Asks the remote store, within limits: each try has a time, tries are counted and stop with the
 * caller's deadline, and a store that does not answer is left alone for a while.
 *
 * <p>The SDK's own retries are off, because they know nothing of deadlines and are not counted.
 *
 * <p>Threading: thread-safe.
 */
final class S3Calls implements AutoCloseable {
  private static final int FAILURES_MAX = 5;
  private static final Duration REST_MIN = Duration.ofSeconds(1);
  private static final Duration REST_MAX = Duration.ofSeconds(30);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Scope scope;
  private final S3Config config;
  private final String name;
  private final ContentMetrics metrics;
  private final S3Client client;
  private final CircuitBreaker breaker;
  private final Retry retry;

  /** One request; the limit is what is left for it. */
  interface Request<T> {
    T send(S3Client client, AwsRequestOverrideConfiguration limit);
  }

  S3Calls(Scope scope, S3Config config, String name, ContentMetrics metrics) {
    this.scope = scope;
    this.config = config;
    this.name = name;
    this.metrics = metrics;
    this.client = client(config);
    this.breaker = new CircuitBreaker(name, scope.time(), FAILURES_MAX, REST_MIN, REST_MAX);
    this.retry = Retry.idempotent(scope, name, config.triesMax(), Backoff.rpc());
  }

  private static S3Client client(S3Config config) {
    return S3Client.builder()
        .endpointOverride(config.endpoint())
        .region(Region.of(config.region()))
        // Buckets as host names need a wildcard in the DNS, which few private installations have.
        .forcePathStyle(true)
        // Checksums of the SDK's choice are refused by older stores; parts carry an MD5 instead,
        // and what comes back is held against its address.
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .credentialsProvider(credentials(config.credentials()))
        .httpClientBuilder(
            UrlConnectionHttpClient.builder()
                .connectionTimeout(config.connectLimit())
                .socketTimeout(config.readLimit()))
        .overrideConfiguration(
            override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .build();
  }

  /** Not the SDK's whole chain: it would end by asking the network for an instance's identity. */
  private static AwsCredentialsProvider credentials(@Nullable S3Credentials given) {
    return given == null
        ? AwsCredentialsProviderChain.of(
            SystemPropertyCredentialsProvider.create(),
            EnvironmentVariableCredentialsProvider.create(),
            ProfileCredentialsProvider.create())
        : StaticCredentialsProvider.create(
            AwsBasicCredentials.create(given.accessKey(), given.secretKey()));
  }

  S3Config config() {
    return config;
  }

  Scope scope() {
    return scope;
  }

  /** Asks, and asks again where that may help; every request here may be repeated. */
  <T> T call(String op, Request<T> request) throws S3Failure, InterruptedException {
    try {
      return retry.call(
          () -> once(op, request),
          failure -> failure instanceof S3Failure trouble && trouble.isMendable());
    } catch (S3Failure | InterruptedException | RuntimeException expected) {
      throw expected;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private <T> T once(String op, Request<T> request) throws S3Failure, InterruptedException {
    Optional<KernelFault> refusal = breaker.refusal();
    if (refusal.isPresent()) {
      String what = config.endpoint() + " did not answer: " + refusal.get().detail();
      throw new S3Failure(new RemoteFailed(Trouble.UNREACHABLE, what), false);
    }
    Instant begin = scope.time().now();
    boolean answered = false;
    try {
      T answer = request.send(client, limit(op, begin));
      answered = true;
      return answer;
    } catch (SdkException failure) {
      S3Failure trouble = S3Failure.of(failure, config);
      answered = !trouble.isUnreachable();
      metrics.remoteFailures().labelValues(name, trouble.fault().code()).inc();
      throw trouble;
    } finally {
      outcome(answered);
      double seconds = Duration.between(begin, scope.time().now()).toNanos() / NANOS_PER_SECOND;
      metrics.remoteSeconds().labelValues(name, op).observe(seconds);
    }
  }

  private void outcome(boolean answered) {
    if (answered) {
      breaker.succeeded();
    } else {
      breaker.failed();
    }
  }

  private AwsRequestOverrideConfiguration limit(String op, Instant now) throws S3Failure {
    Duration left = Deadline.current().remaining(now);
    if (left.isZero()) {
      throw new S3Failure(new ContentFault.Late("the remote " + op), false);
    }
    Duration attempt = left.compareTo(config.attemptLimit()) < 0 ? left : config.attemptLimit();
    return AwsRequestOverrideConfiguration.builder().apiCallAttemptTimeout(attempt).build();
  }

  void corrupt() {
    metrics.integrityFailures().labelValues(name).inc();
  }

  @Override
  public void close() {
    client.close();
  }
}
