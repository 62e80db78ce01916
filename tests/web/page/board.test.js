import assert from "node:assert/strict";
import test from "node:test";
import { filmStatus } from "../../../src/pinchpoint/web/static/js/advice.js";
import { cutPath, loopCount, partsOf, streams } from "../../../src/pinchpoint/web/static/js/goal.js";
import { around, shown, wave } from "../../../src/pinchpoint/web/static/js/session.js";

const board = (...rows) => rows.join("");

test("neighbours do not wrap around", () => {
  assert.deepEqual(new Set(around(4, 3, 9)), new Set([1, 3, 5, 7]));
  assert.deepEqual(new Set(around(2, 3, 9)), new Set([1, 5]));
  assert.deepEqual(new Set(around(3, 3, 9)), new Set([0, 4, 6]));
});

test("water runs through each piece that reaches both sides, once", () => {
  assert.equal(streams(board("101", "101", "110"), 3, 3, false).length, 1);
  assert.equal(streams(board("101", "101", "101"), 3, 3, false).length, 2);
  assert.equal(streams(board("101", "111", "101"), 3, 3, false).length, 1);
  assert.equal(streams(board("101", "101", "101"), 3, 3, true).length, 0);
  assert.equal(streams(board("000", "111", "000"), 3, 3, true).length, 1);
});

test("loops are counted independently of each other", () => {
  assert.equal(loopCount(board("111", "101", "111"), 3), 1);
  assert.equal(loopCount(board("111", "111", "111"), 3), 4);
  assert.equal(loopCount(board("110", "010", "011"), 3), 0);
  assert.equal(loopCount(board("1101", "1100", "0011", "1011"), 4), 2);
});

test("a wave goes out from the attacked square, and reaches what does not touch it at once", () => {
  const delays = wave(board("11111", "00000", "11111"), board("32222", "00000", "22222"), 0, 5);
  assert.deepEqual(
    [1, 2, 3, 4].map((s) => delays.get(s)),
    [38, 76, 114, 152],
  );
  assert.equal(new Set([10, 11, 12, 13, 14].map((s) => delays.get(s))).size, 1);
  assert.equal(wave("11", "11", null, 2).size, 0);
});

test("a film is patched together from its changes", () => {
  const frames = [
    { square: 1, changes: [[1, 3], [0, 2]] }, // prettier-ignore
    { square: 2, changes: [[2, 3]] },
  ];
  const film = { start: "111", frames, done: true };
  assert.deepEqual(
    [0, 1, 2].map((at) => filmStatus(film, at)),
    ["111", "231", "233"],
  );
});

test("what the player did shows before the server has answered", () => {
  const game = { status: "1111", moves: [], width: 2 };
  const queue = [{ kind: "moves", square: 1 }, { kind: "moves", square: 2 }, { kind: "undo" }];
  assert.deepEqual(shown({ game, queue: queue.slice(0, 2) }), { status: "1331", moves: [1, 2] });
  assert.deepEqual(shown({ game, queue }).moves, [1]);
  assert.deepEqual(shown({ game: null, queue: [] }), { status: "", moves: [] });
});

test("the cut is drawn from square to square and out to the border", () => {
  assert.equal(cutPath([3, 4, 5], 3, 3), "M5 15L15 15M5 15l-5 0M15 15L25 15M25 15l5 0");
  assert.equal(cutPath([1, 3], 3, 3), "M15 5L5 15M15 5l0 -5M5 15l-5 0");
  assert.equal(cutPath([1], 3, 1), "M15 5l0 -5M15 5l0 5");
  const ring = cutPath([6, 7, 8, 11, 13, 16, 17, 18], 5, 5); // round a square: it has no ends
  assert.equal(ring.match(/M/g).length, 8);
  assert.ok(!ring.includes("l"));
  assert.equal(cutPath([], 3, 3), "");
});

test("the cut parts the board, the larger part first", () => {
  assert.deepEqual(partsOf([3, 4, 5], 3, 12), [1, 1, 1, -1, -1, -1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(partsOf([], 2, 4), [0, 0, 0, 0]);
});
