"""What boto3 does by default, whichever version it is."""

import os
import sys
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

bucket = "boto-bucket"
large = "a b/large+\u00fc.bin"
s3 = boto3.client("s3", endpoint_url=os.environ["URL"])
print("boto3", boto3.__version__)
s3.create_bucket(Bucket=bucket)

s3.upload_file("large.bin", bucket, large)
s3.download_file(bucket, large, "back.bin")
with open("large.bin", "rb") as sent, open("back.bin", "rb") as back:
    assert sent.read() == back.read()
s3.copy({"Bucket": bucket, "Key": large}, bucket, "copy.bin")

pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 1})
keys = [each["Key"] for page in pages for each in page.get("Contents", [])]
assert keys == [large, "copy.bin"], keys

# Without a word it signs links by version 2, which is not taken.
v4 = Config(signature_version="s3v4")
signer = boto3.client("s3", endpoint_url=os.environ["URL"], config=v4)
link = signer.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "copy.bin"})
with urllib.request.urlopen(link) as answer:
    assert len(answer.read()) == os.path.getsize("large.bin")

try:
    s3.head_object(Bucket=bucket, Key="none")
    sys.exit("a key that is not there was found")
except ClientError as absent:
    assert absent.response["Error"]["Code"] == "404", absent

s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": each} for each in keys]})
s3.delete_bucket(Bucket=bucket)
