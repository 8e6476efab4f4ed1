package dev.ron.node;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * People's own clients of SQS against a running node, with nothing changed but the endpoint.
 *
 * <p>Those of Debian speak the query protocol, the newer ones JSON. Those in Java are in {@link
 * SqsJavaClientsTest}.
 */
class SqsClientsTest {
  private static final String CLI_SCRIPT =
      """
      sqs() { "$AWS" --endpoint-url "$URL" --output text sqs "$@"; }
      Q=$(sqs create-queue --queue-name cli --attributes VisibilityTimeout=60 --query QueueUrl)
      [ "$Q" = "$URL/000000000000/cli" ]
      sqs list-queues | grep -F "$Q"
      sqs send-message --queue-url "$Q" --message-body 'hällo <&>' \\
        --message-attributes '{"a":{"DataType":"String","StringValue":"b"}}'
      sqs send-message-batch --queue-url "$Q" --entries Id=1,MessageBody=one Id=2,MessageBody=two
      sqs get-queue-attributes --queue-url "$Q" --attribute-names All \\
        --query Attributes.ApproximateNumberOfMessages | grep -x 3
      sqs receive-message --queue-url "$Q" --wait-time-seconds 5 --message-attribute-names All \\
        --query 'Messages[0].[ReceiptHandle,Body,MessageAttributes.a.StringValue]' > got
      grep -P '\\thällo <&>\\tb$' got
      sqs change-message-visibility --queue-url "$Q" --visibility-timeout 600 \\
        --receipt-handle "$(cut -f1 got)"
      sqs delete-message --queue-url "$Q" --receipt-handle "$(cut -f1 got)"
      sqs tag-queue --queue-url "$Q" --tags k=v
      sqs list-queue-tags --queue-url "$Q" --query Tags.k | grep -x v
      sqs set-queue-attributes --queue-url "$Q" --attributes '{"DelaySeconds":"7"}'
      sqs get-queue-attributes --queue-url "$Q" --attribute-names DelaySeconds | grep -w 7
      if sqs get-queue-url --queue-name none 2> refused; then exit 1; fi
      grep 'AWS.SimpleQueueService.NonExistentQueue' refused
      sqs purge-queue --queue-url "$Q"
      sqs delete-queue --queue-url "$Q"
      """;

  private static final String BOTO_SCRIPT =
      """
      cat > client.py <<'END'
      import json, os, boto3, botocore
      sqs = boto3.client("sqs", endpoint_url=os.environ["URL"])
      print(boto3.__version__, sqs.meta.service_model.protocol)
      dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
      arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])
      policy = {"deadLetterTargetArn": arn["Attributes"]["QueueArn"], "maxReceiveCount": 1}
      url = sqs.create_queue(
          QueueName="boto", Attributes={"RedrivePolicy": json.dumps(policy)})["QueueUrl"]
      sent = sqs.send_message(QueueUrl=url, MessageBody="b\\u00f6dy", MessageAttributes={
          "bytes": {"DataType": "Binary", "BinaryValue": b"\\x00\\xff"},
          "number": {"DataType": "Number", "StringValue": "1.5"}})
      got = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=5, VisibilityTimeout=0,
          AttributeNames=["All"], MessageAttributeNames=["All"])["Messages"][0]
      assert got["MessageId"] == sent["MessageId"] and got["Body"] == "b\\u00f6dy", got
      assert got["MessageAttributes"]["bytes"]["BinaryValue"] == b"\\x00\\xff", got
      assert got["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"]
      assert not sqs.receive_message(QueueUrl=url).get("Messages")
      moved = sqs.receive_message(QueueUrl=dead, WaitTimeSeconds=10)["Messages"][0]
      assert moved["MessageId"] == sent["MessageId"], moved
      sqs.delete_message(QueueUrl=dead, ReceiptHandle=moved["ReceiptHandle"])
      fifo = sqs.create_queue(QueueName="b.fifo", Attributes={
          "FifoQueue": "true", "ContentBasedDeduplication": "true"})["QueueUrl"]
      answer = sqs.send_message_batch(QueueUrl=fifo, Entries=[
          {"Id": str(i), "MessageBody": "m%d" % i, "MessageGroupId": "g"} for i in range(10)])
      assert len(answer["Successful"]) == 10 and "Failed" not in answer, answer
      bodies = [m["Body"] for m in sqs.receive_message(
          QueueUrl=fifo, MaxNumberOfMessages=10, WaitTimeSeconds=5)["Messages"]]
      assert bodies == ["m%d" % i for i in range(10)], bodies
      try:
          sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=11)
          raise SystemExit("eleven are too many")
      except botocore.exceptions.ClientError as e:
          assert e.response["Error"]["Code"] == "InvalidParameterValue", e.response
      try:
          sqs.get_queue_url(QueueName="none")
          raise SystemExit("there is none")
      except sqs.exceptions.QueueDoesNotExist as e:
          assert e.response["Error"]["Code"] == "AWS.SimpleQueueService.NonExistentQueue"
      END
      "$PYTHON" client.py
      """;

  private static final String KOMBU_SCRIPT =
      """
      cat > client.py <<'END'
      import os
      from urllib.parse import quote
      from kombu import Connection
      user = quote(os.environ["AWS_ACCESS_KEY_ID"], safe="")
      secret = quote(os.environ["AWS_SECRET_ACCESS_KEY"], safe="")
      where = "sqs://%s:%s@%s" % (user, secret, os.environ["HOST"])
      with Connection(where, transport_options={
              "region": "us-east-1", "is_secure": False, "wait_time_seconds": 1}) as connection:
          queue = connection.SimpleQueue("kombu")
          queue.put({"from": "kombu"})
          message = queue.get(block=True, timeout=20)
          assert message.payload == {"from": "kombu"}, message.payload
          message.ack()
          queue.close()
      END
      "$PYTHON" client.py
      """;

  private static final String CELERY_SCRIPT =
      """
      cat > tasks.py <<'END'
      import os
      from urllib.parse import quote
      from celery import Celery
      user = quote(os.environ["AWS_ACCESS_KEY_ID"], safe="")
      secret = quote(os.environ["AWS_SECRET_ACCESS_KEY"], safe="")
      app = Celery("tasks", broker="sqs://%s:%s@%s" % (user, secret, os.environ["HOST"]))
      app.conf.broker_transport_options = {
          "region": "us-east-1", "is_secure": False, "wait_time_seconds": 1}
      app.conf.worker_enable_remote_control = False
      app.conf.task_create_missing_queues = True
      @app.task
      def add(x, y):
          with open("sum", "w") as out:
              out.write(str(x + y))
      END
      timeout 60 "$PYTHON" -m celery -A tasks worker -P solo --without-gossip --without-mingle \\
        --without-heartbeat > worker.log 2>&1 &
      WORKER=$!
      trap 'kill $WORKER || true; tail -20 worker.log' EXIT
      "$PYTHON" -c 'from tasks import add; add.delay(2, 3)'
      for i in $(seq 150); do [ -s sum ] && break; sleep 0.2; done
      grep -x 5 sum
      """;

  /** Where npm put the modules is for NODE_PATH to say; nothing is fetched here. */
  private static final String CONSUMER_SCRIPT =
      """
      MODULES=${NODE_PATH:-$(npm root -g 2>/dev/null || echo none)}
      for module in sqs-consumer @aws-sdk/client-sqs; do
        [ -d "$MODULES/$module" ] || { echo "NOT RUN: node has no $module in $MODULES"; exit 77; }
      done
      ln -s "$MODULES" node_modules
      cat > client.mjs <<'END'
      import { Consumer } from "sqs-consumer";
      import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient }
        from "@aws-sdk/client-sqs";
      const sqs = new SQSClient({ endpoint: process.env.URL, region: "us-east-1" });
      const { QueueUrl: queueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "node" }));
      const bodies = ["a", "b", "\u00e4"];
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl,
        Entries: bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody })) }));
      const got = new Set();
      await new Promise((done, failed) => {
        const consumer = Consumer.create({ queueUrl, sqs, batchSize: 10, waitTimeSeconds: 2,
          handleMessage: async (message) => { got.add(message.Body); return message; } });
        consumer.on("error", failed);
        consumer.on("processing_error", failed);
        consumer.on("response_processed", () => {
          if (got.size === bodies.length) { consumer.stop(); }
        });
        consumer.on("stopped", done);
        consumer.start();
      });
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl,
        AttributeNames: ["All"] }));
      const left = Attributes.ApproximateNumberOfMessages
        + Attributes.ApproximateNumberOfMessagesNotVisible;
      if (left !== "00") { throw new Error("left: " + left); }
      process.exit(0);
      END
      node client.mjs
      """;

  @TempDir private Path folder;

  /** A program, and a script that fails if anything is not as it should be. */
  enum Client {
    AWS("aws", "AWS=aws\n" + CLI_SCRIPT),
    AWS_OF_DEBIAN("/usr/bin/aws", "AWS=/usr/bin/aws\n" + CLI_SCRIPT),
    BOTO("python3", python("python3", "boto3", BOTO_SCRIPT)),
    BOTO_OF_DEBIAN("/usr/bin/python3", debian("boto3", BOTO_SCRIPT)),
    KOMBU_OF_DEBIAN("/usr/bin/python3", debian("kombu,boto3,pycurl", KOMBU_SCRIPT)),
    CELERY_OF_DEBIAN("/usr/bin/python3", debian("celery,kombu,boto3,pycurl", CELERY_SCRIPT)),
    SQS_CONSUMER_OF_NODE("node", CONSUMER_SCRIPT);

    private final String program;
    private final String script;

    Client(String program, String script) {
      this.program = program;
      this.script = script;
    }

    private static String debian(String modules, String script) {
      return python("/usr/bin/python3", modules, script);
    }

    private static String python(String python, String modules, String script) {
      return "PYTHON=" + python + "\nneeds $PYTHON " + modules + "\n" + script;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientWorksUnchanged(Client client) throws Exception {
    new ClientScript(client.program, client.script).run(folder, "sqs");
  }
}
