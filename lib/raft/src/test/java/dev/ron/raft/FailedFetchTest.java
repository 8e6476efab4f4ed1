package dev.ron.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** A machine that joins fetches the state, and what breaks there ends the fetch. */
final class FailedFetchTest {
  /** As a state that does not fit into the memory does. */
  private static final class Broken implements RaftStateMachine {
    @Override
    public void start(byte[] kept, long term, long index) {}

    @Override
    public void apply(RaftEntry entry) {}

    @Override
    public void pass(long term, long index) {}

    @Override
    public void lead(long term) {}

    @Override
    public void follow() {}

    @Override
    public byte[] keep() {
      return new byte[0];
    }

    @Override
    public CompletableFuture<byte[]> answer(ByteBuffer question) {
      return CompletableFuture.completedFuture(new byte[0]);
    }

    @Override
    public Fetched fetch(String leader) {
      throw new OutOfMemoryError("the state of " + leader);
    }
  }

  @Test
  void anErrorEndsTheFetchAndReachesItsThread() {
    List<Runnable> begun = new ArrayList<>();
    var machine = new RatisStateMachine(new Broken(), begun::add);
    machine.notifyTermIndexUpdated(1, 1);
    CompletableFuture<TermIndex> fetch =
        machine.notifyInstallSnapshotFromLeader(followerOf("a"), TermIndex.valueOf(1, 9));
    assertThat(fetch).isNotDone();
    assertThatThrownBy(begun.getFirst()::run).hasMessage("the state of a");
    assertThat(fetch).isCompletedExceptionally();
    assertThatThrownBy(fetch::join).hasRootCauseInstanceOf(OutOfMemoryError.class);
  }

  private static RoleInfoProto followerOf(String leader) {
    var id = RaftPeerProto.newBuilder().setId(ByteString.copyFromUtf8(leader));
    return RoleInfoProto.newBuilder()
        .setFollowerInfo(
            FollowerInfoProto.newBuilder().setLeaderInfo(ServerRpcProto.newBuilder().setId(id)))
        .build();
  }
}
