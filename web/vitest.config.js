/** Where the scripts of games find those of the page: in a browser the server gives both under /page/. */

import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../src/dracotheque/server/page/", import.meta.url));

export default { resolve: { alias: [{ find: /^\/page\//, replacement: page }] } };
