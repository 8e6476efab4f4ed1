package dev.ron.node.profile;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Fills in options and words that have a variable as their default: the variable counts first, then
 * the user's profile.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
public final class ProfileDefaults implements IDefaultValueProvider {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:(RON_[A-Z0-9_]+):-.*");

  private final Map<String, String> environment;
  private @Nullable Map<String, String> profile;

  public ProfileDefaults(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec arg) {
    if (!(arg.userObject() instanceof AnnotatedElement element)) {
      return null;
    }
    Matcher named = VARIABLE.matcher(fallback(element));
    if (!named.matches() || !environment.getOrDefault(named.group(1), "").isEmpty()) {
      return null;
    }
    return profile().get(named.group(1));
  }

  private static String fallback(AnnotatedElement element) {
    Option option = element.getAnnotation(Option.class);
    Parameters words = element.getAnnotation(Parameters.class);
    return option != null ? option.defaultValue() : words != null ? words.defaultValue() : "";
  }

  /** Read when the first option asks for it: most commands that need no node do not. */
  private Map<String, String> profile() {
    Map<String, String> known = profile;
    if (known == null) {
      try {
        known = UserProfile.read(UserProfile.file(environment));
      } catch (IOException unreadable) {
        System.err.println("ron: the profile is not used: " + unreadable.getMessage());
        known = Map.of();
      }
      profile = known;
    }
    return known;
  }
}
