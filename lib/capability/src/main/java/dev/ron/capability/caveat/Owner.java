package dev.ron.capability.caveat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whose named things a caller reaches, and what their names are where they are kept.
 *
 * <p>A thing of a tenant is kept as {@code ~tenant/name}, which no plain name can be taken for:
 * none has a {@code ~}. Things of the tenant {@code default} are kept under their plain names, as
 * all things were before they had owners. A tenant says plain names and sees plain names. The
 * operator, whose token names no tenant, says and sees names as they are kept.
 *
 * <p>Threading: immutable.
 *
 * @param tenant null for the operator
 */
public record Owner(@Nullable String tenant) {
  /** The tenant that everything belongs to which was made without one. */
  public static final String DEFAULT = "default";

  public static final Owner OPERATOR = new Owner(null);

  private static final char MARK = '~';

  public Owner {
    if (tenant != null) {
      CaveatGrammar.requireName(tenant);
    }
  }

  /**
   * @param tenant as a capability names it
   */
  public static Owner of(Optional<String> tenant) {
    return tenant.map(Owner::new).orElse(OPERATOR);
  }

  /** The owner of a thing, by the name that it is kept under. */
  public static Owner ofKept(String kept) {
    int end = markEnd(kept);
    return new Owner(end == 0 ? DEFAULT : kept.substring(1, end - 1));
  }

  /** The name that its owner knows a thing by. */
  public static String plain(String kept) {
    return kept.substring(markEnd(kept));
  }

  public boolean isOperator() {
    return tenant == null;
  }

  /**
   * The name that a thing is kept under; empty if a tenant names an owner, or the operator one that
   * cannot be. Whether the plain part is a name is up to the service.
   */
  public Optional<String> kept(String said) {
    boolean marked = said.indexOf(MARK) == 0;
    if (tenant != null) {
      return marked ? Optional.empty() : Optional.of(mark() + said);
    }
    int end = markEnd(said);
    if (marked && end == 0) {
      return Optional.empty();
    }
    return Optional.of(said.startsWith(MARK + DEFAULT + "/") ? said.substring(end) : said);
  }

  /** The name that this caller knows a thing by which it {@link #owns}. */
  public String shown(String kept) {
    return tenant == null ? kept : plain(kept);
  }

  /** Whether this caller reaches a thing. */
  public boolean owns(String kept) {
    return tenant == null || tenant.equals(ofKept(kept).tenant());
  }

  /** What the names of its things begin with where they are kept; nothing for most of them. */
  public String mark() {
    return tenant == null || tenant.equals(DEFAULT) ? "" : MARK + tenant + "/";
  }

  /** Where the plain name begins; 0 if no owner that can be stands before it. */
  private static int markEnd(String kept) {
    int slash = kept.indexOf('/');
    if (slash < 0 || kept.charAt(0) != MARK) {
      return 0;
    }
    try {
      CaveatGrammar.requireName(kept.substring(1, slash));
      return slash + 1;
    } catch (IllegalArgumentException _) {
      return 0;
    }
  }
}
