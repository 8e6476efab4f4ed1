package dev.ron.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FaultyLinkTest {
  private ServerSocket echo;
  private FaultyLink link;

  @BeforeEach
  void open() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::echoAll);
    link = new FaultyLink((InetSocketAddress) echo.getLocalSocketAddress());
  }

  @AfterEach
  void close() throws IOException {
    link.close();
    echo.close();
  }

  @Test
  void bytesPassBothWays() throws IOException {
    try (Socket client = dial()) {
      assertThat(echoed(client, 42)).isEqualTo(42);
    }
  }

  @Test
  void aStalledLinkIsSilentAndLosesNothing() throws IOException {
    try (Socket client = dial()) {
      link.stall();
      client.setSoTimeout(100);
      client.getOutputStream().write(7);
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      link.heal();
      client.setSoTimeout(10_000);
      assertThat(client.getInputStream().read()).isEqualTo(7);
    }
  }

  @Test
  void aCutLinkResetsWhatIsOpenAndRefusesUntilItIsHealed() throws IOException {
    try (Socket client = dial()) {
      assertThat(echoed(client, 1)).isEqualTo(1);
      link.cut();
      assertThatThrownBy(() -> echoed(client, 2)).isInstanceOf(IOException.class);
    }
    try (Socket client = dial()) {
      assertThatThrownBy(() -> assertThat(echoed(client, 3)).isEqualTo(3))
          .isInstanceOfAny(IOException.class, AssertionError.class);
    }
    link.heal();
    try (Socket client = dial()) {
      assertThat(echoed(client, 4)).isEqualTo(4);
    }
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket(link.address().getAddress(), link.address().getPort());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static int echoed(Socket socket, int value) throws IOException {
    socket.getOutputStream().write(value);
    return socket.getInputStream().read();
  }

  private void echoAll() {
    while (!echo.isClosed()) {
      try {
        Socket peer = echo.accept();
        Thread.ofVirtual()
            .start(
                () -> {
                  try (peer) {
                    peer.getInputStream().transferTo(peer.getOutputStream());
                  } catch (IOException gone) {
                    // the link was cut, which is what is being tested
                  }
                });
      } catch (IOException closed) {
        return;
      }
    }
  }
}
