package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.AclGrant;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.CannedAcl;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes of names as a table: a time in milliseconds, what is done, and what comes of it.
 *
 * <pre>
 * 0  bucket     [lock] [acl=public-read]                  -> made | code
 * 0  versioning enabled | suspended                       -> done | code
 * 0  lock-on | acl canned | ownership text                -> done | code
 * 0  put        k a [if-match=a] [if-none-match=*]        -> a | null(a) | code
 * 0  delete     k [version] [if-match=a] [size=1] [seconds=1] [bypass=yes]
 *                                    -> marker m1 | gone a | nothing | code
 * 0  get        k [version]                               -> a | NoSuchKey | NoSuchVersion | marker
 * 0  list                                                 -> k=a ... | none
 * 0  versions   k                                         -> newest ... oldest | none
 * 0  retain     k version mode until [bypass=yes]         -> done | code
 * 0  hold       k version on | off                        -> done | code
 * 0  grant      k version canned                          -> done | code
 * 0  drop                                                 -> done | code
 * </pre>
 *
 * A version is called what its put calls it, a tag after its version or {@code nothing}, a marker
 * m1, m2 and so on; the body of a version is its name. After each line the rows must be as {@link
 * ObjectDecider} promises.
 *
 * <p>Every command goes through its spelling in the log.
 *
 * <p>Threading: owned by one thread.
 */
final class NameScript {
  private static final BucketName NAME = new BucketName("bucket");
  private static final String OWNER = "main";

  private final TableRows rows = new TableRows();
  private final NameView view = new NameView(rows);
  private final NameMachine machine = new NameMachine(rows);
  private final Map<String, Uid> ids = new HashMap<>();
  private final Map<Uid, String> names = new HashMap<>();
  private long sequence;
  private long now;
  private int markers;

  static void play(String script) {
    var player = new NameScript();
    for (String line : script.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      String[] sides = line.split("\\s*->\\s*", 2);
      assertThat(player.step(sides[0])).as(line).isEqualTo(sides[1].strip());
    }
  }

  /** One line without what comes of it, which is answered. */
  String step(String line) {
    List<String> words = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    for (String word : line.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        words.add(word);
      } else {
        options.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    now = Long.parseLong(words.getFirst());
    String told = step(words.get(1), words.subList(2, words.size()), options);
    rows.checkPromises();
    return told;
  }

  private String step(String verb, List<String> words, Map<String, String> options) {
    return switch (verb) {
      case "bucket" -> {
        Acl acl = canned(options.getOrDefault("acl", "private"));
        boolean lock = words.contains("lock");
        yield told(new NameCommand.CreateBucket(NAME, OWNER, lock, acl, "", null, now));
      }
      case "versioning" ->
          change(Bucket.Versioning.valueOf(words.getFirst().toUpperCase(Locale.ROOT)), null, false);
      case "lock-on" -> change(null, null, true);
      case "acl" -> change(null, canned(words.getFirst()), false);
      case "ownership" ->
          told(
              new NameCommand.PutSetting(
                  id(), NAME, BucketSetting.OWNERSHIP, words.getFirst().getBytes(UTF_8)));
      case "put" -> put(key(words), words.get(1), options);
      case "delete" -> delete(key(words), words, options);
      case "get" -> get(key(words), version(words));
      case "list" -> list();
      case "versions" -> versions(key(words));
      case "retain" -> {
        var retention =
            new Retention(Retention.Mode.valueOf(words.get(2)), Long.parseLong(words.get(3)));
        yield amend(words, new Amendment.Retain(retention, options.containsKey("bypass")));
      }
      case "hold" -> amend(words, new Amendment.Hold(words.get(2).equals("on")));
      case "grant" -> amend(words, new Amendment.Grants(canned(words.get(2))));
      case "drop" -> told(new NameCommand.DeleteBucket(id(), NAME, now));
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private long id() {
    return view.bucket(NAME).map(Bucket::id).orElse(0L);
  }

  private static Acl canned(String name) {
    if (name.equals("other")) {
      return new Acl(
          List.of(new AclGrant(AclGrant.Grantee.TENANT, "alt", AclGrant.Permission.READ)));
    }
    return CannedAcl.of(name).orElseThrow().list(OWNER, OWNER);
  }

  private String change(Bucket.@Nullable Versioning versioning, @Nullable Acl acl, boolean lock) {
    return told(new NameCommand.ChangeBucket(id(), NAME, versioning, acl, lock));
  }

  private static ObjectKey key(List<String> words) {
    return ObjectKey.of(words.getFirst()).orElseThrow();
  }

  private VersionRef version(List<String> words) {
    if (words.size() < 2) {
      return new VersionRef.Current();
    }
    return words.get(1).equals("null")
        ? new VersionRef.Null()
        : new VersionRef.Exact(ids.getOrDefault(words.get(1), new Uid(1, 1)));
  }

  private String put(ObjectKey key, String name, Map<String, String> options) {
    var version =
        new ObjectVersion(
            new Uid(0, name.hashCode()),
            ObjectVersion.Kind.OBJECT,
            false,
            OWNER,
            now,
            name.length(),
            new EntityTag(md5(name), 0),
            null,
            List.of(),
            List.of(),
            canned("private"),
            null,
            false,
            new ObjectContent.Inline(name.getBytes(UTF_8)),
            null);
    var condition =
        WriteCondition.matching(tag(options.get("if-match")), tag(options.get("if-none-match")));
    NameOutcome outcome = run(new NameCommand.PutObject(id(), NAME, key, version, condition));
    if (outcome instanceof NameOutcome.Stored(ObjectVersion stored, _)) {
      ids.put(name, stored.uid());
      names.put(stored.uid(), name);
      return shown(stored);
    }
    return told(outcome);
  }

  private static @Nullable String tag(@Nullable String name) {
    if (name == null || name.equals("*")) {
      return name;
    }
    return md5(name.equals("nothing") ? "" : name);
  }

  private String delete(ObjectKey key, List<String> words, Map<String, String> options) {
    var condition =
        new WriteCondition(
            tag(options.get("if-match")),
            null,
            Long.parseLong(options.getOrDefault("size", "-1")),
            Long.parseLong(options.getOrDefault("seconds", "-1")));
    VersionRef ref = version(words);
    NameOutcome outcome =
        run(
            new NameCommand.DeleteObject(
                id(), NAME, key, ref, condition, OWNER, options.containsKey("bypass"), 7, now));
    if (!(outcome instanceof NameOutcome.Deleted(String version, boolean marker))) {
      return told(outcome);
    }
    if (ref instanceof VersionRef.Current && marker) {
      ObjectVersion made = view.newest(id(), key).orElseThrow().version();
      String name = "m" + ++markers;
      ids.put(name, made.uid());
      names.put(made.uid(), name);
      assertThat(version).isEqualTo(made.versionId());
      return "marker " + shown(made);
    }
    return version.isEmpty() ? "nothing" : "gone " + (marker ? "marker " : "") + called(version);
  }

  private String called(String version) {
    return Uid.parse(version).map(uid -> names.getOrDefault(uid, "?")).orElse(version);
  }

  private String get(ObjectKey key, VersionRef ref) {
    if (ref instanceof VersionRef.Current) {
      return view.object(id(), key).map(this::shown).orElse("NoSuchKey");
    }
    return view.version(id(), key, ref)
        .map(found -> found.version().isMarker() ? "marker" : shown(found.version()))
        .orElse("NoSuchVersion");
  }

  private String list() {
    var keys = new ArrayList<String>();
    rows.scanAll(
        RowKeys.objects(id()),
        row ->
            keys.add(RowKeys.keyOfObject(row.key()) + "=" + shown(RowCodec.version(row.value()))));
    return keys.isEmpty() ? "none" : String.join(" ", keys);
  }

  private String versions(ObjectKey key) {
    List<ObjectVersion> all = rows.versions(id(), key);
    return all.isEmpty() ? "none" : all.stream().map(this::shown).collect(Collectors.joining(" "));
  }

  private String shown(ObjectVersion version) {
    String name = names.getOrDefault(version.uid(), "?");
    return version.isNull() ? "null(" + name + ")" : name;
  }

  private String amend(List<String> words, Amendment amendment) {
    NameOutcome outcome =
        run(new NameCommand.AmendObject(id(), NAME, key(words), version(words), amendment, now));
    return outcome instanceof NameOutcome.Stored ? "done" : told(outcome);
  }

  private String told(NameCommand command) {
    return told(run(command));
  }

  private static String told(NameOutcome outcome) {
    return switch (outcome) {
      case NameOutcome.Refused(var fault) -> fault.s3Code();
      case NameOutcome.BucketMade _ -> "made";
      case NameOutcome.Done _ -> "done";
      case NameOutcome.Stored _, NameOutcome.Deleted _, NameOutcome.UploadMade _ ->
          throw new AssertionError("not an answer of this: " + outcome);
    };
  }

  private NameOutcome run(NameCommand command) {
    NameCommand logged = NameCommandCodec.command(NameCommandCodec.bytes(command));
    NameDecision decision = machine.decide(logged, ++sequence);
    decision.changes().forEach(rows::take);
    return decision.outcome();
  }

  private static String md5(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has MD5", e);
    }
  }
}
