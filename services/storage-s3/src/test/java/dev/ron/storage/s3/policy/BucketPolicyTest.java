package dev.ron.storage.s3.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.BucketName;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BucketPolicyTest {
  private static final BucketName BUCKET = new BucketName("photos");

  /** A policy of one statement; single quotes stand for double ones. */
  private static BucketPolicy policy(String members) throws Refusal {
    return read("{'Version':'2012-10-17','Statement':{" + members + "}}");
  }

  private static BucketPolicy read(String text) throws Refusal {
    return PolicyReader.read(text.replace('\'', '"').getBytes(UTF_8), BUCKET);
  }

  private static String of(
      BucketPolicy policy, String tenant, String action, String resource, Map<String, String> has) {
    return policy
        .of(
            new PolicyRequest(
                tenant.equals("-") ? null : tenant,
                action,
                resource,
                key ->
                    Optional.ofNullable(
                        has.get(key.name() + (key.tag().isEmpty() ? "" : "/" + key.tag())))))
        .name();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '*'                                | s3:GetObject | photos/*    | -     | GetObject        | photos/a     | ALLOWS
          '*'                                | s3:GetObject | photos/*    | -     | PutObject        | photos/a     | SILENT
          '*'                                | s3:GetObject | photos/*    | -     | GetObjectVersion | photos/a     | SILENT
          '*'                                | s3:Get*      | photos/*    | -     | GetObjectVersion | photos/a     | ALLOWS
          '*'                                | S3:getobject | photos/*    | -     | GetObject        | photos/a     | ALLOWS
          '*'                                | *            | photos/*    | -     | ListBucket       | photos       | SILENT
          '*'                                | s3:*         | photos*     | -     | ListBucket       | photos       | ALLOWS
          '*'                                | s3:GetObject | photos/a/?  | -     | GetObject        | photos/a/b   | ALLOWS
          '*'                                | s3:GetObject | photos/a/?  | -     | GetObject        | photos/a/bc  | SILENT
          '*'                                | s3:GetObject | photos/A    | -     | GetObject        | photos/a     | SILENT
          {'AWS':'*'}                        | s3:GetObject | photos/*    | -     | GetObject        | photos/a     | ALLOWS
          {'AWS':'acme'}                     | s3:GetObject | photos/*    | acme  | GetObject        | photos/a     | ALLOWS
          {'AWS':'acme'}                     | s3:GetObject | photos/*    | other | GetObject        | photos/a     | SILENT
          {'AWS':'acme'}                     | s3:GetObject | photos/*    | -     | GetObject        | photos/a     | SILENT
          {'AWS':'arn:aws:iam::acme:root'}   | s3:GetObject | photos/*    | acme  | GetObject        | photos/a     | ALLOWS
          {'AWS':['x','arn:aws:iam:::user/acme']} | s3:GetObject | photos/* | acme | GetObject       | photos/a     | ALLOWS
          """,
      quoteCharacter = '`')
  void allowsWhatAllOfAStatementFits(
      String principal,
      String action,
      String resource,
      String tenant,
      String asked,
      String on,
      String verdict)
      throws Refusal {
    BucketPolicy policy =
        policy(
            "'Effect':'Allow','Principal':%s,'Action':'%s','Resource':'arn:aws:s3:::%s'"
                .formatted(principal, action, resource));
    assertThat(of(policy, tenant, asked, on, Map.of())).isEqualTo(verdict);
  }

  @Test
  void oneThatDeniesOutweighsAllThatAllow() throws Refusal {
    BucketPolicy policy =
        read(
            """
            {'Version':'2012-10-17','Statement':[
             {'Effect':'Allow','Principal':'*','Action':'s3:*','Resource':'arn:aws:s3:::photos/*'},
             {'Effect':'Deny','Principal':'*','Action':'s3:GetObject',
              'Resource':'arn:aws:s3:::photos/secret/*'},
             {'Effect':'Deny','Principal':{'AWS':'bad'},'NotAction':'s3:GetObject',
              'NotResource':'arn:aws:s3:::photos/open/*'}]}
            """);
    assertThat(of(policy, "a", "GetObject", "photos/x", Map.of())).isEqualTo("ALLOWS");
    assertThat(of(policy, "a", "GetObject", "photos/secret/x", Map.of())).isEqualTo("DENIES");
    assertThat(of(policy, "bad", "GetObject", "photos/x", Map.of())).isEqualTo("ALLOWS");
    assertThat(of(policy, "bad", "PutObject", "photos/x", Map.of())).isEqualTo("DENIES");
    assertThat(of(policy, "bad", "PutObject", "photos/open/x", Map.of())).isEqualTo("ALLOWS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          StringEquals            | s3:x-amz-acl                 | 'private'          | s3:x-amz-acl=private    | true
          StringEquals            | s3:x-amz-acl                 | ['a','private']    | s3:x-amz-acl=private    | true
          StringEquals            | s3:x-amz-acl                 | 'private'          | s3:x-amz-acl=Private    | false
          StringEquals            | s3:x-amz-acl                 | 'private'          | -                       | false
          StringEqualsIfExists    | s3:x-amz-acl                 | 'private'          | -                       | true
          StringNotEquals         | s3:x-amz-acl                 | 'private'          | -                       | true
          StringNotEquals         | s3:x-amz-acl                 | ['a','b']          | s3:x-amz-acl=b          | false
          StringLike              | aws:Referer                  | 'http://a/*'       | aws:referer=http://a/b  | true
          StringLike              | aws:Referer                  | 'http://a/*'       | aws:referer=http://b/a/ | false
          StringNotLike           | aws:Referer                  | 'http://a/*'       | aws:referer=http://a/b  | false
          StringEquals            | s3:ExistingObjectTag/Team    | 'x'                | s3:existingobjecttag/Team=x | true
          StringEquals            | s3:ExistingObjectTag/Team    | 'x'                | s3:existingobjecttag/team=x | false
          Null                    | s3:x-amz-acl                 | 'true'             | -                       | true
          Null                    | s3:x-amz-acl                 | true               | s3:x-amz-acl=a          | false
          Null                    | s3:x-amz-acl                 | 'false'            | s3:x-amz-acl=a          | true
          Bool                    | aws:SecureTransport          | 'false'            | aws:securetransport=false | true
          Bool                    | aws:SecureTransport          | 'false'            | aws:securetransport=true | false
          NumericLessThanEquals   | s3:max-keys                  | '10'               | s3:max-keys=10          | true
          NumericLessThanEquals   | s3:max-keys                  | 10                 | s3:max-keys=11          | false
          NumericGreaterThan      | s3:max-keys                  | '10'               | s3:max-keys=11          | true
          NumericGreaterThan      | s3:max-keys                  | '10'               | s3:max-keys=many        | false
          IpAddress               | aws:SourceIp                 | '10.1.0.0/16'      | aws:sourceip=10.1.2.3   | true
          IpAddress               | aws:SourceIp                 | '10.1.0.0/16'      | aws:sourceip=10.2.2.3   | false
          IpAddress               | aws:SourceIp                 | '10.1.0.0/16'      | -                       | false
          IpAddress               | aws:SourceIp                 | '2001:db8::/32'    | aws:sourceip=2001:db8:0:0:0:0:0:1 | true
          NotIpAddress            | aws:SourceIp                 | '10.1.0.0/16'      | aws:sourceip=10.2.2.3   | true
          """)
  void asksForConditions(String operator, String key, String values, String has, boolean holds)
      throws Refusal {
    BucketPolicy policy =
        policy(
            """
            'Effect':'Deny','Principal':'*','Action':'*','Resource':'*',
            'Condition':{'%s':{'%s':%s}}
            """
                .formatted(operator, key, values));
    int equals = has.indexOf('=');
    Map<String, String> context =
        equals < 0 ? Map.of() : Map.of(has.substring(0, equals), has.substring(equals + 1));
    assertThat(of(policy, "-", "GetObject", "photos/a", context))
        .isEqualTo(holds ? "DENIES" : "SILENT");
  }

  private static final String RIGHT =
      "'Effect':'Allow','Principal':'*','Action':'s3:GetObject','Resource':'arn:aws:s3:::photos/*'";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{'Version':'2012-10-17'}",
        "{'Version':'2012-10-17','Statement':[]}",
        "{'Version':'2020-01-01','Statement':{RIGHT}}",
        "{'Version':'2012-10-17','Statement':{RIGHT}} x",
        "{'Version':'2012-10-17','Statement':{RIGHT},'More':1}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'More':1}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Effect':'Deny'}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'NotAction':'s3:GetObject'}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'NotPrincipal':{'AWS':'a'}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'DateLessThan':{'aws:CurrentTime':'x'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'StringEquals':{'aws:userid':'x'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'StringEquals':{'aws:SourceIp':'1.2.3.4'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'IpAddress':{'aws:SourceIp':'host.name'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'NullIfExists':{'s3:prefix':'true'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'ForAllValues:StringEquals':{'s3:prefix':'a'}}}}",
        "{'Version':'2012-10-17','Statement':{RIGHT,'Condition':{'StringLike':{'s3:prefix':'${aws:username}/*'}}}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'allow','Principal':'*','Action':'s3:*','Resource':'*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Allow','Principal':{'Service':'x'},'Action':'s3:*','Resource':'*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Allow','Principal':{'AWS':'ac*'},'Action':'s3:*','Resource':'*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*','Action':'s3:GetObjekt','Resource':'*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*','Action':'sqs:*','Resource':'*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*','Action':'s3:*','Resource':'arn:aws:s3:::other/*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*','Action':'s3:*','Resource':'photos'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*','Action':'s3:*'}}",
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Action':'s3:*','Resource':'*'}}",
      })
  void whatIsNotUnderstoodIsRefusedAndNeverIgnored(String text) {
    assertThatThrownBy(() -> read(text.replace("RIGHT", RIGHT)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.fault()).isInstanceOf(S3Fault.MalformedPolicy.class));
  }

  @Test
  void aPolicyHasALimit() throws Refusal {
    String start = "{'Version':'2012-10-17','Statement':{" + RIGHT + "}";
    String right = start + " ".repeat(BucketPolicy.BYTES_MAX - start.length() - 1) + "}";
    assertThat(read(right).statements()).hasSize(1);
    assertThatThrownBy(() -> read(right + " ")).isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'Effect':'Allow','Principal':'*'                                                              | true
          'Effect':'Allow','Principal':{'AWS':['a','*']}                                                | true
          'Effect':'Allow','Principal':{'AWS':'a'}                                                      | false
          'Effect':'Deny','Principal':'*'                                                               | false
          'Effect':'Allow','Principal':'*','Condition':{'StringLike':{'aws:Referer':'a'}}               | true
          'Effect':'Allow','Principal':'*','Condition':{'IpAddress':{'aws:SourceIp':'10.0.0.0/8'}}      | false
          'Effect':'Allow','Principal':'*','Condition':{'IpAddress':{'aws:SourceIp':'0.0.0.0/0'}}       | true
          'Effect':'Allow','Principal':'*','Condition':{'NotIpAddress':{'aws:SourceIp':'10.0.0.0/8'}}   | true
          """)
  void isPublicWhereItLetsInWhomItDoesNotName(String members, boolean isPublic) throws Refusal {
    assertThat(policy(members + ",'Action':'s3:GetObject','Resource':'*'").isPublic())
        .isEqualTo(isPublic);
  }

  @ParameterizedTest
  @CsvSource({
    "a*c, abc, true",
    "a*c, ac, true",
    "a*c, acb, false",
    "*, '', true",
    "a**, a, true",
    "?, '', false",
    "*a*a*a*b, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false"
  })
  void wildcards(String text, String value, boolean matches) {
    assertThat(new WildcardText(text).matches(value)).isEqualTo(matches);
  }
}
