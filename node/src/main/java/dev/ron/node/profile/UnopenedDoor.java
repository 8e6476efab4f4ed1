package dev.ron.node.profile;

import dev.ron.config.value.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.UnresolvedAddressException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says which door of a start did not open, and why. The system's refusal names no address, and a
 * node has more than ten.
 */
public final class UnopenedDoor {
  private UnopenedDoor() {}

  /**
   * The failure of a start; with words of its own if an address cannot be listened at. Asked once
   * all doors of the start are closed again.
   *
   * @param doors by what they are, in words
   */
  public static Exception named(Exception failure, Map<String, HostPort> doors) {
    if (!isOfAnAddress(failure)) {
      return failure;
    }
    String closed =
        doors.entrySet().stream()
            .map(door -> why(door.getKey(), door.getValue()))
            .filter(why -> !why.isEmpty())
            .collect(Collectors.joining(", "));
    return closed.isEmpty()
        ? failure
        : new IOException(
            "cannot listen at %s; stop what listens there, or start with --base-port N or another address"
                .formatted(closed),
            failure);
  }

  private static boolean isOfAnAddress(Exception failure) {
    return failure instanceof BindException || failure instanceof UnresolvedAddressException;
  }

  private static String why(String door, HostPort at) {
    return refusal(at).map(why -> "%s (%s): %s".formatted(at, door, why)).orElse("");
  }

  /** Tries the address for a moment, as a start will; empty if it is free. */
  public static Optional<String> refusal(HostPort at) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(at.host(), at.port()));
      return Optional.empty();
    } catch (IOException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }
}
