package dev.ron.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The statements of the seeds that a test shows, by their ids in {@code docs/conformance}.
 *
 * <p>Read from the source by {@code testing/tidy}, which fails when an id is unknown, and when a
 * statement has no test, no decision and no line that says what is missing.
 */
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
public @interface SeedRow {
  String[] value();
}
