package dev.ron.edge;

import dev.ron.capability.caveat.Owner;
import dev.ron.config.Section;
import dev.ron.edge.core.RequestFields;
import dev.ron.http.FieldText;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An upstream that may be asked, and where its answers are served.
 *
 * <p>Threading: immutable.
 *
 * @param prefix a path that begins with a slash, served as given; any other is served under {@value
 *     #ASSETS}. One that begins with {@code /assets/} is served under {@code /edge} as well.
 * @param allowPrivate whether the upstream's name may mean a loopback, private or link-local
 *     address
 * @param requestFields of the client, sent to the upstream and part of what answers are found by
 * @param unkeyedFields of the client, sent to the upstream and without a say in any answer
 * @param tenant to whom alone it is served besides the operator; empty for one that is public
 * @param trusted PEM file of the only certificates to trust for this upstream
 */
public record Mount(
    String prefix,
    URI upstream,
    boolean allowHttp,
    boolean allowPrivate,
    Set<String> methods,
    List<String> requestFields,
    List<String> unkeyedFields,
    Optional<Owner> tenant,
    Optional<Path> trusted) {
  /** Where assets are served by the specification. */
  public static final String ASSETS = "/edge/assets/";

  public Mount {
    methods = Set.copyOf(methods);
    requestFields = List.copyOf(requestFields);
    unkeyedFields = List.copyOf(unkeyedFields);
    requestFields.forEach(name -> checkField("mounts.request_fields", name));
    unkeyedFields.forEach(name -> checkField("mounts.unkeyed_fields", name));
    check(!prefix.isEmpty() && !prefix.contains(".."), "mounts.prefix", prefix, "is no path");
    String scheme = String.valueOf(upstream.getScheme()).toLowerCase(Locale.ROOT);
    check(
        scheme.equals("https") || scheme.equals("http"),
        "mounts.upstream",
        upstream,
        "must be https://host or http://host");
    check(
        scheme.equals("https") || allowHttp,
        "mounts.upstream",
        upstream,
        "is plain HTTP, which needs allow_http = true");
    check(
        upstream.getHost() != null
            && upstream.getUserInfo() == null
            && upstream.getRawQuery() == null
            && upstream.getRawFragment() == null,
        "mounts.upstream",
        upstream,
        "must name a host, and no user, query or fragment");
  }

  private static void checkField(String key, String name) {
    check(FieldText.isToken(name), key, name, "is no name of a field");
    check(
        RequestFields.listable(name),
        key,
        name,
        "cannot be listed: the edge sets or decides it itself, or it would lead elsewhere");
  }

  private static void check(boolean right, String key, Object value, String why) {
    if (!right) {
      throw new IllegalArgumentException(key + " = " + value + " " + why);
    }
  }

  public static Mount read(Section section) {
    return new Mount(
        section
            .required("prefix", "/assets/fonts")
            .doc("Served under /edge/assets/, or as given when it starts with a slash.")
            .text(),
        URI.create(
            section
                .required("upstream", "https://fonts.example")
                .doc("The origin that is asked.")
                .text()),
        section.key("allow_http", false).doc("Lets the upstream be plain HTTP.").bool(),
        section
            .key("allow_private", false)
            .doc("Lets the upstream's address be loopback, private or link-local.")
            .bool(),
        Set.copyOf(
            section
                .key("methods", List.of("GET", "HEAD"))
                .doc("Methods that are let through; others get 405.")
                .texts()),
        section
            .key("request_fields", List.of())
            .doc("Request fields that the upstream sees; each value is cached apart.")
            .texts(),
        section
            .key("unkeyed_fields", List.of())
            .doc("Request fields that the upstream sees and that never change an answer.")
            .texts(),
        Optional.of(
                section
                    .key("tenant", "")
                    .doc("Serves it to this tenant alone, and to operators; empty for everyone.")
                    .text())
            .filter(name -> !name.isEmpty())
            .map(Owner::new),
        section
            .key("trusted", "")
            .doc("PEM file of the only certificates to trust; empty for the system's.")
            .pathOrNothing());
  }

  /** Every path under which this mount is served, each ending in a slash. */
  public List<String> roots() {
    String bare = prefix.endsWith("/") ? prefix : prefix + "/";
    if (!prefix.startsWith("/")) {
      return List.of(ASSETS + bare);
    }
    return prefix.startsWith("/assets/") ? List.of(bare, "/edge" + bare) : List.of(bare);
  }

  /**
   * Path and query to ask the upstream for.
   *
   * @param root the one of {@link #roots} that the path begins with
   */
  public String target(String root, String path, @Nullable String query) {
    String base = upstream.getRawPath() == null ? "" : upstream.getRawPath();
    String rest = path.substring(Math.min(root.length(), path.length()));
    String joined = base.endsWith("/") ? base + rest : base + "/" + rest;
    return query == null ? joined : joined + "?" + query;
  }

  /** Which fields of a client the upstream sees. */
  public RequestFields fields() {
    return RequestFields.listed(requestFields, unkeyedFields);
  }

  /** Scheme, host and port, as the first part of a cache key. */
  public String origin() {
    return upstream.getScheme().toLowerCase(Locale.ROOT)
        + "://"
        + upstream.getRawAuthority().toLowerCase(Locale.ROOT);
  }
}
