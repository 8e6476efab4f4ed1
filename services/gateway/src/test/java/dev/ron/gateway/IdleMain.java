package dev.ron.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Holds connections open until it is killed: both ends in one process would be too many files. */
final class IdleMain {
  private IdleMain() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    List<SocketChannel> idle = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Several source addresses: one has not ports enough for all.
      byte[] source = {127, 0, (byte) (1 + i / 5_000), 1};
      SocketChannel channel = SocketChannel.open();
      idle.add(channel);
      channel.bind(new InetSocketAddress(InetAddress.getByAddress(source), 0));
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    System.out.println(idle.size());
    new CountDownLatch(1).await();
  }
}
