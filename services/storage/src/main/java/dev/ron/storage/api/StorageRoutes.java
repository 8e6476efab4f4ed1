package dev.ron.storage.api;

import dev.ron.blake3.HashTree;
import dev.ron.http.server.Handler;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import java.util.ArrayList;
import java.util.List;

/** Every route of the storage, with what it answers. */
public final class StorageRoutes {
  private StorageRoutes() {}

  /** What clients ask. */
  public static Routes of(StorageContext desk) {
    var put = new Put(desk);
    var limit = desk.config().transferLimit();
    long putBytes = desk.config().sizes().putBytes().bytes();
    var routes =
        Routes.of()
            .add(
                route(
                        "GET",
                        "/o/{address}",
                        "get",
                        new Get(desk).handler(),
                        "An object, or ranges of it, or a range with its proof.",
                        206,
                        304,
                        404,
                        412,
                        416,
                        502)
                    .query("proof")
                    .within(limit))
            .add(
                route(
                        "PUT",
                        "/o/{address}",
                        "put",
                        put.named(),
                        "Stores an object under its address.",
                        201,
                        409,
                        413,
                        415,
                        507)
                    .bodyBytesMax(putBytes)
                    .within(limit))
            .add(
                route("POST", "/o", "post", put.unnamed(), "Stores an object.", 201, 413, 415, 507)
                    .bodyBytesMax(putBytes)
                    .within(limit))
            .add(
                route(
                    "DELETE",
                    "/o/{address}",
                    "delete",
                    new Delete(desk).handler(),
                    "Hides an object; its bytes go after the grace.",
                    204,
                    404))
            .add(
                Route.of("GET", "/o", "list", new ListObjects(desk).handler())
                    .documented(
                        "All objects, a page at a time.",
                        List.of(200, 400, 401, 403, 429, 503),
                        "after",
                        "limit"))
            .add(route("GET", "/repair", "repair", new RepairReport(desk).handler(), "Repair."));
    uploads(routes, desk);
    return routes;
  }

  private static void uploads(Routes routes, StorageContext desk) {
    var uploads = new UploadRoutes(desk);
    routes
        .add(
            route(
                "POST",
                "/o/uploads",
                "upload",
                uploads.begin(),
                "Begins an upload.",
                201,
                409,
                507))
        .add(
            route(
                "GET",
                "/o/uploads/{upload}",
                "upload-status",
                uploads.status(),
                "Which parts are there.",
                404))
        .add(
            route(
                    "PUT",
                    "/o/uploads/{upload}/{part}",
                    "upload-part",
                    uploads.part(),
                    "Stores a part of at most 1 MiB.",
                    404,
                    409,
                    413,
                    507)
                .bodyBytesMax(HashTree.PART_BYTES))
        .add(
            route(
                    "POST",
                    "/o/uploads/{upload}/complete",
                    "upload-complete",
                    uploads.complete(),
                    "Makes the parts an object.",
                    201,
                    404,
                    409,
                    507)
                .within(desk.config().transferLimit()))
        .add(
            route(
                "DELETE",
                "/o/uploads/{upload}",
                "upload-abort",
                uploads.abort(),
                "Gives an upload up.",
                204,
                404));
  }

  private static Route route(
      String method, String path, String op, Handler handler, String summary, Integer... more) {
    var statuses = new ArrayList<>(List.of(200, 400, 401, 403, 429, 503));
    statuses.addAll(List.of(more));
    return Route.of(method, path, op, handler)
        .documented(summary, statuses.stream().sorted().toList());
  }
}
