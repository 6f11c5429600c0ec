// canasta-engine: the rules, the log and its audit in this program, without a server. See README.md.

export { Engine, type Source } from "./engine.js";
export { fromLinkText, linkText, type LinkedLog } from "./links.js";
export { localTransport } from "./transport.js";
