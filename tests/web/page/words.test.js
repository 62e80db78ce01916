import assert from "node:assert/strict";
import test from "node:test";
import { codeIn, count, outcome, parText, place, verdict } from "../../../src/pinchpoint/web/static/js/words.js";

const par = (value, proven = true, pending = false) => ({ value, bound: value, proven, pending });

test("numbers with their words", () => {
  assert.equal(count(1, "move"), "1 move");
  assert.equal(count(0, "move"), "0 moves");
  assert.equal(count(2, "square was", "squares were"), "2 squares were");
  assert.equal(place(12, 5), "row 3, column 3");
});

test("the score against par", () => {
  assert.equal(verdict(5, par(5)), "Par: nobody can do better");
  assert.equal(verdict(5, par(5, false)), "As good as the best known");
  assert.equal(verdict(4, par(5, false)), "1 better than the best known");
  assert.equal(verdict(7, par(5)), "2 over par");
  assert.equal(verdict(7, null), "");
  assert.equal(outcome({ ply: 5, agent_moves: 5 }, par(5)), "Played by an agent");
  assert.equal(outcome({ ply: 5, agent_moves: 2 }, par(5)), "2 of them by an agent");
});

test("what is known of par", () => {
  assert.equal(parText(null), "working out par …");
  assert.equal(parText(par(null, false, false)), "par not known");
  assert.equal(parText(par(4)), "par 4, proven");
  assert.equal(parText(par(4, false, true)), "par 4, the best known so far");
});

test("the code of a board in a link", () => {
  assert.equal(codeIn("see https://example.org/board/AbC-1_2 there"), "AbC-1_2");
  assert.equal(codeIn("no link"), "");
});
