package dev.ron.rewarder.input;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A folder of sealed files named by their address; a tenant's are in a folder in it, {@code
 * ~tenant}.
 *
 * <p>Threading: immutable.
 */
public record FileInputs(Disk disk, Path folder) implements SealedInputs {
  /** The hash is made of many chunks at a time, so a file is read in large steps. */
  private static final int VERIFY_BYTES = 1 << 20;

  @Override
  public FileInputs forRun(String runKey, Owner reader) {
    String mark = reader.mark();
    return mark.isEmpty() ? this : new FileInputs(disk, folder.resolve(mark));
  }

  @Override
  public InputStream open(Address address) throws IOException {
    return new SealedStream(new FileStream(find(address)), address);
  }

  @Override
  public DiskFile file(Address address, Path spool) throws IOException {
    try (InputStream all = open(address)) {
      byte[] step = new byte[VERIFY_BYTES];
      int count;
      do {
        count = all.read(step, 0, step.length);
      } while (count >= 0);
    }
    return find(address);
  }

  private DiskFile find(Address address) throws IOException {
    Path path = folder.resolve(address.toString());
    // Some file systems have no colon.
    Path plain = folder.resolve(address.hash().hex());
    if (!disk.exists(path) && !disk.exists(plain)) {
      throw new RewarderFaultException(new RewarderFault.Unknown("input " + address));
    }
    return disk.openReadOnly(disk.exists(path) ? path : plain);
  }

  /** A file as a stream. */
  private static final class FileStream extends BlockStream {
    private final DiskFile file;
    private long at;

    FileStream(DiskFile file) {
      this.file = file;
    }

    @Override
    protected int block(byte[] into, int offset, int length) throws IOException {
      int count = file.read(ByteBuffer.wrap(into, offset, length), at);
      at += count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
