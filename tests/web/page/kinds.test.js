import assert from "node:assert/strict";
import test from "node:test";
import { kindOf, rivalOf, starsOf } from "../../../src/pinchpoint/web/static/js/kinds.js";

const game = (origin, more = {}) => ({
  mode: "flow",
  options: {},
  height: 8,
  width: 9,
  code: "AbC",
  ply: 4,
  first: true,
  hints: 0,
  peeks: 0,
  agent_moves: 0,
  origin,
  ...more,
});

test("every origin has a heading, an address and a way on", () => {
  const origins = [
    { kind: "random", p: 0.8, seed: 1 },
    { kind: "link" },
    { kind: "text" },
    { kind: "lesson" },
    { kind: "daily", day: "2026-05-05" },
    { kind: "room", room: "ABCDEF", number: 0, boards: 2 },
    { kind: "campaign", number: 3, title: "T", idea: "I", par: 2 },
  ];
  for (const origin of origins) {
    const kind = kindOf(game(origin));
    assert.ok(kind.heading && kind.title && kind.path && kind.next.label, origin.kind);
    for (const to of [kind.another, kind.next.to]) assert.equal(Boolean(to.path) !== Boolean(to.board), true);
  }
});

test("a daily board is found at its day, and help costs its place in the table", () => {
  const origin = { kind: "daily", day: "2026-05-05" };
  assert.equal(kindOf(game(origin)).path, "daily/2026-05-05/flow");
  assert.ok(kindOf(game(origin)).warning);
  assert.equal(kindOf(game(origin, { hints: 1 })).warning, "");
  assert.match(kindOf(game(origin, { first: false })).heading, /practice/);
});

test("after the last board of a room comes the room, after the last level the first", () => {
  const room = (number) => kindOf(game({ kind: "room", room: "ABCDEF", number, boards: 2 })).another;
  assert.deepEqual(room(0), { board: { kind: "room", room: "ABCDEF", number: 1 } });
  assert.deepEqual(room(1), { path: "class/ABCDEF" });
  const level = (number) => kindOf(game({ kind: "campaign", number, title: "", idea: "", par: 1 })).another;
  assert.deepEqual(level(40), { board: { kind: "campaign", number: 1 } });
});

test("a race is run again with the same rival, without help", () => {
  const race = game({ kind: "random", p: 0.7, seed: 1, rival: "greedy" });
  assert.equal(rivalOf(race), "greedy");
  const { another, help, next } = kindOf(race);
  assert.deepEqual([another.rival, another.board.p, help, next.label], ["greedy", 0.7, false, "Rematch"]);
  assert.equal(rivalOf(game({ kind: "random", p: 0.7, seed: 1 })), null);
});

test("stars of the campaign", () => {
  const origin = { kind: "campaign", number: 3, title: "T", idea: "I", par: 3 };
  const stars = (more, before = {}) => kindOf(game(origin, more)).score({ stars: before });
  assert.deepEqual(stars({ ply: 3 }), { stars: { 3: 3 } });
  assert.deepEqual(stars({ ply: 5 }, { 3: 2 }), { stars: { 3: 2 } });
  assert.deepEqual(stars({ agent_moves: 1 }), {});
  assert.deepEqual(
    [3, 4, 5].map((ply) => starsOf({ ply, hints: 0, peeks: 0 }, 3)),
    [3, 2, 1],
  );
  assert.equal(starsOf({ ply: 3, hints: 1, peeks: 0 }, 3), 1);
});
