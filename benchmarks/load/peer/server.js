// The peer: boardgame.io as its documentation sets it up, with the storage in memory that it uses by default, or with
// its FlatFile storage in the folder that KEPT_IN names.
// Three in a row without an end: a full board is cleared. Every player has a secret that playerView strips.
const { FlatFile, Server, Origins } = require("boardgame.io/server");
const { PlayerView, INVALID_MOVE } = require("boardgame.io/core");

const rows = {
  name: "rows",
  setup: () => ({ cells: Array(9).fill(null), boards: 0, players: { 0: { secret: 1 }, 1: { secret: 2 } } }),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
      if (G.cells.every((mark) => mark !== null)) {
        G.cells = Array(9).fill(null);
        G.boards += 1;
      }
    },
  },
};

const folder = process.env.KEPT_IN;
const storage = folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {};
Server({ games: [rows], origins: [Origins.LOCALHOST], ...storage }).run(Number(process.env.PORT));
