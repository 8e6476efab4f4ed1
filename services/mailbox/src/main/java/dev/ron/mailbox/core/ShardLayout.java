package dev.ron.mailbox.core;

import dev.ron.blake3.Blake3;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many shards there are, and how many there were: which shard a topic belongs to, and which it
 * belonged to.
 *
 * <p>A message stays in the shard it was sent to, because its id names that shard and its sender
 * was told the id. So a change moves nothing: it binds topics anew from one moment on, and the
 * shards they leave are emptied by those who receive. What was left behind has to be known for two
 * reasons. Shards beyond the present count live on as long as they have messages. And a key that
 * was sent before the change is remembered where the topic belonged then, which has to be asked for
 * {@code t_replay}.
 *
 * <p>Threading: immutable.
 *
 * @param former earlier counts, the latest first, no count twice
 */
public record ShardLayout(int shardCount, List<Former> former) {
  /** One bit of a long for each. */
  public static final int SHARDS_MAX = 64;

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,2})\n((?:formerly [0-9]{1,2} until [0-9]{1,18}\n)*)");
  private static final Pattern FORMER = Pattern.compile("formerly ([0-9]+) until ([0-9]+)\n");

  /** A count that held until a moment. */
  public record Former(int shardCount, long untilMillis) {
    public Former {
      checked(shardCount);
    }
  }

  public ShardLayout {
    checked(shardCount);
    former = List.copyOf(former);
  }

  private static void checked(int count) {
    if (count < 1 || count > SHARDS_MAX) {
      throw new IllegalArgumentException("shard_count = " + count);
    }
  }

  public static ShardLayout of(int shardCount) {
    return new ShardLayout(shardCount, List.of());
  }

  /** The same with another count from now on. */
  public ShardLayout changedTo(int count, long nowMillis) {
    if (count == shardCount) {
      return this;
    }
    var all = new ArrayList<Former>();
    all.add(new Former(shardCount, nowMillis));
    former.stream().filter(each -> each.shardCount() != shardCount).forEach(all::add);
    return new ShardLayout(count, all);
  }

  /**
   * Without the counts that need not be known any more: their keys are forgotten, and no message is
   * in a shard that only they had.
   *
   * @param shardsInUse one more than the highest shard that has a message
   */
  public ShardLayout settled(int shardsInUse, long nowMillis, long replayMillis) {
    return new ShardLayout(
        shardCount,
        former.stream()
            .filter(
                each ->
                    keysCount(each, nowMillis, replayMillis)
                        || (each.shardCount() > shardCount && shardsInUse > shardCount))
            .toList());
  }

  private static boolean keysCount(Former each, long nowMillis, long replayMillis) {
    return each.untilMillis() + replayMillis > nowMillis;
  }

  /** Shards there have to be: the present ones, and those of before that may have messages. */
  public int shards() {
    return Math.max(shardCount, former.stream().mapToInt(Former::shardCount).max().orElse(0));
  }

  /**
   * Where a message of a topic goes. A stable hash, so that it is the same after a restart and on
   * every machine.
   *
   * @param sticky messages of one topic with one such key share a shard, whatever its main shard;
   *     empty for none
   */
  public int shard(String topic, String sticky) {
    return shard(topic, sticky, shardCount);
  }

  private static int shard(String topic, String sticky, int count) {
    String text = sticky.isEmpty() ? topic : topic.length() + ":" + topic + sticky;
    byte[] hash = Blake3.hash(text.getBytes(StandardCharsets.UTF_8)).bytes();
    return (int) Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), count);
  }

  /** Where its key may be remembered besides; mostly nowhere. */
  public List<Integer> formerly(String topic, String sticky, long nowMillis, long replayMillis) {
    if (former.isEmpty()) {
      return List.of();
    }
    var shards = new TreeSet<Integer>();
    for (Former each : former) {
      if (keysCount(each, nowMillis, replayMillis)) {
        shards.add(shard(topic, sticky, each.shardCount()));
      }
    }
    shards.remove(shard(topic, sticky));
    return List.copyOf(shards);
  }

  /** As the folder keeps it. */
  public String text() {
    var text = new StringBuilder().append(shardCount).append('\n');
    former.forEach(
        each ->
            text.append("formerly %d until %d\n".formatted(each.shardCount(), each.untilMillis())));
    return text.toString();
  }

  /** Empty if it is no layout's text. */
  public static Optional<ShardLayout> parse(String text) {
    Matcher whole = TEXT.matcher(text);
    if (!whole.matches()) {
      return Optional.empty();
    }
    var former = new ArrayList<Former>();
    Matcher each = FORMER.matcher(whole.group(2));
    try {
      while (each.find()) {
        former.add(new Former(Integer.parseInt(each.group(1)), Long.parseLong(each.group(2))));
      }
      return Optional.of(new ShardLayout(Integer.parseInt(whole.group(1)), former));
    } catch (IllegalArgumentException outOfRange) {
      return Optional.empty();
    }
  }
}
