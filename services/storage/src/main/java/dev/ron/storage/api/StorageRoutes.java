package dev.ron.storage.api;

import dev.ron.blake3.HashTree;
import dev.ron.http.json.Schema;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import java.util.Arrays;
import java.util.List;

/** Every route of the storage, with what it takes and answers. */
public final class StorageRoutes {
  private static final String OBJECT = "/o/{address}";
  private static final String UPLOADS = "/o/uploads";
  private static final String UPLOAD = UPLOADS + "/{upload}";
  private static final String OCTETS = "application/octet-stream";
  private static final Schema BYTES = Schema.ANY.with("examples", List.of("hello"));

  private StorageRoutes() {}

  /** What clients ask. */
  public static Routes of(StorageContext context) {
    var limit = context.config().transferLimit();
    return Routes.of(
            told(
                    object(Route.get(OBJECT)),
                    "get",
                    "An object, ranges of it, or a range with its proof.",
                    Proof.PARAMETER)
                .answers(200, OCTETS, Schema.ANY)
                .answers(206, OCTETS, Schema.ANY)
                .answers(304, 404, 412, 416, 502)
                .within(limit)
                .does(new Get(context).route()),
            stores(context, object(Route.put(OBJECT)), "put", "Stores an object under its address.")
                .answers(409)
                .does(new Put(context, true)),
            stores(context, Route.post("/o"), "post", "Stores an object.")
                .does(new Put(context, false)),
            told(
                    object(Route.delete(OBJECT)),
                    "delete",
                    "Hides an object; its bytes go after the grace.")
                .answers(204, 404)
                .does(new Delete(context)),
            told(Route.get("/o"), "list", "All objects, a page at a time.", "after", "limit")
                .answers(200, ListObjects.Reply.class)
                .does(new ListObjects(context)),
            told(Route.get("/repair"), "repair", "Where repair stands.")
                .answers(200, RepairReport.Reply.class)
                .does(new RepairReport(context)))
        .add(uploads(context));
  }

  private static Route stores(StorageContext context, Route route, String op, String summary) {
    return told(route, op, summary)
        .takes(OCTETS, BYTES)
        .answers(200, StoredObject.class)
        .answers(201, StoredObject.class)
        .answers(413, 415, 507)
        .bodyBytesMax(context.config().sizes().putBytes().bytes())
        .within(context.config().transferLimit());
  }

  private static Route[] uploads(StorageContext context) {
    return new Route[] {
      told(Route.post(UPLOADS), "upload", "Begins an upload.")
          .takes(UploadForm.FORM)
          .answers(200, ShowUpload.Reply.class)
          .answers(201, ShowUpload.Reply.class)
          .answers(409, 507)
          .does(new BeginUpload(context)),
      told(upload(Route.get(UPLOAD)), "upload-status", "Which parts are there.")
          .answers(200, ShowUpload.Reply.class)
          .answers(404)
          .does(new ShowUpload(context)),
      told(
              upload(Route.put(UPLOAD + "/{part}")).example("part", "0"),
              "upload-part",
              "Stores a part of at most 1 MiB.")
          .takes(OCTETS, BYTES)
          .answers(200, PutPart.Reply.class)
          .answers(404, 409, 413, 507)
          .bodyBytesMax(HashTree.PART_BYTES)
          .does(new PutPart(context)),
      told(
              upload(Route.post(UPLOAD + "/complete")),
              "upload-complete",
              "Makes the parts an object.")
          .takes(UploadForm.FORM)
          .answers(200, StoredObject.class)
          .answers(201, StoredObject.class)
          .answers(404, 409, 507)
          .within(context.config().transferLimit())
          .does(new CompleteUpload(context)),
      told(upload(Route.delete(UPLOAD)), "upload-abort", "Gives an upload up.")
          .answers(204, 404)
          .does(new AbortUpload(context))
    };
  }

  private static Route object(Route route) {
    return route.example("address", UploadForm.EXAMPLE);
  }

  private static Route upload(Route route) {
    return route.example("upload", "01JZ0000000000000000000000");
  }

  /**
   * Its name, and what any route may answer: about its form, token, rate, a shutdown. At any of
   * them an operator may act as a tenant.
   */
  private static Route told(Route route, String op, String summary, String... query) {
    String[] names = Arrays.copyOf(query, query.length + 1);
    names[query.length] = StorageRights.TENANT;
    return route.op(op).summary(summary).query(names).answers(400, 401, 403, 429, 503);
  }
}
