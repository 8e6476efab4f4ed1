package dev.ron.node;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database of PostgreSQL, backed up by pgBackRest into a bucket and brought back from there. */
class PgBackRestTest {
  /** PostgreSQL does not run as root, and the folder of a test is its owner's alone. */
  private static final String SCRIPT =
      """
      bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1) || { echo "NOT RUN: no PostgreSQL"; exit 77; }
      work=$(mktemp -d)
      as=()
      if [ "$(id -u)" = 0 ]; then
        id postgres > /dev/null || { echo "NOT RUN: root, and no user postgres"; exit 77; }
        as=(setpriv --reuid=postgres --regid=postgres --clear-groups env "HOME=$work")
      fi
      stop() { "${as[@]}" "$bin/pg_ctl" -D "$work/pg" -m immediate stop > /dev/null 2>&1 || true; }
      trap 'stop; rm -rf "$work"' EXIT
      curl -sS --fail -X PUT --aws-sigv4 aws:amz:us-east-1:s3 \\
        --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
        -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "$URL/pg-bucket"
      cp "$SSL_CERT_FILE" "$work/ca.pem"
      cat > "$work/pgbackrest.conf" <<END
      [global]
      repo1-type=s3
      repo1-path=/backups
      repo1-bundle=y
      repo1-retention-full=1
      repo1-s3-bucket=pg-bucket
      repo1-s3-endpoint=localhost
      repo1-s3-region=us-east-1
      repo1-s3-uri-style=path
      repo1-s3-key=$AWS_ACCESS_KEY_ID
      repo1-s3-key-secret=$AWS_SECRET_ACCESS_KEY
      repo1-storage-port=${HOST##*:}
      repo1-storage-ca-file=$work/ca.pem
      start-fast=y
      lock-path=$work
      spool-path=$work
      log-level-file=off
      log-level-console=warn
      [main]
      pg1-path=$work/pg
      pg1-socket-path=$work
      END
      [ "$(id -u)" != 0 ] || chown -R postgres: "$work"
      cd "$work"
      backrest() { "${as[@]}" pgbackrest --config="$work/pgbackrest.conf" --stanza=main "$@"; }
      sql() { "${as[@]}" "$bin/psql" -h "$work" -v ON_ERROR_STOP=1 -Atqc "$1" postgres; }
      start() { "${as[@]}" "$bin/pg_ctl" -D "$work/pg" -l "$work/log" -w start || { cat "$work/log"; exit 1; }; }
      "${as[@]}" "$bin/initdb" -D "$work/pg" -A trust --no-sync > /dev/null
      cat >> "$work/pg/postgresql.conf" <<END
      listen_addresses = ''
      unix_socket_directories = '$work'
      archive_mode = on
      archive_command = 'pgbackrest --config=$work/pgbackrest.conf --stanza=main archive-push %p'
      END
      start
      backrest stanza-create
      sql "create table numbers as select generate_series(1, 100000) n"
      backrest --type=full backup
      sql "insert into numbers select generate_series(100001, 200000)"
      backrest --type=diff backup
      sql "insert into numbers values (200001)"
      sql "select pg_switch_wal()"
      backrest check
      "${as[@]}" "$bin/pg_ctl" -D "$work/pg" -m fast stop > /dev/null
      rm -rf "$work/pg"
      "${as[@]}" mkdir -m 700 "$work/pg"
      backrest restore
      start
      sql "select count(*), sum(n) from numbers" | grep -x "200001|20000300001"
      backrest --type=full backup
      backrest info | grep -c "full backup" | grep -x 1
      """;

  @TempDir private Path folder;

  /** It speaks to S3 over TLS alone, and signs the host without its port. */
  @Tag("long")
  @Test
  void aDatabaseIsBackedUpAndBroughtBack() throws Exception {
    new ClientScript("pgbackrest", SCRIPT).runSecured(folder, "s3", "storage.s3");
  }
}
