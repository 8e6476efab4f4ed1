package dev.ron.content;

import dev.ron.content.s3.S3Config;
import dev.ron.content.s3.S3Credentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** S3Proxy on a folder: a real S3 server whose objects are files that a test can damage. */
public final class S3Server implements AutoCloseable {
  public static final String BUCKET = "cold";
  public static final S3Credentials CREDENTIALS = new S3Credentials("ron", "a-secret-of-the-test");

  private final Path folder;
  private final S3Proxy server;
  private final AtomicInteger buckets = new AtomicInteger();
  private volatile String bucket = BUCKET;
  private final List<String> gets = new CopyOnWriteArrayList<>();

  public S3Server(Path folder) throws Exception {
    this.folder = folder;
    Files.createDirectories(folder.resolve(BUCKET));
    var store =
        new ForwardingBlobStore(new FilesystemNio2BlobStore(folder.toString())) {
          @Override
          public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
            gets.add(request.key().substring(0, 2) + " " + request.range());
            return super.getBlob(request);
          }
        };
    this.server =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(
                AuthenticationType.AWS_V4, CREDENTIALS.accessKey(), CREDENTIALS.secretKey())
            .build();
    server.start();
  }

  /** Another bucket, empty, for the next test; starting a server takes longer than a test. */
  public void nextBucket() throws IOException {
    bucket = BUCKET + "-" + buckets.incrementAndGet();
    Files.createDirectory(folder.resolve(bucket));
    gets.clear();
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort());
  }

  public S3Config config() {
    return config(address(), bucket);
  }

  public static S3Config config(InetSocketAddress at, String bucket) {
    URI endpoint = URI.create("http://127.0.0.1:" + at.getPort());
    return S3Config.of(endpoint, bucket).withCredentials(CREDENTIALS);
  }

  /** What was asked for since the last call: the first letters of the key, and the range. */
  public List<String> takeGets() {
    List<String> taken = List.copyOf(gets);
    gets.clear();
    return taken;
  }

  public Path file(String key) {
    return folder.resolve(bucket).resolve(key);
  }

  /** How many objects there are under a prefix, such as {@code v/}. */
  public long count(String prefix) throws IOException {
    Path under = file(prefix);
    if (!Files.exists(under)) {
      return 0;
    }
    try (var files = Files.walk(under)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the S3 server does not stop", e);
    }
  }
}
