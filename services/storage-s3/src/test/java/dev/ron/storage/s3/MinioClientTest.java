package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.minio.ComposeObjectArgs;
import io.minio.CopyObjectArgs;
import io.minio.GetObjectArgs;
import io.minio.GetObjectResponse;
import io.minio.GetPresignedObjectUrlArgs;
import io.minio.Http;
import io.minio.ListObjectsArgs;
import io.minio.MakeBucketArgs;
import io.minio.MinioClient;
import io.minio.PutObjectArgs;
import io.minio.RemoveBucketArgs;
import io.minio.RemoveObjectsArgs;
import io.minio.Result;
import io.minio.SourceObject;
import io.minio.StatObjectArgs;
import io.minio.StatObjectResponse;
import io.minio.errors.ErrorResponseException;
import io.minio.messages.DeleteRequest;
import io.minio.messages.DeleteResult;
import io.minio.messages.Item;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MinIO's client for Java, as it is by default: bodies in chunks that are signed one by one. */
@Timeout(120)
final class MinioClientTest {
  private static final String BUCKET = "minio-bucket";
  private static final long PART_BYTES = 5 << 20;

  @TempDir private Path folder;

  @Test
  @SuppressWarnings("try") // its close() may throw anything
  void objectsArePutInPartsReadComposedListedAndDeleted() throws Exception {
    byte[] large = new byte[12 << 20];
    new SplittableRandom(2).nextBytes(large);
    try (var rig = new DoorRig(folder);
        var client =
            MinioClient.builder()
                .endpoint("http://127.0.0.1:" + rig.port())
                .credentials(DoorRig.PAIR.accessKeyId(), DoorRig.PAIR.secret())
                .build()) {
      client.makeBucket(MakeBucketArgs.builder().bucket(BUCKET).build());
      put(client, "a b/ü+.bin", large);
      put(client, "small", new byte[] {1, 2, 3});
      assertThat(read(client, "a b/ü+.bin")).isEqualTo(large);
      StatObjectResponse stat =
          client.statObject(StatObjectArgs.builder().bucket(BUCKET).object("small").build());
      assertThat(stat.userMetadata().getFirst("by")).isEqualTo("me");
      client.copyObject(
          CopyObjectArgs.builder().bucket(BUCKET).object("copy").source(source("small")).build());
      client.composeObject(
          ComposeObjectArgs.builder()
              .bucket(BUCKET)
              .object("both")
              .sources(new ArrayList<>(List.of(source("a b/ü+.bin"), source("small"))))
              .build());
      assertThat(read(client, "both")).hasSize(large.length + 3).endsWith(1, 2, 3);
      String link =
          client.getPresignedObjectUrl(
              GetPresignedObjectUrlArgs.builder()
                  .method(Http.Method.GET)
                  .bucket(BUCKET)
                  .object("small")
                  .build());
      try (var in = URI.create(link).toURL().openStream()) {
        assertThat(in.readAllBytes()).containsExactly(1, 2, 3);
      }
      assertThat(keys(client)).containsExactly("a b/ü+.bin", "both", "copy", "small");
      deleteAll(client);
      client.removeBucket(RemoveBucketArgs.builder().bucket(BUCKET).build());
      assertThatThrownBy(() -> read(client, "small")).isInstanceOf(ErrorResponseException.class);
    }
  }

  private static void put(MinioClient client, String key, byte[] bytes) throws Exception {
    client.putObject(
        PutObjectArgs.builder().bucket(BUCKET).object(key).userMetadata(Map.of("by", "me")).stream(
                new ByteArrayInputStream(bytes), (long) bytes.length, PART_BYTES)
            .build());
  }

  private static byte[] read(MinioClient client, String key) throws Exception {
    try (GetObjectResponse read =
        client.getObject(GetObjectArgs.builder().bucket(BUCKET).object(key).build())) {
      return read.readAllBytes();
    }
  }

  private static SourceObject source(String key) throws Exception {
    return SourceObject.builder().bucket(BUCKET).object(key).build();
  }

  private static List<String> keys(MinioClient client) throws Exception {
    var keys = new ArrayList<String>();
    for (Result<Item> each :
        client.listObjects(
            ListObjectsArgs.builder().bucket(BUCKET).recursive(true).maxKeys(2).build())) {
      keys.add(each.get().objectName());
    }
    return keys;
  }

  private static void deleteAll(MinioClient client) throws Exception {
    List<DeleteRequest.Object> all = keys(client).stream().map(DeleteRequest.Object::new).toList();
    for (Result<DeleteResult.Error> failed :
        client.removeObjects(RemoveObjectsArgs.builder().bucket(BUCKET).objects(all).build())) {
      throw new AssertionError(failed.get().message());
    }
  }
}
