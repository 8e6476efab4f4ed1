package dev.ron.node.usage;

import dev.ron.blake3.Address;
import dev.ron.blake3.HashTree;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.client.ServiceClient;
import dev.ron.client.StorageClient;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.rewarder.RewarderHttpClient;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.usage.Seal;
import dev.ron.usage.SealSigner;
import dev.ron.usage.SealStore;
import dev.ron.usage.Usage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Usage with the node's own keys, sealed into a storage.
 *
 * <p>Threading: thread-safe; its tasks are part of the node's tree.
 */
public final class NodeUsage implements SealStore {
  /** What its token must allow. */
  public static final Set<String> OPERATIONS =
      Set.of("get", "put", "upload", "upload-part", "upload-complete");

  private final Usage usage;
  private final SealSigner signer;
  private final HttpClient http;
  private final Scope scope;
  private final Supplier<String> token;
  private final boolean stores;
  private final Supplier<Optional<URI>> storage;
  private volatile Duration sealEvery;

  private NodeUsage(
      Usage usage,
      SealSigner signer,
      HttpClient http,
      Scope scope,
      Supplier<String> token,
      boolean stores,
      Supplier<Optional<URI>> storage,
      Duration sealEvery) {
    this.usage = usage;
    this.signer = signer;
    this.http = http;
    this.scope = scope;
    this.token = token;
    this.stores = stores;
    this.storage = storage;
    this.sealEvery = sealEvery;
  }

  /**
   * @param token for a storage that asks
   * @param runsStorage whether the node has a storage of its own
   * @param here where that answers, once its door is open
   * @param trusted what that may show, and what others may
   */
  public static NodeUsage open(
      Scope scope,
      UsageConfig config,
      Path data,
      Supplier<String> token,
      boolean runsStorage,
      Supplier<Optional<URI>> here,
      PinnedCertificates trusted)
      throws IOException {
    return new NodeUsage(
        Usage.open(scope, data),
        Attestor.open(scope.disk(), data.resolve("keys"), List.of(SignatureKind.ED25519)),
        new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY), trusted),
        scope,
        token,
        !config.storage().isEmpty() || runsStorage,
        config.storage().isEmpty() ? here : () -> Optional.of(URI.create(config.storage())),
        config.seal());
  }

  /** Counts for one service. */
  public Meter meter(String service) {
    return usage.meter(service);
  }

  public Usage usage() {
    return usage;
  }

  /** The name that its seals bear. */
  public String node() {
    return Seal.nodeOf(signer.publicKeys().getFirst());
  }

  /** The same tree with the tasks of usage; services are added behind them. */
  public Supervisor into(Supervisor tree) {
    return usage.into(
        tree.door("usage-client", new RewarderHttpClient(http)), signer, this, () -> sealEvery);
  }

  public void reload(UsageConfig fresh) {
    sealEvery = fresh.seal();
  }

  private StorageClient client() throws IOException {
    URI base = storage.get().orElseThrow(() -> new IOException("the storage's door is not open"));
    return new StorageClient(ServiceClient.over(http, scope, "usage", base, token));
  }

  @Override
  public Optional<byte[]> get(Address address) throws InterruptedException {
    if (!stores) {
      return Optional.empty();
    }
    var bytes = new ByteArrayOutputStream();
    try {
      client().get(address, bytes, StorageClient.Progress.NONE);
      return Optional.of(bytes.toByteArray());
    } catch (IOException notNow) {
      return Optional.empty();
    }
  }

  /** Into the storage; a node that has none keeps what it sealed in its folder. */
  @Override
  public void put(byte[] object) throws IOException, InterruptedException {
    if (!stores) {
      return;
    }
    StorageClient client = client();
    if (object.length <= HashTree.PART_BYTES) {
      client.put(object);
    } else {
      client.put(new ByteArrayInputStream(object), StorageClient.Progress.NONE);
    }
  }
}
