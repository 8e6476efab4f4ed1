package dev.ron.node;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** People's own clients of S3 against a running node, with nothing changed but the endpoint. */
class S3ClientsTest {
  private static final int LARGE_BYTES = 12 << 20;

  @TempDir private Path folder;

  /** A program, and a script that fails if anything is not as it should be. */
  enum Client {
    AWS(
        "aws",
        """
        s3() { aws --endpoint-url "$URL" s3 "$@"; }
        s3 mb s3://aws-bucket
        s3 cp small.txt "s3://aws-bucket/a b/ü+.txt"
        s3 cp large.bin s3://aws-bucket/large.bin
        s3 cp s3://aws-bucket/large.bin back.bin
        cmp large.bin back.bin
        s3 cp s3://aws-bucket/large.bin s3://aws-bucket/copy.bin
        s3 ls --recursive s3://aws-bucket | grep -c . | grep -x 3
        s3 cp "s3://aws-bucket/a b/ü+.txt" - | cmp - small.txt
        s3 rb --force s3://aws-bucket
        """),
    RCLONE(
        "rclone",
        """
        unset AWS_CA_BUNDLE
        export RCLONE_CONFIG_RON_TYPE=s3 RCLONE_CONFIG_RON_PROVIDER=Other RCLONE_CONFIG=/dev/null
        export RCLONE_CONFIG_RON_ACCESS_KEY_ID="$AWS_ACCESS_KEY_ID"
        export RCLONE_CONFIG_RON_SECRET_ACCESS_KEY="$AWS_SECRET_ACCESS_KEY"
        export RCLONE_CONFIG_RON_ENDPOINT="$URL" RCLONE_CONFIG_RON_FORCE_PATH_STYLE=true
        mkdir -p tree/deep && cp small.txt tree/deep/ && cp large.bin tree/
        rclone mkdir ron:rclone-bucket
        rclone copy tree ron:rclone-bucket/tree --s3-upload-cutoff 5M --s3-chunk-size 5M
        rclone check tree ron:rclone-bucket/tree --download
        rclone copyto ron:rclone-bucket/tree/large.bin ron:rclone-bucket/copy.bin
        rclone purge ron:rclone-bucket
        """),
    RESTIC(
        "restic",
        """
        export RESTIC_REPOSITORY="s3:$URL/restic-bucket/backups" RESTIC_PASSWORD=no-secret
        export RESTIC_CACHE_DIR="$PWD/cache"
        restic -q init
        restic -q backup small.txt large.bin
        restic -q check --read-data
        restic -q restore latest --target restored
        cmp large.bin "$(find restored -name large.bin)"
        restic -q forget --keep-last 1 --prune
        """),
    S3CMD(
        "s3cmd",
        """
        s3() { s3cmd --no-ssl --host="$HOST" --host-bucket="$HOST" --region=us-east-1 \\
          --access_key="$AWS_ACCESS_KEY_ID" --secret_key="$AWS_SECRET_ACCESS_KEY" -q "$@"; }
        s3 mb s3://s3cmd-bucket
        s3 put --multipart-chunk-size-mb=5 large.bin s3://s3cmd-bucket/large.bin
        s3 put small.txt s3://s3cmd-bucket/small.txt
        s3 get --force s3://s3cmd-bucket/large.bin back.bin
        cmp large.bin back.bin
        s3 cp s3://s3cmd-bucket/small.txt s3://s3cmd-bucket/copy.txt
        s3 del --recursive --force s3://s3cmd-bucket
        s3 rb s3://s3cmd-bucket
        """),
    /** The one on the path, which may be a newer one. */
    BOTO3("python3", boto("python3")),
    /** The system's own, of the years before checksums by default. */
    BOTO3_OF_THE_SYSTEM("/usr/bin/python3", boto("/usr/bin/python3")),
    S3FS(
        "s3fs",
        """
        [ -w /dev/fuse ] || { echo "NOT RUN: /dev/fuse cannot be opened"; exit 77; }
        echo "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" > passwd && chmod 600 passwd
        unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
        mkdir mounted
        curl -sS --fail -X PUT --aws-sigv4 aws:amz:us-east-1:s3 --user "$(cat passwd)" \\
          -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$URL/s3fs-bucket"
        s3fs s3fs-bucket mounted -o url="$URL" -o use_path_request_style -o passwd_file=passwd \\
          || { echo "NOT RUN: s3fs cannot mount here"; exit 77; }
        trap 'umount mounted || fusermount -u mounted' EXIT
        mkdir mounted/deep
        cp small.txt mounted/deep/small.txt
        cp large.bin mounted/large.bin
        cmp large.bin mounted/large.bin
        mv mounted/deep/small.txt mounted/deep/moved.txt
        cat small.txt >> mounted/deep/moved.txt
        [ "$(wc -l < mounted/deep/moved.txt)" = 2 ]
        ls mounted/deep | grep -x moved.txt
        rm mounted/deep/moved.txt mounted/large.bin
        rmdir mounted/deep
        """),
    /** State in a bucket, and a lock beside it that only one may write. */
    TERRAFORM(
        "terraform",
        """
        unset TF_CLI_CONFIG_FILE
        s3() { curl -sS --fail --aws-sigv4 aws:amz:us-east-1:s3 \\
          --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
          -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$@"; }
        s3 -X PUT "$URL/terraform-bucket"
        cat > main.tf <<END
        terraform {
          backend "s3" {
            bucket = "terraform-bucket"
            key = "deep/state"
            region = "us-east-1"
            use_lockfile = true
            use_path_style = true
            skip_credentials_validation = true
            skip_requesting_account_id = true
            endpoints = { s3 = "$URL" }
          }
        }
        resource "terraform_data" "one" { input = var.word }
        variable "word" { type = string }
        output "word" { value = terraform_data.one.output }
        END
        terraform init -no-color -input=false
        terraform apply -no-color -auto-approve -var word=first
        terraform apply -no-color -auto-approve -var word=second
        terraform output -raw word | grep -x second
        s3 -X PUT -H 'If-None-Match: *' -d '{"ID":"another","Operation":"apply"}' \\
          "$URL/terraform-bucket/deep/state.tflock"
        if terraform apply -no-color -auto-approve -var word=third > refused 2>&1; then exit 1; fi
        grep "Error acquiring the state lock" refused
        terraform output -raw word | grep -x second
        """),
    /** The AWS SDK for C++, and Parquet by ranges. */
    PYARROW(
        "python3",
        """
        needs python3 pyarrow
        python3 - <<'END'
        import os
        import pyarrow as pa
        import pyarrow.parquet as pq
        from pyarrow import fs
        s3 = fs.S3FileSystem(endpoint_override=os.environ["HOST"], scheme="http",
                             allow_bucket_creation=True, allow_bucket_deletion=True)
        s3.create_dir("arrow-bucket")
        table = pa.table({"n": list(range(200000)), "word": [str(i % 7) for i in range(200000)]})
        pq.write_table(table, "arrow-bucket/deep/n.parquet", filesystem=s3, row_group_size=20000)
        found = s3.get_file_info(fs.FileSelector("arrow-bucket", recursive=True))
        assert [each.path for each in found if each.is_file] == ["arrow-bucket/deep/n.parquet"], found
        some = pq.read_table("arrow-bucket/deep/n.parquet", columns=["n"], filesystem=s3,
                             filters=[("n", ">=", 199990)])
        assert some["n"].to_pylist() == list(range(199990, 200000)), some
        s3.move("arrow-bucket/deep/n.parquet", "arrow-bucket/moved.parquet")
        s3.delete_dir("arrow-bucket")
        END
        """),
    DUCKDB(
        "duckdb",
        """
        duckdb -c "LOAD httpfs" || { echo "NOT RUN: DuckDB has no httpfs here"; exit 77; }
        duckdb -c "COPY (SELECT range AS n FROM range(100000)) TO 'n.parquet' (FORMAT parquet)"
        curl -sS --fail -X PUT --aws-sigv4 aws:amz:us-east-1:s3 \\
          --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
          -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$URL/duckdb-bucket"
        cat > s3.sql <<END
        LOAD httpfs;
        SET s3_endpoint='$HOST'; SET s3_url_style='path'; SET s3_use_ssl=false;
        SET s3_region='us-east-1'; SET s3_access_key_id='$AWS_ACCESS_KEY_ID';
        SET s3_secret_access_key='$AWS_SECRET_ACCESS_KEY';
        COPY (FROM 'n.parquet') TO 's3://duckdb-bucket/deep/n.parquet' (FORMAT parquet);
        SELECT 'sum ' || sum(n) FROM 's3://duckdb-bucket/deep/*.parquet';
        END
        duckdb -noheader -list < s3.sql | grep -x "sum 4999950000"
        """);

    private final String program;
    private final String script;

    Client(String program, String script) {
      this.program = program;
      this.script = script;
    }

    private static String boto(String python) {
      return "needs %1$s boto3\n%1$s boto.py\n".formatted(python);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientWorksUnchanged(Client client) throws Exception {
    given();
    new ClientScript(client.program, client.script).run(folder, "s3");
  }

  /** Where bodies come in chunks that are not signed, or not signed at all. */
  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = {"AWS", "BOTO3", "BOTO3_OF_THE_SYSTEM", "RCLONE", "RESTIC", "TERRAFORM"})
  void aClientWorksUnchangedOverTls(Client client) throws Exception {
    given();
    new ClientScript(client.program, client.script).runSecured(folder, "s3", "storage.s3");
  }

  /** Programs with an OpenSSL of some years ago, or told so by their machine's settings. */
  @Tag("long")
  @Test
  void aClientOfTheOldTlsWorksUnchanged() throws Exception {
    given();
    String old =
        """
        printf '%s\n' 'openssl_conf=all' '[all]' 'ssl_conf=ssl' '[ssl]' 'system_default=old' \
          '[old]' 'MaxProtocol=TLSv1.2' > openssl.cnf
        export OPENSSL_CONF="$PWD/openssl.cnf"
        """;
    new ClientScript("aws", old + Client.AWS.script).runSecured(folder, "s3", "storage.s3");
  }

  private void given() throws Exception {
    byte[] large = new byte[LARGE_BYTES];
    new Random(1).nextBytes(large);
    Files.write(folder.resolve("large.bin"), large);
    Files.writeString(folder.resolve("small.txt"), "a few words\n");
    try (InputStream script = S3ClientsTest.class.getResourceAsStream("boto.py")) {
      Files.copy(Objects.requireNonNull(script), folder.resolve("boto.py"));
    }
  }
}
