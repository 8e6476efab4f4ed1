package dev.ron.storage.s3.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class NameCommandCodecTest {
  @Test
  void everyCommandIsReadAsItWasWritten() {
    Seeds.forEach(
        40,
        (_, random) -> {
          var draw = new NameDraw(random);
          for (int i = 0; i < 50; i++) {
            NameCommand command = draw.command();
            byte[] bytes = NameCommandCodec.bytes(command);
            NameCommand read = NameCommandCodec.command(bytes);
            assertThat(read).usingRecursiveComparison().isEqualTo(command);
            assertThat(NameCommandCodec.bytes(read)).isEqualTo(bytes);
          }
        });
  }

  @Test
  void everyRowIsReadAsItWasWritten() {
    Seeds.forEach(
        40,
        (_, random) -> {
          var draw = new NameDraw(random);
          var bucket = draw.bucket();
          var version = draw.version();
          var upload = draw.upload();
          var part = draw.part();
          assertThat(RowCodec.bucket(RowCodec.bytes(bucket))).isEqualTo(bucket);
          assertThat(RowCodec.version(RowCodec.bytes(version)))
              .usingRecursiveComparison()
              .isEqualTo(version);
          assertThat(RowCodec.upload(RowCodec.bytes(upload))).isEqualTo(upload);
          assertThat(RowCodec.part(RowCodec.bytes(part)))
              .usingRecursiveComparison()
              .isEqualTo(part);
        });
  }

  @Test
  void rowsOfKeysAreInTheOrderOfTheKeys() {
    Seeds.forEach(
        500,
        (_, random) -> {
          var draw = new NameDraw(random);
          ObjectKey one = draw.key();
          ObjectKey other = draw.key();
          byte[] row = RowKeys.version(7, one, random.nextLong(Long.MAX_VALUE));
          assertThat(RowKeys.keyOfVersion(row)).isEqualTo(one);
          assertThat(RowKeys.keyOfObject(RowKeys.object(7, one))).isEqualTo(one);
          if (!one.equals(other)) {
            int keys = Integer.signum(one.compareTo(other));
            byte[] otherRow = RowKeys.version(7, other, random.nextLong(Long.MAX_VALUE));
            assertThat(Integer.signum(Arrays.compareUnsigned(row, otherRow))).isEqualTo(keys);
          }
        });
  }
}
