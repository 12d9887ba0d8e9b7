/** Checks that what the board.js of each game exports is a BoardModule. */

import type { BoardModule } from "/page/board-module";
import * as generic from "/page/js/generic-board.js";
import * as dragonsCave from "../src/dracotheque/games/dragons_cave/web/board.js";
import * as emerald from "../src/dracotheque/games/emerald/web/board.js";
import * as gran from "../src/dracotheque/games/gran/web/board.js";
import * as saveTheDragon from "../src/dracotheque/games/save_the_dragon/web/board.js";

export const boards: BoardModule[] = [generic, dragonsCave, emerald, gran, saveTheDragon];
