package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectDeciderTest {
  @Test
  void aBucketThatKeepsNoVersionsHasTheLastPutAlone() {
    NameScript.play(
        """
        0  bucket             -> made
        0  put k a            -> null(a)
        1  put k b            -> null(b)
        1  versions k         -> null(b)
        1  get k null         -> null(b)
        2  delete k           -> nothing
        2  versions k         -> none
        2  get k              -> NoSuchKey
        3  delete k           -> nothing
        3  delete k null      -> gone null
        3  drop               -> done
        """);
  }

  @Test
  void versionsAreKeptAndADeleteHidesThem() {
    NameScript.play(
        """
        0  bucket             -> made
        0  versioning enabled -> done
        0  put k a            -> a
        1  put k b            -> b
        1  put l c            -> c
        2  delete k           -> marker m1
        2  list               -> l=c
        2  get k              -> NoSuchKey
        2  get k a            -> a
        2  get k m1           -> marker
        3  delete k           -> marker m2
        3  versions k         -> m2 m1 b a
        4  delete k m1        -> gone marker m1
        4  get k              -> NoSuchKey
        5  delete k m2        -> gone marker m2
        5  list               -> k=b l=c
        6  delete k b         -> gone b
        6  get k              -> a
        6  delete k b         -> gone b
        7  drop               -> BucketNotEmpty
        7  delete k a         -> gone a
        7  delete l c         -> gone c
        7  drop               -> done
        """);
  }

  @Test
  void whatWasThereBeforeVersionsIsTheNullVersion() {
    NameScript.play(
        """
        0  bucket               -> made
        0  put k a              -> null(a)
        1  versioning enabled   -> done
        1  put k b              -> b
        1  versions k           -> b null(a)
        2  get k null           -> null(a)
        2  delete k null        -> gone null
        2  versions k           -> b
        2  get k null           -> NoSuchVersion
        3  delete k b           -> gone b
        3  versions k           -> none
        """);
  }

  @Test
  void aSuspendedBucketReplacesItsNullVersionOnly() {
    NameScript.play(
        """
        0  bucket               -> made
        0  put k a              -> null(a)
        1  versioning enabled   -> done
        1  put k b              -> b
        2  versioning suspended -> done
        2  put k c              -> null(c)
        2  versions k           -> null(c) b
        3  put k d              -> null(d)
        3  versions k           -> null(d) b
        4  delete k             -> marker null(m1)
        4  versions k           -> null(m1) b
        4  get k                -> NoSuchKey
        5  delete k             -> marker null(m2)
        5  versions k           -> null(m2) b
        6  put k e              -> null(e)
        6  versions k           -> null(e) b
        7  versioning enabled   -> done
        7  put k f              -> f
        7  delete k             -> marker m3
        7  versions k           -> m3 f null(e) b
        8  versioning suspended -> done
        8  delete k             -> marker null(m4)
        8  versions k           -> null(m4) m3 f b
        9  delete k null        -> gone marker null
        9  get k                -> NoSuchKey
        9  delete k m3          -> gone marker m3
        9  get k                -> f
        """);
  }

  @Test
  void ofTwoWritersThatAskForTheSameOneGetsIt() {
    NameScript.play(
        """
        0  bucket                      -> made
        0  put k a if-match=*          -> NoSuchKey
        0  put k a if-match=x          -> NoSuchKey
        1  put k a if-none-match=*     -> null(a)
        1  put k b if-none-match=*     -> PreconditionFailed
        1  put k b if-none-match=a     -> PreconditionFailed
        2  put k b if-match=a          -> null(b)
        2  put k c if-match=a          -> PreconditionFailed
        2  put k c if-none-match=a     -> null(c)
        3  versioning enabled          -> done
        3  delete k                    -> marker m1
        3  put k d if-match=*          -> NoSuchKey
        3  put k d if-none-match=*     -> d
        """);
  }

  @Test
  void aDeleteMayExpectATagASizeOrATime() {
    NameScript.play(
        """
        0     bucket                   -> made
        0     delete k if-match=*      -> nothing
        0     delete k if-match=x      -> nothing
        5000  put k a                  -> null(a)
        5000  delete k if-match=x      -> PreconditionFailed
        5000  delete k size=2          -> PreconditionFailed
        5000  delete k seconds=4       -> PreconditionFailed
        5000  delete k if-match=a size=1 seconds=5 -> nothing
        5000  versions k               -> none
        6000  versioning enabled       -> done
        6000  delete k if-match=*      -> nothing
        6000  versions k               -> none
        6000  put k b                  -> b
        7000  delete k b size=9        -> PreconditionFailed
        7000  delete k if-match=b      -> marker m1
        """);
  }

  /** A marker is there, so a condition is asked of it; it has no entity tag. */
  @Test
  void aDeleteMarkerFailsEveryConditionOfAnObject() {
    NameScript.play(
        """
        5000  bucket                   -> made
        5000  versioning enabled       -> done
        5000  put k a                  -> a
        6000  delete k                 -> marker m1
        7000  delete k if-match=a      -> PreconditionFailed
        7000  delete k if-match=nothing -> PreconditionFailed
        7000  delete k seconds=5       -> PreconditionFailed
        7000  delete k size=1          -> PreconditionFailed
        7000  delete k if-match=*      -> marker m2
        7000  versions k               -> m2 m1 a
        """);
  }

  @Test
  void aLockedVersionStays() {
    NameScript.play(
        """
        0    bucket lock                       -> made
        0    versioning suspended              -> InvalidBucketState
        0    put k a                           -> a
        0    retain k a GOVERNANCE 100         -> done
        1    delete k a                        -> AccessDenied
        1    delete k                          -> marker m1
        1    delete k m1                       -> gone marker m1
        2    retain k a GOVERNANCE 200         -> done
        2    retain k a GOVERNANCE 150         -> AccessDenied
        2    retain k a COMPLIANCE 200         -> AccessDenied
        2    retain k a GOVERNANCE 150 bypass=yes -> done
        149  delete k a                        -> AccessDenied
        149  hold k a on                       -> done
        150  delete k a bypass=yes             -> AccessDenied
        150  hold k a off                      -> done
        150  delete k a                        -> gone a
        151  put k b                           -> b
        151  retain k b COMPLIANCE 300         -> done
        152  retain k b COMPLIANCE 299 bypass=yes -> AccessDenied
        152  retain k b GOVERNANCE 400 bypass=yes -> AccessDenied
        152  delete k b bypass=yes             -> AccessDenied
        152  drop                              -> BucketNotEmpty
        300  delete k b                        -> gone b
        """);
  }

  @Test
  void aGovernedVersionGoesByTheRightToBypass() {
    NameScript.play(
        """
        0  bucket lock                 -> made
        0  put k a                     -> a
        0  retain k a GOVERNANCE 100   -> done
        1  delete k a bypass=yes       -> gone a
        """);
  }

  @Test
  void lockNeedsVersionsAndIsNotUndone() {
    NameScript.play(
        """
        0  bucket                      -> made
        0  lock-on                     -> InvalidBucketState
        0  put k a                     -> null(a)
        0  retain k null GOVERNANCE 9  -> InvalidRequest
        0  hold k null on              -> InvalidRequest
        1  versioning suspended        -> done
        1  lock-on                     -> InvalidBucketState
        2  versioning enabled          -> done
        2  lock-on                     -> done
        2  versioning suspended        -> InvalidBucketState
        3  hold k null on              -> done
        3  put k b                     -> b
        3  delete k null               -> AccessDenied
        3  hold k x on                 -> NoSuchVersion
        3  hold l null on              -> NoSuchKey
        4  delete k                    -> marker m1
        4  hold k m1 on                -> MethodNotAllowed
        """);
  }

  @Test
  void whereTheBucketOwnerOwnsAllListsAreOff() {
    NameScript.play(
        """
        0  bucket acl=public-read             -> made
        0  bucket acl=public-read             -> BucketAlreadyOwnedByYou
        0  bucket                             -> BucketAlreadyExists
        0  put k a                            -> null(a)
        0  grant k null public-read           -> done
        1  ownership BucketOwnerEnforced      -> InvalidBucketAclWithObjectOwnership
        1  acl other                          -> done
        1  ownership BucketOwnerEnforced      -> InvalidBucketAclWithObjectOwnership
        1  acl private                        -> done
        1  ownership BucketOwnerEnforced      -> done
        2  acl public-read                    -> AccessControlListNotSupported
        2  grant k null public-read           -> AccessControlListNotSupported
        3  ownership ObjectWriter             -> done
        3  acl public-read                    -> done
        """);
  }

  /** Against a plain list of versions, newest first. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyOrderOfChangesLeavesWhatAListOfVersionsWould(long seed) {
    var random = new SplittableRandom(seed);
    var script = new NameScript();
    script.step("0 bucket");
    var model = new VersionModel();
    for (int i = 1; i < 400; i++) {
      String told;
      String wanted;
      switch (random.nextInt(7)) {
        case 0 -> {
          boolean on = random.nextBoolean();
          told = script.step("0 versioning " + (on ? "enabled" : "suspended"));
          model.versioning = on ? VersionModel.Mode.ON : VersionModel.Mode.SUSPENDED;
          wanted = "done";
        }
        case 1, 2, 3 -> {
          told = script.step("0 put k v" + i);
          wanted = model.put("v" + i);
        }
        case 4 -> {
          told = script.step("0 delete k");
          wanted = model.hide();
        }
        default -> {
          String version = model.any(random);
          told = script.step("0 delete k " + version);
          wanted = model.delete(version);
        }
      }
      assertThat(told).as("seed " + seed + ", step " + i).isEqualTo(wanted);
      assertThat(script.step("0 versions k"))
          .as("seed " + seed + ", step " + i)
          .isEqualTo(model.toString());
      assertThat(script.step("0 get k")).isEqualTo(model.current());
    }
  }

  private static final class VersionModel {
    enum Mode {
      OFF,
      ON,
      SUSPENDED
    }

    record Version(String name, boolean isNull, boolean marker) {
      @Override
      public String toString() {
        return isNull ? "null(" + name + ")" : name;
      }
    }

    private final List<Version> versions = new ArrayList<>();
    private Mode versioning = Mode.OFF;
    private int markers;

    String put(String name) {
      return add(name, false);
    }

    private String add(String name, boolean marker) {
      boolean isNull = versioning != Mode.ON;
      if (isNull) {
        versions.removeIf(Version::isNull);
      }
      versions.addFirst(new Version(name, isNull, marker));
      return versions.getFirst().toString();
    }

    String hide() {
      if (versioning == Mode.OFF) {
        versions.clear();
        return "nothing";
      }
      return "marker " + add("m" + ++markers, true);
    }

    String any(SplittableRandom random) {
      if (versions.isEmpty()) {
        return "null";
      }
      Version chosen = versions.get(random.nextInt(versions.size()));
      return chosen.isNull() ? "null" : chosen.name();
    }

    String delete(String name) {
      for (Version version : versions) {
        if (name.equals(version.isNull() ? "null" : version.name())) {
          versions.remove(version);
          return "gone " + (version.marker() ? "marker " : "") + name;
        }
      }
      return "gone " + name;
    }

    String current() {
      return versions.isEmpty() || versions.getFirst().marker()
          ? "NoSuchKey"
          : versions.getFirst().toString();
    }

    @Override
    public String toString() {
      return versions.isEmpty()
          ? "none"
          : String.join(" ", versions.stream().map(Version::toString).toList());
    }
  }
}
