package dev.ron.node.profile;

import dev.ron.client.ServiceRefusal;
import dev.ron.config.ConfigFault;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientFault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What a command that failed says: what is wrong, and what to do about it. */
public final class FailureWords {
  private static final int UNAUTHORIZED = 401;
  private static final String UNAUTHORIZED_ADVICE =
      " (it comes from --cap, from RON_CAP, or from the profile that `ron cap show --save` writes)";

  private static final String ABSENT_ADVICE =
      "; start a node with `ron up`, or say by --url where it is";
  private static final String UNTRUSTED_ADVICE =
      ": its certificate must name that host and be trusted here"
          + " (`ron s3` trusts what --ca FILE holds)";

  private FailureWords() {}

  /** Expected failures speak for themselves; a bug also shows where it happened. */
  public static String of(Exception failure) {
    if (failure instanceof ConfigFault || failure instanceof IllegalArgumentException) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof Refusal refusal
        && refusal.fault() instanceof ClientFault.NoConnection absent) {
      return absent.detail() + (absent.reached() ? UNTRUSTED_ADVICE : ABSENT_ADVICE);
    }
    if (failure instanceof ServiceRefusal refused && refused.status() == UNAUTHORIZED) {
      return failure.getMessage() + UNAUTHORIZED_ADVICE;
    }
    if (failure instanceof FileSystemException file) {
      return file(file);
    }
    if (failure instanceof IOException) {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
    failure.printStackTrace();
    return failure.toString();
  }

  /** The JDK says nothing but the path where the class of the exception says what it is. */
  private static String file(FileSystemException failure) {
    String what =
        switch (failure) {
          case NoSuchFileException _ -> "there is no such file";
          case AccessDeniedException _ -> "permission is denied";
          case FileAlreadyExistsException _ -> "it is there already";
          case NotDirectoryException _ -> "it is no directory";
          case DirectoryNotEmptyException _ -> "it is not empty";
          default -> failure.getReason() == null ? failure.toString() : failure.getReason();
        };
    return failure.getFile() + ": " + what;
  }
}
