// The wordings of GetCatalogue, and messages in the form that `speaker` reads.

import { toJson, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { GetCatalogueResponseSchema } from "./gen/canasta/v1/catalogue_pb.js";
import { GameService } from "./gen/canasta/v1/game_service_pb.js";
import type { Wording } from "./messages.js";

/** Returns a message as `speaker` reads it: JSON with the proto's names, and with fields that are not set. */
export const spoken = <D extends DescMessage>(schema: D, message: MessageShape<D>): unknown =>
  toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });

/** Gets the catalogue of a language, for `speaker`. */
export async function getWordings(transport: Transport, languageCode = "en"): Promise<Wording[]> {
  const client = createClient(GameService, transport);
  const found: Wording[] = [];
  for (let pageToken = ""; ; ) {
    const page = await client.getCatalogue({ languageCode, pageToken });
    found.push(...(spoken(GetCatalogueResponseSchema, page) as { wordings: Wording[] }).wordings);
    pageToken = page.nextPageToken;
    if (pageToken === "") return found;
  }
}
