package dev.ron.storage.s3.policy;

import java.util.List;
import java.util.Locale;

/**
 * One statement of a policy: an effect on requests that all of it fits.
 *
 * <p>Threading: immutable.
 *
 * @param actions in lower case, without their {@code s3:}
 * @param notActions whether it is about all actions but these
 * @param resources without what all of them begin with
 * @param notResources whether it is about all resources but these
 */
record PolicyStatement(
    Effect effect,
    PolicyPrincipals principals,
    List<WildcardText> actions,
    boolean notActions,
    List<WildcardText> resources,
    boolean notResources,
    List<PolicyCondition> conditions) {
  /** What a statement does. */
  enum Effect {
    ALLOW,
    DENY
  }

  PolicyStatement {
    actions = List.copyOf(actions);
    resources = List.copyOf(resources);
    conditions = List.copyOf(conditions);
  }

  boolean fits(PolicyRequest request) {
    String action = request.action().toLowerCase(Locale.ROOT);
    return principals.contains(request.tenant())
        && matches(actions, action) != notActions
        && matches(resources, request.resource()) != notResources
        && conditions.stream().allMatch(condition -> condition.holds(request));
  }

  /** Whether it lets in callers that none of it names. */
  boolean isPublic() {
    return effect == Effect.ALLOW
        && principals.all()
        && conditions.stream().noneMatch(PolicyCondition::narrows);
  }

  private static boolean matches(List<WildcardText> texts, String value) {
    return texts.stream().anyMatch(text -> text.matches(value));
  }
}
