package dev.ron.storage.s3.policy;

import java.util.List;

/**
 * What a bucket's owner allows others, and denies to all, also to itself.
 *
 * <p>Pure: it reads the request that it is asked about and nothing else.
 *
 * <p>Threading: immutable.
 */
public record BucketPolicy(List<PolicyStatement> statements) {
  public static final int BYTES_MAX = 20 << 10;
  public static final BucketPolicy NONE = new BucketPolicy(List.of());

  /** What a policy says of a request. */
  public enum Verdict {
    /** It says nothing; whether the caller may, others decide. */
    SILENT,
    ALLOWS,
    DENIES
  }

  public BucketPolicy {
    statements = List.copyOf(statements);
  }

  /** One statement that denies outweighs all that allow. */
  public Verdict of(PolicyRequest request) {
    Verdict verdict = Verdict.SILENT;
    for (PolicyStatement statement : statements) {
      if (statement.fits(request)) {
        if (statement.effect() == PolicyStatement.Effect.DENY) {
          return Verdict.DENIES;
        }
        verdict = Verdict.ALLOWS;
      }
    }
    return verdict;
  }

  /** Whether it lets in callers that it does not name. */
  public boolean isPublic() {
    return statements.stream().anyMatch(PolicyStatement::isPublic);
  }
}
