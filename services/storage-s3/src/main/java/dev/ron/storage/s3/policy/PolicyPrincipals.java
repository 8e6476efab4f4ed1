package dev.ron.storage.s3.policy;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a statement is about.
 *
 * <p>Threading: immutable.
 *
 * @param all every caller, also one that shows no key
 */
record PolicyPrincipals(boolean all, Set<String> tenants) {
  private static final Pattern TENANT =
      Pattern.compile("arn:aws:iam::([^:/*?]+):root|arn:aws:iam:::user/([^:/*?]+)|([^:/*?\\s]+)");

  PolicyPrincipals {
    tenants = Set.copyOf(tenants);
  }

  /** The tenant that the text names; empty if it names none. */
  static Optional<String> tenant(String text) {
    Matcher form = TENANT.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    for (int group = 1; group <= form.groupCount(); group++) {
      if (form.group(group) != null) {
        return Optional.of(form.group(group));
      }
    }
    return Optional.empty();
  }

  boolean contains(@Nullable String tenant) {
    return all || (tenant != null && tenants.contains(tenant));
  }
}
