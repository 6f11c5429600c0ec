// The part of the proto that the page uses: of its files' descriptors the methods that are called, and the messages that these
// and the sources name. What is left out keeps its place and its name, so that the generated code finds the rest.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { readdirSync, readFileSync } from "node:fs";

const DESCRIPTOR = /(?<=fileDesc\(")[^"]+/;

/** Returns the texts of files in a folder, and in those below it, whose names end so. */
const texts = (folder, end) =>
  readdirSync(folder, { recursive: true }).filter((name) => end.test(name)).map((name) => readFileSync(`${folder}/${name}`, "utf8"));

/** Returns what makes a generated file smaller: its text as a function of its text. */
export function pruning(generated, sources) {
  const files = texts(generated, /_pb\.ts$/).map((code) => read(code.match(DESCRIPTOR)[0]));
  const code = sources.flatMap((folder) => texts(folder, /(?<!_pb)\.tsx?$/)).join("\n");
  /** Whether a method is called, or named in quotes for a call. */
  const isCalled = ({ name }) => {
    const own = `${name[0].toLowerCase()}${name.slice(1)}`;
    return code.includes(`.${own}(`) || code.includes(`"${own}"`);
  };
  const messages = new Map();
  const note = (prefix, message) => {
    messages.set(`${prefix}.${message.name}`, message);
    for (const nested of message.nestedType) note(`${prefix}.${message.name}`, nested);
  };
  for (const file of files) for (const message of file.messageType) note(`.${file.package}`, message);
  const kept = new Set();
  const keep = (name) => {
    if (kept.has(name) || !messages.has(name)) return;
    kept.add(name);
    for (const field of messages.get(name).field) keep(field.typeName);
  };
  for (const name of messages.keys()) if (code.includes(`${name.split(".").at(-1)}Schema`)) keep(name);
  for (const method of files.flatMap((file) => file.service).flatMap((service) => service.method).filter(isCalled)) {
    keep(method.inputType);
    keep(method.outputType);
  }
  const emptied = (prefix, message) => {
    const name = `${prefix}.${message.name}`;
    for (const nested of message.nestedType) emptied(name, nested);
    if (!kept.has(name)) Object.assign(message, { field: [], oneofDecl: [], reservedRange: [], reservedName: [] });
  };
  return (text) => text.replace(DESCRIPTOR, (base64) => {
    const file = read(base64);
    for (const message of file.messageType) emptied(`.${file.package}`, message);
    for (const service of file.service) service.method = service.method.filter(isCalled);
    return Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64");
  });
}

const read = (base64) => fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, "base64"));
