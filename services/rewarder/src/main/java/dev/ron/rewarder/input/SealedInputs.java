package dev.ron.rewarder.input;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.RewarderFaultException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Where inputs come from, by address. */
public interface SealedInputs {
  /** A document is small; accounting is streamed. */
  int DOCUMENT_BYTES_MAX = 1 << 20;

  /**
   * The bytes at an address; the read that meets their end throws {@link RewarderFaultException} if
   * they do not hash to it. A reader that stops before the end has verified nothing.
   */
  InputStream open(Address address) throws IOException, InterruptedException;

  /**
   * The same as a file to be read at any place, verified already.
   *
   * @param spool where it may be put; deleted by the caller
   */
  DiskFile file(Address address, Path spool) throws IOException, InterruptedException;

  /**
   * The same for one run, whose key goes out as the correlation id.
   *
   * @param reader whose inputs there are
   */
  SealedInputs forRun(String runKey, Owner reader);

  /** All of a small document, verified. */
  default byte[] document(Address address) throws IOException, InterruptedException {
    try (InputStream in = open(address)) {
      byte[] all = in.readNBytes(DOCUMENT_BYTES_MAX + 1);
      if (all.length > DOCUMENT_BYTES_MAX) {
        throw RewarderFaultException.badInput(
            address + " has more than " + DOCUMENT_BYTES_MAX + " bytes");
      }
      return all;
    }
  }
}
