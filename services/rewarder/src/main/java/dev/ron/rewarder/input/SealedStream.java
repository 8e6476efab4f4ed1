package dev.ron.rewarder.input;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Hashes what is read, and refuses the end of it if the whole is not what the address promised.
 *
 * <p>Threading: owned by the thread that reads.
 */
final class SealedStream extends BlockStream {
  private final InputStream in;
  private final Address address;
  private final Blake3Hasher hasher = new Blake3Hasher();
  private boolean ended;

  SealedStream(InputStream in, Address address) {
    this.in = in;
    this.address = address;
  }

  @Override
  protected int block(byte[] into, int offset, int length) throws IOException {
    int count = ended ? -1 : in.read(into, offset, length);
    if (count > 0) {
      hasher.update(into, offset, count);
    } else if (!ended) {
      ended = true;
      if (!hasher.hash().equals(address.hash())) {
        throw new RewarderFaultException(new RewarderFault.SealBroken(address.toString()));
      }
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
