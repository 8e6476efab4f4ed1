package dev.ron.http.client;

/**
 * Checks that a request's body is what its head announced.
 *
 * <p>Bytes past the announced length would be the next request on a connection that is shared, and
 * bytes that are missing would be taken from it. So the caller's count is not trusted: what does
 * not fit is not written, and the connection that has begun such a body is not used again.
 *
 * <p>Threading: owned by its connection's event loop.
 */
final class AnnouncedBody {
  /** Nothing may be written: no request is under way, or it is whole. */
  static final AnnouncedBody NOTHING = new AnnouncedBody(0, true);

  private final boolean counted;
  private long bytesLeft;
  private boolean ended;

  private AnnouncedBody(long length, boolean ended) {
    this.counted = length >= 0;
    this.bytesLeft = length;
    this.ended = ended;
  }

  /** A body that is in memory is written with its head, and nothing after it. */
  static AnnouncedBody of(ClientRequest request) {
    return request.streamed() ? new AnnouncedBody(request.bodyLength(), false) : NOTHING;
  }

  /** Chunks, or the frames of a stream, say by themselves where the body ends. */
  boolean counted() {
    return counted;
  }

  boolean ended() {
    return ended;
  }

  /** Whether its peer has all of it: where bytes are counted the last is the end, said or not. */
  boolean whole() {
    return ended || (counted && bytesLeft == 0);
  }

  /** False if the bytes are more than was announced, or come after the end. */
  boolean takes(int bytes) {
    if (ended || (counted && bytes > bytesLeft)) {
      return false;
    }
    bytesLeft -= counted ? bytes : 0;
    return true;
  }

  /** False if something that was announced is missing, or the end was there before. */
  boolean ends() {
    boolean whole = !ended && (!counted || bytesLeft == 0);
    ended = true;
    return whole;
  }
}
