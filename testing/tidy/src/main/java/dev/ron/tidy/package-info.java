/**
 * The style as tests: what the compiler cannot refuse, this module does.
 *
 * <p>Words: all rules are listed in {@code Tidy}; one rule is a {@code Rule}, or a {@code FileRule}
 * when it needs one file at a time; what it reports is a {@code Finding}. The project is a {@code
 * SourceTree} of {@code SourceFile}s, found by {@code Listing}; {@code CodeText} hides comments and
 * literals, {@code Syntax} is the parsed file.
 *
 * <p>Rules: {@code BannedCalls} is the table of {@code Ban}s, each applying at a {@code Place};
 * {@code CommonPool}, {@code Sizes}, {@code Names}, {@code NestedNames}, {@code Headers}, {@code
 * PackageHeaders}, {@code Words}, {@code Links}, {@code ProseWidth}, {@code Skeleton}, {@code
 * CorePurity} and {@code Layering} (over {@code Pom} and {@code Layer}) are one file each. What is
 * allowed all the same is in {@code exemptions.txt}, a reason beside each line, read by {@code
 * Exemptions}.
 *
 * <p>The seeds: {@code Conformance} holds each {@code SeedStatement} of {@code docs/conformance} to
 * the {@code SeedTests} that name it, {@code ConformancePage} prints them, and {@code TestRun}
 * tells which of them were run.
 */
@NullMarked
package dev.ron.tidy;

import org.jspecify.annotations.NullMarked;
